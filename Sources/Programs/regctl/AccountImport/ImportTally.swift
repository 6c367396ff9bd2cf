internal import AccountImport
internal import Localization
internal import RegdClient
internal import Registration
internal import UserMessages

/// Counts the records of an import from another system, each once.
struct ImportTally {
  /// Records that are acceptable accounts.
  private(set) var accounts = 0
  /// Accounts that regd has imported.
  var imported = 0
  var refused = 0
  /// Records that are not accounts.
  var passedOver = 0
  private var states: [String: Int] = [:]
  private var families: [String: Int] = [:]

  /// The name for hashes of an unknown kind. Also part of the output with --json.
  private static let unknownFamily = "unknown"
  /// The name for accounts without a password. Also part of the output with --json.
  private static let noFamily = "none"

  /// - Returns: The values with which `refuse` reverts the count.
  mutating func count(_ account: ForeignAccount) -> Counted {
    let counted = Counted(
      state: account.state.rawValue,
      family: account.hasPassword ? HashFamily.name(account.passwordHash) ?? Self.unknownFamily : Self.noFamily)
    add(counted, 1)
    return counted
  }

  /// Counts an account as refused instead of acceptable, after regd has refused it.
  mutating func refuse(_ counted: Counted) {
    add(counted, -1)
    refused += 1
  }

  struct Counted {
    fileprivate let state: String
    fileprivate let family: String
  }

  private mutating func add(_ counted: Counted, _ number: Int) {
    accounts += number
    states[counted.state, default: 0] += number
    families[counted.family, default: 0] += number
    if states[counted.state] == 0 { states[counted.state] = nil }
    if families[counted.family] == 0 { families[counted.family] = nil }
  }

  func lines(isDry: Bool) -> [String] {
    var lines = [
      isDry
        ? Speech.text(ForeignMessageKey.wouldImport, ["count": .number(accounts), "refused": .number(refused)])
        : Speech.text(StoreTransferMessageKey.imported, ["imported": .number(imported), "refused": .number(refused)])
    ]
    if passedOver > 0 {
      lines.append(Speech.text(ForeignMessageKey.passedOver, ["count": .number(passedOver)]))
    }
    for counts in [states, families] {
      lines += counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.key): \($0.value)" }
    }
    return lines
  }

  /// - Returns: An object, in which `imported` is missing if nothing was sent.
  func json(isDry: Bool) -> JSONValue {
    func object(_ counts: [String: Int]) -> JSONValue {
      .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .number("\($0.value)")) })
    }
    var members: [JSONValue.Member] = [.init("accounts", .number("\(accounts)"))]
    if !isDry { members.append(.init("imported", .number("\(imported)"))) }
    return .object(
      members + [
        .init("refused", .number("\(refused)")), .init("passedOver", .number("\(passedOver)")),
        .init("states", object(states)), .init("hashes", object(families)),
      ])
  }
}
