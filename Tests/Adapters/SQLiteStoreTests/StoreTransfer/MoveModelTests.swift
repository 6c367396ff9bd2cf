import AddressNormalization
import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Moving: random changes beside a move", .timeLimit(.minutes(10)))
struct MoveModelTests {
  @Test(
    "whatever changes between any two steps, and however often the move is killed, the target gets every row once",
    arguments: [false, true], 1...8)
  func concurrent(_ hasUpstream: Bool, _ seed: Int) async throws {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let served = Mutex(stage.source)
      var random = SeededGenerator(seed: UInt64(seed))
      var run = try await ModelRun(seed: UInt64(seed), rules: rules, hasUpstream: hasUpstream) {
        try SQLiteStore(path: served.withLock { $0 }).accounts
      }
      try await run.go(steps: 10)
      var mover = try stage.mover(limit: 2)
      for _ in 0..<60 {
        if Int.random(in: 0..<3, using: &random) > 0 { _ = try mover.step() }
        if Int.random(in: 0..<3, using: &random) == 0 { try await run.go(steps: 1) }
        // after a kill, the mover knows only the content of its target
        if Int.random(in: 0..<20, using: &random) == 0 { mover = try stage.mover(limit: 2) }
      }
      while !(try mover.step().isCaughtUp) {}
      #expect(mover.inSource == mover.inTarget)
      #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
      try stage.arrive()
      served.withLock { $0 = stage.target }
      // the model continues with the target: uniqueness, requests and the audit are unchanged
      try await run.reopen()
      try await run.go(steps: 20)
    }
  }

  @Test("the source records every change, even without an audit entry")
  func captured() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let store = try SQLiteStore(path: stage.source)
      let (kept, gone) = (Fixtures.account("a@example.com"), Fixtures.account("b@example.com", state: .pending))
      let (first, second) = (RequestKey(uid: 7, id: "one"), RequestKey(uid: 7, id: "two"))
      _ = try await store.insert(kept, request: nil, Stamp(Fixtures.time))
      _ = try await store.insert(gone, request: first, Stamp(Fixtures.time))
      var mover = try stage.catchUp()
      func follow() throws {
        while !(try mover.step().isCaughtUp) {}
        #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
      }
      _ = try await store.confirm(kept.account.id, at: nil)
      try follow()
      _ = try await store.note(try #require(second), for: kept.account.id)
      try follow()
      _ = try await store.release(gone.account.id, seen: Fixtures.time, remembered: true, Stamp(Fixtures.time))
      try follow()
      #expect(try MoveStage.rows(stage.target)[1].count == 1)
      _ = try await store.insert(
        Fixtures.account("b@example.com", state: .pending), request: first, Stamp(Fixtures.time))
      try follow()
      #expect(mover.inTarget[.request].count == 2 && mover.inTarget[.account].count == 2)
      #expect(mover.inTarget[.audit].count == 4 && mover.inTarget[.released].count == 1)
      _ = try await store.delete(kept.account.id, Stamp(Fixtures.time))
      try follow()
      #expect(mover.inTarget[.account].count == 1 && mover.inTarget == mover.inSource)
    }
  }

  @Test("a target lists the same members of groups as the source, also after changes during the move")
  func groups() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let store = try SQLiteStore(path: stage.source)
      let (staff, choir) = (try #require(GroupName("staff")), try #require(GroupName("choir")))
      var (ann, bob) = (Fixtures.account("ann@example.com"), Fixtures.account("bob@example.com", state: .disabled))
      ann.account.groups = try #require(Groups([staff, choir]))
      bob.account.groups = try #require(Groups([staff]))
      bob.account.displayName = DisplayName(stored: "Bob")
      for account in [ann, bob] { #expect(try await store.insert(account) == .inserted) }
      var mover = try stage.catchUp()
      _ = try await store.changeGroups(of: ann.account.id, adding: [], removing: [choir], Stamp(Fixtures.time))
      _ = try await store.setDisplayName(of: bob.account.id, to: nil, having: nil, Stamp(Fixtures.time))
      while !(try mover.step().isCaughtUp) {}
      #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
      func memberships(_ path: String) throws -> [String] {
        try Connection(path: path, busyMilliseconds: 1000).query(
          "SELECT group_name, account_id FROM account_group ORDER BY 1, 2"
        ) { (row) throws(SQLiteFailure) in "\(row.text(0)) \(row.text(1))" }
      }
      #expect(try memberships(stage.target).count == 2)
      #expect(try memberships(stage.target) == memberships(stage.source))
      _ = try await store.delete(ann.account.id, Stamp(Fixtures.time))
      while !(try mover.step().isCaughtUp) {}
      #expect(try memberships(stage.target) == ["staff \(bob.account.id)"])
      try stage.arrive()
      let moved = try SQLiteStore(path: stage.target)
      #expect(try await moved.members(of: staff, after: nil, limit: 9) == store.list(after: nil, limit: 9))
      #expect(
        try await moved.groups(after: nil, limit: 9, counting: .max).elements == [CountedGroup(staff, members: 1)])
      await moved.close()
      await store.close()
    }
  }

  @Test("an address and a request of one account are free for the next one, wherever the steps divide the changes")
  func handedOn() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let store = try SQLiteStore(path: stage.source)
      let request = try #require(RequestKey(uid: 7, id: "one"))
      var owner = Fixtures.account("a@example.com", state: .pending)
      _ = try await store.insert(owner, request: request, Stamp(Fixtures.time))
      var mover = try stage.mover(limit: 1)
      while !(try mover.step().isCaughtUp) {}
      for _ in 0..<3 {
        _ = try await store.release(owner.account.id, seen: Fixtures.time, remembered: true, Stamp(Fixtures.time))
        let former = owner
        owner = Fixtures.account("a@example.com", state: .pending)
        _ = try await store.insert(owner, request: request, Stamp(Fixtures.time))
        // the former owner is recorded after the next one
        _ = try await store.importing([Fixtures.account("\(former.account.id)@example.com")], Stamp(Fixtures.time))
      }
      while !(try mover.step().isCaughtUp) {}
      #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
    }
  }
}
