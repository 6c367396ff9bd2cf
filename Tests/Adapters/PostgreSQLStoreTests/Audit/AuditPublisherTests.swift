import Registration
import Synchronization
import TestDoubles
import Testing

@testable import PostgreSQLStore

@Suite("The publisher of audit entries")
struct AuditPublisherTests {
  /// One entry about a new account.
  private func entries() -> NewEntries {
    var entries = NewEntries()
    entries.note(AuditEntry.Draft(.registered, Fixtures.account().account, ClaimCase.stamp()))
    return entries
  }

  @Test("the observer receives no entry that was forgotten or has no number, and each other entry once")
  func once() {
    let told = Told()
    let publisher = AuditPublisher { told.note($0) }
    publisher.owe(1, entries(), "regd")
    publisher.forget(1)
    #expect(!publisher.done(1, first: 1))
    publisher.owe(2, entries(), "regd")
    #expect(publisher.done(2, first: nil))
    #expect(publisher.isOwing)
    publisher.publish([(turn: 2, first: 5), (turn: 3, first: 6)])
    publisher.publish([(turn: 2, first: 5)])
    #expect(told.entries.map(\.number) == [5])
    publisher.owe(4, entries(), "regd")
    publisher.forgetAll()
    #expect(!publisher.isOwing)
    #expect(told.entries.count == 1)
  }

  @Test("while the observer is called, other changes neither wait for it nor overtake it")
  func outsideTheLock() {
    let told = Told()
    let shared = Mutex<AuditPublisher?>(nil)
    let publisher = AuditPublisher { entry in
      // what another thread does meanwhile
      if entry.number == 1, let publisher = shared.withLock({ $0 }) {
        publisher.owe(2, entries(), "regd")
        #expect(!publisher.done(2, first: 2))
        #expect(told.entries.isEmpty)
        #expect(publisher.isOwing)
      }
      told.note(entry)
    }
    shared.withLock { $0 = publisher }
    publisher.owe(1, entries(), "regd")
    #expect(!publisher.done(1, first: 1))
    #expect(told.entries.map(\.number) == [1, 2])
    #expect(!publisher.isOwing)
    shared.withLock { $0 = nil }
  }
}
