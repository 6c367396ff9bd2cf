import Registration
import Synchronization
import TestDoubles
import Testing

@testable import PostgreSQLStore

@Suite("Telling")
struct TellingTests {
  /// One entry about a new account.
  private func entries() -> NewEntries {
    var entries = NewEntries()
    entries.note(AuditEntry.Draft(.registered, Fixtures.account().account, ClaimCase.stamp()))
    return entries
  }

  @Test("the observer receives no entry that was forgotten or has no number, and each other entry once")
  func once() {
    let told = Told()
    let telling = Telling { told.note($0) }
    telling.owe(1, entries(), "regd")
    telling.forget(1)
    #expect(!telling.done(1, first: 1))
    telling.owe(2, entries(), "regd")
    #expect(telling.done(2, first: nil))
    #expect(telling.isOwing)
    telling.tell([(turn: 2, first: 5), (turn: 3, first: 6)])
    telling.tell([(turn: 2, first: 5)])
    #expect(told.entries.map(\.number) == [5])
    telling.owe(4, entries(), "regd")
    telling.forgetAll()
    #expect(!telling.isOwing)
    #expect(told.entries.count == 1)
  }

  @Test("while the observer is called, other changes neither wait for it nor overtake it")
  func outsideTheLock() {
    let told = Told()
    let shared = Mutex<Telling?>(nil)
    let telling = Telling { entry in
      // what another thread does meanwhile
      if entry.number == 1, let telling = shared.withLock({ $0 }) {
        telling.owe(2, entries(), "regd")
        #expect(!telling.done(2, first: 2))
        #expect(told.entries.isEmpty)
        #expect(telling.isOwing)
      }
      told.note(entry)
    }
    shared.withLock { $0 = telling }
    telling.owe(1, entries(), "regd")
    #expect(!telling.done(1, first: 1))
    #expect(told.entries.map(\.number) == [1, 2])
    #expect(!telling.isOwing)
    shared.withLock { $0 = nil }
  }
}
