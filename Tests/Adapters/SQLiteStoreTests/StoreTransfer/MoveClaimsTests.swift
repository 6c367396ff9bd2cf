import Registration
import StoreConformance
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Moving: claims, mails and the audit's addresses", .timeLimit(.minutes(10)))
struct MoveClaimsTests {
  @Test("a move copies all claims, mails and audit addresses, whatever changes between any two steps", arguments: 1...3)
  func concurrent(_ seed: Int) async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let served = Mutex(stage.source)
      var random = SeededGenerator(seed: UInt64(seed))
      var run = try await ClaimRun(seed: UInt64(seed)) { try SQLiteStore(path: served.withLock { $0 }).accounts }
      try await run.go(steps: 30)
      var mover = try stage.mover(limit: 2)
      for _ in 0..<60 {
        if Int.random(in: 0..<3, using: &random) > 0 { _ = try mover.step() }
        if Int.random(in: 0..<2, using: &random) == 0 { try await run.go(steps: 1) }
        // after a kill, the mover knows only the content of its target
        if Int.random(in: 0..<20, using: &random) == 0 { mover = try stage.mover(limit: 2) }
      }
      while !(try mover.step().isCaughtUp) {}
      #expect(mover.inSource == mover.inTarget)
      #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
      try stage.arrive()
      served.withLock { $0 = stage.target }
      try await run.reopen()
      try await run.go(steps: 30)
    }
  }

  @Test("the source records every change of these tables, even without an audit entry, and every removal")
  func captured() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let store = try SQLiteStore(path: stage.source)
      let owner = Fixtures.account(ClaimScene.address)
      let claim = ClaimScene.claim(of: owner.account.id, origin: "an\u{0}origin", request: "one")
      let mail = ClaimScene.mail(claim)
      var mover = try stage.catchUp()
      func follow(_ table: MovedTable, _ count: Int) throws {
        while !(try mover.step().isCaughtUp) {}
        #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
        #expect(mover.inTarget[table].count == count, "\(table)")
      }
      #expect(try await store.add(claim, mail, ClaimScene.stamp(0)) == .added)
      try follow(.claim, 1)
      try follow(.mail, 1)
      try follow(.mailAsk, 1)
      _ = try await store.guess(claim.id, ClaimScene.guess(false), ClaimScene.stamp(1))
      try follow(.wrongCode, 1)
      var next = claim
      (next.generation, next.resendAt) = (2, ClaimScene.time(99))
      #expect(try await store.renew(next, seen: claim, nil, ClaimScene.stamp(2)))
      try follow(.claim, 1)
      _ = try await store.lease(mail: mail.id)
      try follow(.mail, 1)
      #expect(try await store.putOff(mail: StoredMail(mail, attempts: 1, reason: "451", next: ClaimScene.time(9))))
      try follow(.mail, 1)
      #expect(try await store.end(mail: mail.id, .refused, reason: "550"))
      try follow(.mail, 1)
      _ = try await store.insert(owner)
      try follow(.auditAddress, 1)
      _ = try await store.delete(owner.account.id, ClaimScene.stamp(5))
      try follow(.auditAddress, 2)
      try follow(.claim, 0)
      // counted mails and wrong codes are kept for their time
      try follow(.wrongCode, 1)
      try follow(.mailAsk, 1)
      #expect(try await !store.sweep(at: ClaimScene.time(6), addressesBefore: ClaimScene.time(6), limit: 9))
      try follow(.auditAddress, 0)
      try follow(.audit, 2)
      let later = ClaimScene.time(1).advanced(by: CodeBounds.span)
      #expect(try await !store.sweep(at: later, addressesBefore: later, limit: 9))
      try follow(.wrongCode, 0)
      try follow(.mailAsk, 0)
    }
  }

  @Test("a move copies the code key and the stamp key, whatever the target had, so a claim from before is provable")
  func key() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let source = try SQLiteStore(path: stage.source)
      // a database that regd has created and that contains no rows
      let target = try SQLiteStore(path: stage.target)
      #expect(source.codeKey != target.codeKey)
      let another = target.codeKey
      await target.close()
      let claim = ClaimScene.claim()
      #expect(try await source.add(claim, ClaimScene.mail(claim), ClaimScene.stamp(0)) == .added)
      try stage.catchUp()
      try stage.arrive()
      let moved = try SQLiteStore(path: stage.target)
      #expect(moved.codeKey == source.codeKey)
      #expect(moved.stampKey == source.stampKey)
      #expect(moved.codeKey != another)
      #expect(
        try await moved.prove(claim.id, ClaimScene.account(claim, at: 1), ClaimScene.stamp(1)) == .added)
    }
  }
}
