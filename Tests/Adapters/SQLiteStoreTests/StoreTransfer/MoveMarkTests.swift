import Registration
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Moving: when a regd may open the source or the target", .timeLimit(.minutes(10)))
struct MoveMarkTests {
  private func refusal(of path: String, completedFor hold: String? = nil) -> String {
    do {
      _ = try SQLiteStore(path: path, completedFor: hold)
      return ""
    } catch {
      guard case .unavailable(let detail) = error else { return "\(error)" }
      return detail
    }
  }

  @Test(
    "an incomplete target opens only for the hold that it was completed for, and for every regd once it has arrived")
  func target() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      _ = try await SQLiteStore(path: stage.source).insert(Fixtures.account())
      #expect(refusal(of: stage.source, completedFor: "h").contains("no move has completed this database"))
      try stage.catchUp()
      #expect(refusal(of: stage.target).contains("is not complete: finish it with regctl move"))
      #expect(refusal(of: stage.target, completedFor: "h").contains("has not completed it for this hold"))
      let target = try SQLiteMoveTarget(stage.target, source: stage.source)
      _ = try target.begin("this move", .random())
      try target.complete(for: "h")
      #expect(refusal(of: stage.target).contains("is not complete"))
      #expect(refusal(of: stage.target, completedFor: "another").contains("has not completed it for this hold"))
      #expect(refusal(of: stage.target, completedFor: "h") == "")
      // continuing the move revokes this, because the hold may have ended
      _ = try target.begin("this move", .random())
      #expect(refusal(of: stage.target, completedFor: "h").contains("has not completed it for this hold"))
      try target.arrive("this move")
      try target.arrive("this move")
      #expect(refusal(of: stage.target) == "")
      #expect(try await SQLiteStore(path: stage.target).list(after: nil, limit: 9).count == 1)
    }
  }

  @Test("a database that was moved away does not open, and refuses changes through a store that still has it open")
  func source() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let store = try SQLiteStore(path: stage.source)
      let account = Fixtures.account()
      _ = try await store.insert(account)
      #expect(try stage.leave(stage.catchUp().caughtUp))
      let words = "it was moved to postgresql on 1970-01-01T00:00:00.000000Z, where its accounts are"
      #expect(refusal(of: stage.source).contains(words))
      #expect(try SQLiteMoveSource.state(of: stage.source) == .left(move: "this move", target: "postgresql"))
      #expect(moveFailure { _ = try stage.mover() }?.description.contains(words) ?? false)
      for change in [
        { _ = try await store.insert(Fixtures.account("b@example.com")) },
        { _ = try await store.delete(account.account.id, Stamp(Fixtures.time)) },
        { _ = try await store.confirm(account.account.id, at: nil) },
      ] as [() async throws -> Void] {
        await #expect { try await change() } throws: {
          "\($0)".contains("the accounts were moved to another store")
        }
      }
      // look-ups that were in progress at the mark return the state before it
      #expect(try await store.find(account.account.id) == account)
      for look in [
        { try await store.check() }, { _ = try await store.find(account.account.id) },
        { _ = try await store.list(after: nil, limit: 9) },
      ] as [() async throws -> Void] {
        await #expect { try await look() } throws: { "\($0)".contains(words) }
      }
      // a source that was left already cannot be left for another target
      #expect { try stage.leave(MoveArrival("this move", position: 99, audited: 99)) } throws: {
        "\($0)".contains(words)
      }
    }
  }

  @Test(
    "a source that another regd changed after the last step is not marked, and no change succeeds after the mark"
  )
  func shared() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let (one, other) = (try SQLiteStore(path: stage.source), try SQLiteStore(path: stage.source))
      let accounts = (1...4).map { Fixtures.account("n\($0)@example.com") }
      _ = try await one.insert(accounts[0])
      var mover = try stage.mover()
      while !(try mover.step().isCaughtUp) {}
      _ = try await other.insert(accounts[1])
      #expect(try !stage.leave(mover.caughtUp), "an account")
      _ = try await one.insert(accounts[2])
      while !(try mover.step().isCaughtUp) {}
      // a change that only the audit records
      try stage.write(
        "INSERT INTO audit (at, change, account_id) SELECT at, change, account_id FROM audit LIMIT 1", to: stage.source)
      #expect(try !stage.leave(mover.caughtUp), "an entry of the audit")
      while !(try mover.step().isCaughtUp) {}
      #expect(try stage.leave(mover.caughtUp))
      await #expect { _ = try await other.insert(accounts[3]) } throws: {
        "\($0)".contains("the accounts were moved to another store")
      }
      try stage.arrive()
      let moved = try await SQLiteStore(path: stage.target).list(after: nil, limit: 9)
      #expect(Set(moved.map(\.account.id)) == Set(accounts.prefix(3).map(\.account.id)))
    }
  }

  @Test("the target has every change that a regd acknowledged while it registered without a pause", arguments: 1...3)
  func underLoad(_ round: Int) async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let other = try SQLiteStore(path: stage.source)
      try await withThrowingTaskGroup(of: [AccountID].self) { group in
        group.addTask {
          var acknowledged: [AccountID] = []
          for number in 0..<(100 * round) {
            let account = Fixtures.account("n\(number)@example.com")
            guard (try? await other.insert(account)) == .inserted else { break }
            acknowledged.append(account.account.id)
          }
          return acknowledged
        }
        var mover = try stage.mover(limit: 50)
        repeat {
          while !(try mover.step().isCaughtUp) {}
        } while try !stage.leave(mover.caughtUp)
        try stage.arrive()
        let acknowledged = try await group.next() ?? []
        let moved = try await SQLiteStore(path: stage.target).list(after: nil, limit: 1000)
        #expect(Set(moved.map(\.account.id)) == Set(acknowledged))
      }
    }
  }

  @Test("a move that was ended cannot mark its source as moved")
  func ended() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      _ = try await SQLiteStore(path: stage.source).insert(Fixtures.account())
      let caughtUp = try stage.catchUp().caughtUp
      try SQLiteMoveSource.abandon(stage.source)
      #expect { try stage.leave(caughtUp) } throws: { "\($0)".contains("the move from it has ended") }
    }
  }

  @Test("an unused source is marked only if it is unchanged and no other program has it open")
  func unused() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let time = Timestamp(microseconds: 0)
      let store = try SQLiteStore(path: stage.source)
      _ = try await store.insert(Fixtures.account())
      let before = try stage.catchUp().caughtUp
      let inUse = moveFailure {
        _ = try SQLiteLeaving.leaveUnused(stage.source, for: "t", at: time, caughtUp: before)
      }
      #expect(inUse?.description.contains("is open in another program") ?? false, "\(String(describing: inUse))")
      _ = try await store.confirm(try #require(try await store.list(after: nil, limit: 1).first).account.id, at: nil)
      await store.close()
      #expect(try !SQLiteLeaving.leaveUnused(stage.source, for: "t", at: time, caughtUp: before))
      #expect(refusal(of: stage.source) == "")
      let after = try stage.catchUp().caughtUp
      #expect(try SQLiteLeaving.leaveUnused(stage.source, for: "t", at: time, caughtUp: after))
      #expect(refusal(of: stage.source).contains("it was moved to t"))
    }
  }

  @Test("an abandoned move leaves no trace, and another move may begin")
  func abandoned() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let store = try SQLiteStore(path: stage.source)
      _ = try await store.insert(Fixtures.account())
      let schema = try shape(stage.source)
      try stage.catchUp()
      #expect(try SQLiteMoveSource.state(of: stage.source) == .moving("this move"))
      #expect(moveFailure { try SQLiteMoveTarget(stage.target, source: stage.source).abandon("another") } != nil)
      for _ in 0..<2 {
        try SQLiteMoveTarget(stage.target, source: stage.source).abandon("this move")
        try SQLiteMoveSource.abandon(stage.source)
      }
      #expect(try shape(stage.source) == schema)
      #expect(try SQLiteMoveSource.state(of: stage.source) == .settled)
      _ = try await store.insert(Fixtures.account("b@example.com"))
      #expect(try stage.catchUp().inTarget[.account].count == 2)
      try stage.arrive()
      // a target that has arrived is a store, and the move may no longer remove it
      #expect(moveFailure { try SQLiteMoveTarget(stage.target, source: stage.source).abandon("this move") } != nil)
    }
  }

  @Test("regctl does not continue a move of another version of regctl, but can abandon it")
  func otherVersion() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      _ = try await SQLiteStore(path: stage.source).insert(Fixtures.account())
      try stage.catchUp()
      try stage.write("DROP TRIGGER move_account_update", to: stage.source)
      #expect(moveFailure { try stage.catchUp() }?.description.contains("another version of regctl") ?? false)
      #expect(try SQLiteMoveSource.state(of: stage.source) == .moving("this move"))
      try SQLiteMoveTarget(stage.target, source: stage.source).abandon("this move")
      try SQLiteMoveSource.abandon(stage.source)
      #expect(try stage.catchUp().inTarget[.account].count == 1)
    }
  }

  private func shape(_ path: String) throws -> [String] {
    try Connection(path: path, busyMilliseconds: 1000).query("SELECT name FROM sqlite_schema ORDER BY name") {
      (row) throws(SQLiteFailure) in row.text(0)
    }
  }
}
