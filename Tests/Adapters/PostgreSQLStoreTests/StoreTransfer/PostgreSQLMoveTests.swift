import AddressNormalization
import PasswordHashing
import RegdProcesses
import Registration
import SQLiteStore
import StoreConformance
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Moving from SQLite to PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct PostgreSQLMoveTests {
  private func mover(
    _ source: String, _ database: PostgreSQLDatabase, limit: Int
  ) throws -> Mover<SQLiteMoveSource, PostgreSQLMoveTarget> {
    let source = try SQLiteMoveSource(source, beginning: "this move", at: Fixtures.time)
    return try Mover(from: source, to: target(database), limit: limit)
  }

  private func target(_ database: PostgreSQLDatabase) throws -> PostgreSQLMoveTarget {
    try PostgreSQLMoveTarget(database.url, connectLimit: patience, answerLimit: patience)
  }

  @Test(
    "the model agrees with the target, whatever changes between two steps and however often the move is killed",
    arguments: [false, true], 1...3)
  func concurrent(_ hasUpstream: Bool, _ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    let database = try await PostgreSQL.database()
    try await withTemporaryDirectory { directory in
      let isMoved = Mutex(false)
      let path = "\(directory)/regd.db"
      var random = SeededGenerator(seed: UInt64(seed))
      var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: hasUpstream) {
        guard isMoved.withLock({ $0 }) else {
          return try SQLiteStore(path: path, cryptography: SodiumAuditCryptography()).accounts
        }
        return try await opened(PostgreSQLStore.Settings(database)).accounts
      }
      try await run.go(steps: 10)
      var mover = try mover(path, database, limit: 2)
      for _ in 0..<40 {
        if Int.random(in: 0..<3, using: &random) > 0 { _ = try mover.step() }
        if Int.random(in: 0..<3, using: &random) == 0 { try await run.go(steps: 1) }
        if Int.random(in: 0..<20, using: &random) == 0 { mover = try self.mover(path, database, limit: 2) }
      }
      while !(try mover.step().isCaughtUp) {}
      #expect(mover.inSource == mover.inTarget)
      try target(database).arrive("this move")
      isMoved.withLock { $0 = true }
      try await run.reopen()
      try await run.go(steps: 20)
    }
  }

  @Test(
    "a move copies all claims, mails and audit addresses, whatever changes between two steps",
    arguments: 1...4)
  func claims(_ seed: Int) async throws {
    let database = try await PostgreSQL.database()
    try await withTemporaryDirectory { directory in
      let isMoved = Mutex(false)
      let path = "\(directory)/regd.db"
      var random = SeededGenerator(seed: UInt64(seed))
      var run = try await ClaimRun(seed: UInt64(seed)) {
        guard isMoved.withLock({ $0 }) else {
          return try SQLiteStore(path: path, cryptography: SodiumAuditCryptography()).accounts
        }
        return try await opened(PostgreSQLStore.Settings(database)).accounts
      }
      try await run.go(steps: 20)
      var mover = try mover(path, database, limit: 2)
      for _ in 0..<40 {
        if Int.random(in: 0..<3, using: &random) > 0 { _ = try mover.step() }
        if Int.random(in: 0..<2, using: &random) == 0 { try await run.go(steps: 1) }
        if Int.random(in: 0..<20, using: &random) == 0 { mover = try self.mover(path, database, limit: 2) }
      }
      while !(try mover.step().isCaughtUp) {}
      #expect(mover.inSource == mover.inTarget)
      let last = try target(database)
      _ = try last.begin("this move", .random())
      try last.complete(for: "h")
      try last.arrive("this move")
      isMoved.withLock { $0 = true }
      try await run.reopen()
      try await run.go(steps: 30)
    }
  }

  @Test("a code from before the move proves its claim afterwards, and a move keeps even unusual strings")
  func key() async throws {
    let database = try await PostgreSQL.database()
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let source = try SQLiteStore(path: path, cryptography: SodiumAuditCryptography())
      // a database that regd has created and that contains no rows
      let before = try await opened(PostgreSQLStore.Settings(database))
      #expect(source.codeKey != before.codeKey)
      await before.close()
      let claim = ClaimScene.claim(origin: "an\u{0}origin", request: "\"r\\'{}, NULL", language: "pt-BR")
      let mail = ClaimScene.mail(claim)
      #expect(try await source.accounts.add(claim, mail, ClaimScene.stamp(0)) == .added)
      _ = try await source.accounts.guess(
        claim.id, ClaimScene.guess(false), ClaimScene.stamp(1, uid: .max, origin: "\u{0}"))
      _ = try await source.accounts.lease(mail: mail.id)
      var waiting = Fixtures.account("waiting@example.com", state: .waiting)
      waiting.registrant = Registrant(uid: .max, origin: Origin("an\u{0}origin"), language: "pt-BR, es;q=0.5")
      #expect(try await source.accounts.insert(waiting) == .inserted)
      var mover = try mover(path, database, limit: 3)
      while !(try mover.step().isCaughtUp) {}
      let last = try target(database)
      _ = try last.begin("this move", .random())
      try last.complete(for: "h")
      try last.arrive("this move")
      let moved = try await opened(PostgreSQLStore.Settings(database), as: "another")
      #expect(moved.codeKey == source.codeKey)
      #expect(moved.stampKey == source.stampKey)
      #expect(try await moved.find(claim.id, at: Fixtures.time) == source.accounts.find(claim.id, at: Fixtures.time))
      #expect(try await moved.find(mail: mail.id)?.isClaimedElsewhere == true)
      #expect(try await moved.find(waiting.account.id) == waiting)
      // numbers continue after the moved ones
      _ = try await moved.guess(claim.id, ClaimScene.guess(false), ClaimScene.stamp(2))
      #expect(try await moved.prove(claim.id, ClaimScene.account(claim, at: 3), ClaimScene.stamp(3)) == .added)
      await moved.close()
    }
  }

  @Test("a move copies groups and display names, also those that change during the move")
  func groups() async throws {
    let database = try await PostgreSQL.database()
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let source = try SQLiteStore(path: path, cryptography: SodiumAuditCryptography())
      let (staff, choir) = (try #require(GroupName("staff")), try #require(GroupName("choir")))
      var (ann, bob) = (Fixtures.account("ann@example.com"), Fixtures.account("bob@example.com", state: .waiting))
      ann.account.groups = try #require(Groups([staff, choir]))
      bob.account.groups = try #require(Groups([staff]))
      bob.account.displayName = DisplayName(stored: "Bob \u{1F3F3}\u{FE0F}\u{200D}\u{1F308}")
      for account in [ann, bob] { #expect(try await source.accounts.insert(account) == .inserted) }
      var mover = try mover(path, database, limit: 3)
      while !(try mover.step().isCaughtUp) {}
      let stamp = Stamp(Fixtures.time)
      _ = try await source.accounts.changeGroups(of: ann.account.id, adding: [], removing: [choir], stamp)
      _ = try await source.accounts.setDisplayName(
        of: ann.account.id, to: DisplayName(stored: "Ann"), having: nil, stamp)
      while !(try mover.step().isCaughtUp) {}
      #expect(mover.inSource == mover.inTarget)
      let last = try target(database)
      _ = try last.begin("this move", .random())
      try last.complete(for: "h")
      try last.arrive("this move")
      let moved = try await opened(PostgreSQLStore.Settings(database))
      #expect(try await moved.list(after: nil, limit: 9) == source.accounts.list(after: nil, limit: 9))
      #expect(try await moved.audit(after: 0, limit: 99) == source.accounts.audit(after: 0, limit: 99))
      #expect(
        try await moved.groups(after: nil, limit: 9, counting: .max).elements == [CountedGroup(staff, members: 2)])
      #expect(
        try await moved.members(of: staff, after: nil, limit: 9).map(\.account.displayName?.text).sorted {
          ($0 ?? "") < ($1 ?? "")
        } == ["Ann", bob.account.displayName?.text])
      // the new store keeps its index as well
      #expect(try await moved.delete(ann.account.id, stamp) == .deleted)
      #expect(
        try await moved.groups(after: nil, limit: 9, counting: .max).elements == [CountedGroup(staff, members: 1)])
      await moved.close()
      await source.close()
    }
  }

  @Test("an incomplete target opens only for the hold that it was completed for, and continues the audit's numbers")
  func marks() async throws {
    let database = try await PostgreSQL.database()
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let sqlite = try SQLiteStore(path: path, cryptography: SodiumAuditCryptography())
      for number in 0..<5 {
        _ = try await sqlite.accounts.insert(
          Fixtures.account("n\(number)@example.com"), request: RequestKey(uid: 7, id: "\"r\\\(number)'{}, NULL"),
          Stamp(Fixtures.time, by: Requester(uid: 4_000_000_000, pid: 2, origin: Origin("192.0.2.1 \"\\ \u{0}é"))))
      }
      var mover = try mover(path, database, limit: 3)
      while !(try mover.step().isCaughtUp) {}
      func refusal(_ hold: String?) async -> String {
        var schema = Schema()
        schema.hold = hold
        do {
          _ = try await opened(PostgreSQLStore.Settings(database), schema: schema)
          return ""
        } catch {
          return "\(error)"
        }
      }
      #expect(await refusal(nil).contains("a move into this database is not complete"))
      #expect(await refusal("h").contains("has not completed it for this hold"))
      let target = try target(database)
      _ = try target.begin("this move", .random())
      // if two programs continue a move, the one that began earlier is refused
      _ = try await sqlite.accounts.insert(Fixtures.account("late@example.com"), request: nil, Stamp(Fixtures.time))
      #expect(throws: MoveFailure.refused("PostgreSQL: another regctl is continuing this move")) {
        _ = try mover.step()
      }
      mover = try self.mover(path, database, limit: 3)
      while !(try mover.step().isCaughtUp) {}
      let last = try self.target(database)
      _ = try last.begin("this move", .random())
      try last.complete(for: "h")
      #expect(await refusal("another").contains("has not completed it for this hold"))
      #expect(await refusal("h") == "")
      try last.arrive("this move")
      try last.arrive("this move")
      #expect(await refusal("h").contains("no move has completed this database"))
      let store = try await opened(PostgreSQLStore.Settings(database))
      #expect(try await store.list(after: nil, limit: 9) == (try await sqlite.accounts.list(after: nil, limit: 9)))
      #expect(try await store.audit(after: 0, limit: 9) == (try await sqlite.accounts.audit(after: 0, limit: 9)))
      _ = try await store.insert(Fixtures.account("next@example.com"), request: nil, Stamp(Fixtures.time))
      #expect(try await store.audit(after: 6, limit: 9).map(\.number) == [7])
      await store.close()
    }
  }

  @Test(
    "after a move, entries get numbers although another program had added an entry with the last possible number, or a leaf",
    arguments: [("0", nil, 2), ("-5", nil, 1), ("0", "-5", 2)])
  func added(_ leaf: String, _ last: String?, _ size: Int) async throws {
    let database = try await PostgreSQL.database()
    let target = try target(database)
    _ = try target.begin("this move", .random())
    let rows: [(number: String, leaf: String?)] = [("1", leaf), ("\(Int.max)", last)]
    let units = rows.map { number, leaf in
      let entry: [String?] = [
        number, Fixtures.time.rfc3339, "account.registered", "0193c1d6-0000-7000-8000-000000000001",
      ]
      let hashes = leaf.map { _ in String(repeating: "0", count: 64) }
      return MovedUnit(
        MoveKey(.audit, number), [MovedRow(.audit, entry + [String?](repeating: nil, count: 8) + [leaf, hashes])])
    }
    try target.add(units, MoveProgress(position: 0, copying: nil, after: "", audited: .max))
    try target.complete(for: "h")
    try target.arrive("this move")
    let store = try await opened(PostgreSQLStore.Settings(database))
    _ = try await store.insert(Fixtures.account("next@example.com"), request: nil, Stamp(Fixtures.time))
    #expect(try await store.audit(after: 0, limit: 9).map(\.number) == [1, 2, .max])
    #expect(try await store.accounts.auditTree().size == size)
    await store.close()
  }

  @Test("an abandoned move leaves no row, number or key in the target", arguments: 1...2)
  func abandoned(_ seed: Int) async throws {
    let database = try await PostgreSQL.database()
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let source = try SQLiteStore(path: path, cryptography: SodiumAuditCryptography())
      var run = try await ClaimRun(seed: UInt64(seed)) { source.accounts }
      try await run.go(steps: 60)
      var account = Fixtures.account("pending@example.com", state: .pending)
      account.account.groups = try #require(Groups(["staff"].compactMap { GroupName($0) }))
      _ = try await source.accounts.insert(account, request: RequestKey(uid: 7, id: "r"), Stamp(Fixtures.time))
      // created before, by a regd that found the database empty
      let before = try await opened(PostgreSQLStore.Settings(database))
      let late = Fixtures.account("late@example.com")
      var mover = try mover(path, database, limit: 20)
      while !(try mover.step().isCaughtUp) {}
      let refused = await failure { () async throws(StoreFailure) in _ = try await before.insert(late) }
      // a database that is the target of a move accepts no other change
      #expect(refused?.isUnavailable == true, "\(String(describing: refused))")
      await before.close()
      func filled() throws -> Set<String> {
        let tables = try database.query("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return try Set(
          tables.split(separator: "\n").map(String.init).filter {
            try database.query("SELECT count(*) FROM \($0)") != "0"
          })
      }
      let target = try target(database)
      _ = try target.begin("this move", .random())
      try target.complete(for: "h")
      let some = ["account", "request", "delivery", "claim", "mail", "audit", "audit_address", "account_group"]
      #expect(try filled().isSuperset(of: some))
      try target.abandon("this move")
      #expect(try filled() == ["installation", "numbering"])
      #expect(try database.query("SELECT last FROM numbering") == "0")
      #expect(try database.query("SELECT count(*) FROM pg_sequences WHERE last_value IS NOT NULL") == "0")
      let after = try await opened(PostgreSQLStore.Settings(database))
      #expect(after.codeKey != source.codeKey)
      #expect(after.stampKey != source.stampKey)
      #expect(try await after.insert(late) == .inserted)
      #expect(try await after.audit(after: 0, limit: 9).map(\.number) == [1])
      await after.close()
      await source.close()
    }
  }

  @Test("a move refuses a database with accounts, another move's database and a row that PostgreSQL rejects")
  func refused() async throws {
    let (own, other) = (try await PostgreSQL.database(), try await PostgreSQL.database())
    let store = try await opened(PostgreSQLStore.Settings(own))
    _ = try await store.insert(Fixtures.account(), request: nil, Stamp(Fixtures.time))
    await store.close()
    let refused = try target(own)
    #expect { _ = try refused.begin("this move", .random()) } throws: {
      "\($0)".contains("already has accounts or an audit")
    }
    #expect { try refused.abandon("this move") } throws: { "\($0)".contains("is in progress; it was left unchanged") }
    let filled = try target(other)
    _ = try filled.begin("this move", .random())
    #expect { _ = try filled.begin("another", .random()) } throws: {
      "\($0)".contains("another move into this database is in progress")
    }
    let unit = MovedUnit(
      MoveKey(.accounts, "0193c1d6-0000-7000-8000-000000000001"),
      [
        MovedRow(
          .account,
          [
            "0193c1d6-0000-7000-8000-000000000001", "a@b.cc", "a@b.cc", "x", "active", "yesterday", "", nil, nil, nil,
            nil, nil, nil, nil, nil, nil, nil,
          ])
      ])
    #expect { try filled.add([unit], .beginning) } throws: {
      "\($0)".contains(
        "accounts 0193c1d6-0000-7000-8000-000000000001 cannot be stored in PostgreSQL: invalid input syntax")
    }
    // an abandoned target is free for another move
    try filled.abandon("this move")
    try filled.abandon("this move")
    #expect(try filled.begin("another", .random()) == .beginning)
    #expect { _ = try PostgreSQLMoveTarget("postgresql://[") } throws: {
      "\($0)".contains("is not a URL that libpq can read")
    }
  }
}
