import Registration
import StoreConformance

/// Random changes of groups and display names.
extension ModelRun {
  private static func names(_ names: [String]) -> [GroupName] { names.compactMap { GroupName($0) } }

  static let smallGroups = [[], names(["a"]), names(["b", "c-1"])]
  /// An account cannot be in all of them, because they are more than `Groups.most`.
  static let groups = smallGroups + ["x", "y"].map { letter in names((0..<40).map { "\(letter)\($0)" }) }

  mutating func changeGroups(_ key: String) async throws {
    let (added, removed) = (pick(Self.groups), pick(Self.groups))
    steps.append("add \(key) to \(added), and remove it from \(removed)")
    let outcome = await administrator.changeGroups(.email(key), adding: added, removing: removed, by: nil)
    guard let groups = model.accounts[key]?.groups.subtracting(removed).union(added) else {
      return try same(outcome, .notFound, "changeGroups")
    }
    guard groups.count <= Groups.most else { return try same(outcome, .tooManyGroups, "changeGroups") }
    model.accounts[key]?.groups = groups
    guard case .account(let account) = outcome else { throw Broken(description: "changeGroups: \(outcome)") }
    try same(account.groups.names, groups.sorted(), "groups in the answer")
  }

  mutating func setDisplayName(_ key: String) async throws {
    let (typed, name) = pick([(nil, nil), ("Ada", "Ada"), (" Jürgen \n", "Jürgen")] as [(String?, String?)])
    steps.append("name \(key) \(typed ?? "nothing")")
    let outcome = await administrator.setDisplayName(.email(key), to: typed, by: nil)
    guard model.accounts[key] != nil else { return try same(outcome, .notFound, "setDisplayName") }
    model.accounts[key]?.displayName = name
    guard case .account(let account) = outcome else { throw Broken(description: "setDisplayName: \(outcome)") }
    try same(account.displayName?.text, name, "the name in the answer")
  }

  /// Compares the list of groups, and some lists of members, with the model.
  func compareGroups() async throws {
    var counts: [GroupName: Int] = [:]
    for name in model.accounts.values.flatMap(\.groups) { counts[name, default: 0] += 1 }
    let expected = counts.sorted { $0.key < $1.key }.map { CountedGroup($0.key, members: $0.value) }
    try same(try await store.groups(after: nil, limit: 200, counting: .max).elements, expected, "groups")
    for name in Self.smallGroups.joined() {
      let members = try await store.members(of: name, after: nil, limit: 9).map(\.account.id)
      let ids = model.accounts.values.filter { $0.groups.contains(name) }.map(\.id).sorted()
      try same(members, ids, "members of \(name)")
    }
  }
}
