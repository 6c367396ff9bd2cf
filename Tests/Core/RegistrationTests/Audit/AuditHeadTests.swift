import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Heads of the audit")
struct AuditHeadTests {
  private let time = MovedTime()
  private let store = MemoryStore()

  private func auditor(_ store: Accounts) -> Auditor { Auditor(store: store, time: time, key: { nil }) }

  @Test("the store remembers when a head was last read, to the minute, also after the clock was set back")
  func remembered() async throws {
    let notes = Notes()
    let noted = auditor(store.accounts.with(notes))
    #expect(try await store.accounts.auditState() == AuditState(size: 0, headAt: nil))
    for (pass, isNoted) in [(0, true), (59, false), (1, true), (1, false), (-61, true), (30, false)] {
      time.pass(.seconds(pass))
      let before = notes.count
      #expect(try await noted.head().time == time.now())
      #expect(notes.count == before + (isNoted ? 1 : 0), "after \(pass) s")
      if isNoted { #expect(try await store.accounts.auditState().headAt == time.now(), "after \(pass) s") }
    }
  }

  @Test("a head is returned even if the store cannot remember its time")
  func forgotten() async throws {
    _ = try await store.insert(Fixtures.account())
    for failing in 2...3 {
      let faulty = FaultyStore(store, failing: failing)
      #expect(try await auditor(faulty.accounts).head().size == 1)
      #expect(faulty.hasFailed)
      #expect(try await store.accounts.auditState() == AuditState(size: 1, headAt: nil))
    }
    await #expect(throws: StoreFailure.full) { try await auditor(FaultyStore(store, failing: 1).accounts).head() }
  }
}

/// Counts how often the time of a head was recorded.
private final class Notes: StoreHook {
  private let noted = Mutex(0)

  var count: Int { noted.withLock { $0 } }

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    if call.operation == .noteAuditHead { noted.withLock { $0 += 1 } }
    return try await proceed()
  }
}
