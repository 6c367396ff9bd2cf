internal import Registration
import TestDoubles

extension StoreConformance {
  private static let address = ClaimScene.address

  private static func names(_ names: String...) -> [GroupName] { names.compactMap { GroupName($0) } }

  private static func many(_ numbers: Range<Int>) -> [GroupName] { numbers.compactMap { GroupName("g\($0)") } }

  private static func stamp(_ seconds: Int) -> Stamp { ClaimScene.stamp(seconds) }

  private static func member(
    _ email: String, _ state: Account.State = .active, in groups: [GroupName], at seconds: Int = 0
  ) -> StoredAccount {
    var stored = InvitationScene.account(email, state, at: seconds)
    stored.account.groups = Groups(groups) ?? .none
    return stored
  }

  /// Rules for groups and display names.
  static let groups: [Rule] = [
    Rule("an account keeps the groups and the display name that it came with, and the audit has its groups after it") {
      store in
      var active = member("a@example.com", in: names("staff", "a.b_c-1"))
      active.account.displayName = DisplayName(stored: "Ada 🇬🇧 é")
      let imported = member("i@example.com", .disabled, in: names("staff"))
      _ = try await store.insert(active, request: nil, stamp(0))
      _ = try await store.importing([imported], stamp(1))
      for account in [active, imported] {
        try same(try await store.find(account.account.id), account, "found by the id")
        try same(try await store.find(account.account.email.key), account, "found by the address")
      }
      let entries = try await store.audit(of: active.account.id, limit: 9)
      try same(entries.map(\.change), [.registered, .grouped], "changes")
      try same(entries.last?.groups?.added, names("a.b_c-1", "staff"), "added")
      try same(entries.last?.groups?.removed, [], "removed")
      let others = try await store.audit(of: imported.account.id, limit: 9)
      try same(others.map(\.change), [.imported, .grouped], "changes of the imported account")
    },
    Rule("groups are added to and removed from an account in any state, and a repeat changes nothing") { store in
      for (number, state) in [Account.State.active, .pending, .waiting, .disabled].enumerated() {
        let account = member("\(number)@example.com", state, in: [])
        let id = account.account.id
        _ = try await store.insert(account, request: nil, stamp(0))
        let before = try await store.audit(of: id, limit: 99).count
        func change(_ added: [GroupName], _ removed: [GroupName], _ seconds: Int) async throws -> Account? {
          let answer = try await store.changeGroups(of: id, adding: added, removing: removed, stamp(seconds))
          if case .account(let account) = answer { return account }
          throw Broken(description: "\(state): \(answer)")
        }
        let first = try some(try await change(names("b", "a"), [], 1))
        try same(first.groups.names, names("a", "b"), "\(state), added")
        try same(first.updatedAt, ClaimScene.time(state == .pending ? 0 : 1), "\(state), updatedAt")
        try same(first.epoch, account.account.epoch, "\(state), the epoch")
        try same(try await change(names("a"), names("x"), 2), first, "\(state), a repeat")
        let second = try some(try await change(names("c"), names("a"), 3))
        try same(second.groups.names, names("b", "c"), "\(state), removed")
        try same(try await store.find(id)?.account, second, "\(state), found")
        let entries = try await store.audit(of: id, limit: 99).dropFirst(before)
        try same(entries.map(\.change), [.grouped, .grouped], "\(state), entries")
        try same(entries.map { $0.groups?.added }, [names("a", "b"), names("c")], "\(state), added")
        try same(entries.map { $0.groups?.removed }, [[], names("a")], "\(state), removed")
      }
      let answer = try await store.changeGroups(
        of: AccountID(at: ClaimScene.time(0)), adding: names("a"), removing: [], stamp(1))
      try same(answer, .gone, "an account that does not exist")
    },
    Rule("groups and a display name leave the fencing token of a pending account as it is") { store in
      let account = member(address, .pending, in: [])
      let (id, seen) = (account.account.id, account.account.updatedAt)
      _ = try await store.insert(account, request: nil, stamp(0))
      _ = try await store.changeGroups(of: id, adding: names("staff"), removing: [], stamp(1))
      let named = try some(
        try await store.setDisplayName(of: id, to: DisplayName(stored: "Ada"), having: nil, stamp(2)))
      try same(named.updatedAt, seen, "updatedAt")
      try same(
        try await store.release(id, seen: seen, remembered: false, endingClaim: false, stamp(3)), true, "released")
      try same(try await store.groups(after: nil, limit: 9, counting: .max).elements, [], "groups without members")
    },
    Rule("an account is never in more than 64 groups, and a change beyond that changes nothing") { store in
      let account = member(address, in: many(0..<63))
      let id = account.account.id
      _ = try await store.insert(account, request: nil, stamp(0))
      func answer(_ added: [GroupName], _ removed: [GroupName] = []) async throws -> GroupingAnswer {
        try await store.changeGroups(of: id, adding: added, removing: removed, stamp(1))
      }
      try same(try await answer(many(63..<65)), .tooMany, "63 and 2")
      try same(try await store.find(id), account, "after the refusal")
      guard case .account = try await answer(many(60..<64)) else { throw Broken(description: "63 and 1") }
      try same(try await answer(many(64..<65)), .tooMany, "64 and 1")
      guard case .account = try await answer(many(64..<65), many(0..<1)) else { throw Broken(description: "in place") }
      try same(try await store.find(id)?.account.groups.names.count, 64, "the number of groups")
    },
    Rule("groups and members are listed in order, page by page, and a group exists while it has members") { store in
      let states: [Account.State] = [.active, .disabled, .waiting, .pending, .active]
      let accounts = states.enumerated().map { number, state in
        member("\(number)@example.com", state, in: number == 4 ? names("b") : names("a", "c"), at: number)
      }
      for account in accounts { _ = try await store.insert(account, request: nil, stamp(0)) }
      func groups(after: GroupName? = nil, limit: Int = 9) async throws -> [CountedGroup] {
        let page = try await store.groups(after: after, limit: limit, counting: .max)
        return page.elements
      }
      func counted(_ name: String, _ members: Int) throws -> CountedGroup {
        CountedGroup(try some(GroupName(name)), members: members)
      }
      try same(try await groups(), [counted("a", 4), counted("b", 1), counted("c", 4)], "all")
      try same(try await groups(limit: 2), [counted("a", 4), counted("b", 1)], "the first page")
      try same(try await groups(after: GroupName("b")), [counted("c", 4)], "the next page")
      let a = try some(GroupName("a"))
      func members(after: AccountID? = nil, limit: Int = 9) async throws -> [String] {
        try await store.members(of: a, after: after, limit: limit).map(\.account.email.typed)
      }
      try same(try await members(), accounts.prefix(4).map(\.account.email.typed), "members")
      try same(try await members(limit: 2), accounts.prefix(2).map(\.account.email.typed), "the first members")
      try same(try await members(after: accounts[1].account.id, limit: 1), ["2@example.com"], "the next member")
      _ = try await store.changeGroups(of: accounts[4].account.id, adding: names("a"), removing: names("b"), stamp(9))
      _ = try await store.delete(accounts[0].account.id, having: nil, stamp(9))
      try same(try await groups(), [counted("a", 4), counted("c", 3)], "after a change and a deletion")
      try same(try await members(after: accounts[2].account.id), ["3@example.com", "4@example.com"], "members then")
    },
    Rule("a page of groups ends once it has counted enough members, and says whether more groups follow") { store in
      for number in 0..<5 {
        let account = member("\(number)@example.com", in: number == 4 ? names("b") : names("a", "c"), at: number)
        _ = try await store.insert(account, request: nil, stamp(0))
      }
      let expected: [(after: String?, limit: Int, most: Int, names: [String], hasMore: Bool)] = [
        (nil, 9, 1, ["a"], true), (nil, 9, 4, ["a"], true), (nil, 9, 5, ["a", "b"], true),
        (nil, 9, 6, ["a", "b", "c"], false), (nil, 3, 6, ["a", "b", "c"], false), (nil, 2, 99, ["a", "b"], true),
        ("a", 9, 1, ["b"], true), ("a", 9, 2, ["b", "c"], false), ("b", 1, 1, ["c"], false), ("c", 9, 9, [], false),
        ("bb", 9, 1, ["c"], false),
      ]
      let members = ["a": 4, "b": 1, "c": 4]
      for (after, limit, most, names, hasMore) in expected {
        let page = try await store.groups(after: after.flatMap { GroupName($0) }, limit: limit, counting: most)
        let what = "\(limit) groups after \(after ?? "nothing"), counting \(most)"
        try same(page.elements.map(\.name.description), names, what)
        try same(page.elements.map(\.members), names.compactMap { members[$0] }, "members, \(what)")
        try same(page.hasMore, hasMore, "more, \(what)")
      }
    },
    Rule("a display name is set once, removed, and set by an owner only with the current password") { store in
      let account = InvitationScene.account(address)
      let (id, hash) = (account.account.id, account.passwordHash)
      _ = try await store.insert(account, request: nil, stamp(0))
      func set(_ name: String?, having hash: PasswordHash? = nil, _ seconds: Int) async throws -> Account? {
        try await store.setDisplayName(
          of: id, to: name.map { DisplayName(stored: $0) }, having: hash, stamp(seconds))
      }
      try same(try await set("Ada", having: PasswordHash(phc: "another"), 1), nil, "with another password")
      let named = try some(try await set("Ada", having: hash, 2))
      try same(named.displayName?.text, "Ada", "named")
      try same(named.updatedAt, ClaimScene.time(2), "updatedAt")
      try same(named.epoch, account.account.epoch, "the epoch")
      try same(try await set("Ada", 3), named, "a repeat")
      try same(try some(try await set(nil, 4)).displayName, nil, "removed")
      _ = try await store.setEnabled(id, false, epoch: .random(), stamp(5))
      try same(try await set("Ada", having: hash, 6), nil, "of a disabled account, by its owner")
      try same(try some(try await set("Eva", 7)).displayName?.text, "Eva", "of a disabled account")
      try same(try await store.find(id)?.account.displayName?.text, "Eva", "found")
      let entries = try await store.audit(of: id, limit: 9).map(\.change)
      try same(entries, [.registered, .renamed, .renamed, .disabled, .renamed], "entries")
    },
    Rule("a claim keeps its display name until its address gets an account, and an invitation its groups") { store in
      let plain = ClaimScene.claim()
      let claim = AddressClaim(
        id: plain.id, kind: .registration, email: plain.email, account: plain.account, passwordHash: plain.passwordHash,
        uid: 7, origin: nil, request: nil, language: nil, createdAt: plain.createdAt, expiresAt: plain.expiresAt,
        digits: 6, state: .open, codeUntil: plain.codeUntil, resendAt: plain.resendAt,
        displayName: DisplayName(stored: "Ada"))
      try await store.addAll(claim)
      try same(try await store.find(claim.id, at: ClaimScene.time(1)), claim, "found")
      var account = InvitationScene.account(address)
      account.account.displayName = claim.displayName
      _ = try await store.insert(account, request: nil, stamp(2))
      let ended = try some(try await store.find(claim.id, at: ClaimScene.time(3)))
      try same(ended.state, .taken, "the state of the claim")
      try same(ended.displayName, nil, "the display name of an ended claim")
      let old = InvitationScene.invitation()
      let invitation = Invitation(
        id: old.id, digest: old.digest, email: nil, domain: nil, uses: 3, createdAt: old.createdAt,
        expiresAt: old.expiresAt, note: nil, by: 0, isMailed: false, groups: Groups(names("staff", "a")) ?? .none)
      try await store.invite(invitation)
      try same(try await store.find(invitation: invitation.id), invitation, "the invitation")
      try same(try await store.counted(invitation, at: 1)?.invitation, invitation, "listed")
    },
  ]
}
