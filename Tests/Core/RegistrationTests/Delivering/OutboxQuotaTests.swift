import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("The quota of the outbox")
struct OutboxQuotaTests {
  private typealias Subject = OutboxTests.Subject

  private static let busy = RegistrationOutcome.obstructed(.network(.congested(retryAfterSeconds: 60)))

  private func subject() -> Subject {
    Subject(Array(repeating: .fails(.offline), count: 20), defers: true)
  }

  /// Leaves as many registrations of the user in the outbox as it admits of a user without origins.
  ///
  /// - Returns: The id of the last one.
  @discardableResult
  private func fill(_ subject: Subject, uid: UInt32) -> AccountID {
    var last = AccountID(at: Fixtures.time)
    for _ in 0...PendingBounds.all / 3 {
      last = AccountID(at: Fixtures.time)
      subject.pendings.add(.init(id: last, share: Share(uid: uid), failure: .offline))
    }
    take(subject)
    return last
  }

  /// Lets the outbox take what was left pending.
  private func take(_ subject: Subject) {
    let deliverer = subject.outbox.deliverer
    deliverer.plan.withLock { _ = deliverer.take(&$0, at: .now) }
  }

  private func register(
    _ subject: Subject, _ email: String, request: RequestKey? = nil, uid: UInt32, origin: String? = nil
  ) async -> RegistrationOutcome {
    let password = Fixtures.password("a fine phrase")
    return await subject.registrar.register(
      RegistrationEntry(email: email, password: password, passwordConfirmation: password), request: request,
      by: Requester(uid: uid, pid: 1, origin: origin.flatMap { Origin($0) }))
  }

  private func isDeferred(_ outcome: RegistrationOutcome) -> Bool {
    if case .deferred = outcome { true } else { false }
  }

  @Test("if a user's quota is full, new registrations of that user are refused, and those of others are deferred")
  func full() async throws {
    let subject = subject()
    let last = fill(subject, uid: 7)
    #expect(await register(subject, "a@example.com", uid: 7) == Self.busy)
    #expect(try await subject.store.find(EmailKey("a@example.com")) == nil)
    #expect(await subject.upstream.registrations.isEmpty)
    #expect(isDeferred(await register(subject, "b@example.com", uid: 8)))
    #expect(isDeferred(await register(subject, "o@example.com", uid: 7, origin: "o")), "another origin")
    // one of the user's registrations has been delivered
    subject.outbox.deliverer.forget(last)
    #expect(isDeferred(await register(subject, "a@example.com", uid: 7)))
  }

  @Test("a repeat of a registration that waits is not refused, however many wait")
  func repeated() async throws {
    let subject = subject()
    let request = try #require(RequestKey(uid: 7, id: "r"))
    #expect(isDeferred(await register(subject, "a@example.com", request: request, uid: 7)))
    #expect(isDeferred(await register(subject, "b@example.com", uid: 7)))
    fill(subject, uid: 7)
    #expect(await register(subject, "c@example.com", uid: 7) == Self.busy)
    #expect(isDeferred(await register(subject, "a@example.com", request: request, uid: 7)))
    #expect(isDeferred(await register(subject, "b@example.com", uid: 7)))
  }

  @Test("a user is admitted although other users, with many origins, have filled the outbox")
  func crowded() async throws {
    let subject = subject()
    for number in 0..<PendingBounds.all {
      let share = Share(uid: 100 + UInt32(number % 5), origin: Origin("o\(number)"))
      subject.pendings.tally.replace(nil, by: share)
    }
    #expect(await register(subject, "a@example.com", uid: 100) == Self.busy)
    #expect(await register(subject, "a@example.com", uid: 100, origin: "new") == Self.busy)
    #expect(isDeferred(await register(subject, "b@example.com", uid: 7)))
    #expect(isDeferred(await register(subject, "c@example.com", uid: 7, origin: "o")))
  }

  @Test("accounts that were imported as pending use up no user's room")
  func imported() async throws {
    let subject = subject()
    let accounts = (0..<3).map { Fixtures.account("i\($0)@example.com", state: .pending) }
    #expect(try await subject.store.importing(accounts, Stamp(Fixtures.time)).allSatisfy { $0 == .imported })
    try await subject.outbox.look()
    #expect(subject.outbox.waiting == 3)
    #expect(subject.pendings.tally.counts(of: Share(uid: 7)) == .init(ofAll: 0, ofUser: 0, ofOrigin: 0))
    #expect(isDeferred(await register(subject, "a@example.com", uid: 7)))
    take(subject)
    #expect(subject.pendings.tally.counts(of: Share(uid: 7)) == .init(ofAll: 1, ofUser: 1, ofOrigin: 1))
  }

  @Test("waiting registrations count for the share that made them, also after a reading of the store")
  func counted() async throws {
    let subject = subject()
    for (name, origin) in [("a", "o"), ("b", "o"), ("c", "p")] {
      #expect(isDeferred(await register(subject, "\(name)@example.com", uid: 7, origin: origin)))
    }
    #expect(isDeferred(await register(subject, "d@example.com", uid: 8)))
    let tally = subject.pendings.tally
    func check() {
      #expect(tally.counts(of: Share(uid: 7, origin: Origin("o"))) == .init(ofAll: 4, ofUser: 3, ofOrigin: 2))
      #expect(tally.counts(of: Share(uid: 8)) == .init(ofAll: 4, ofUser: 1, ofOrigin: 1))
    }
    take(subject)
    check()
    try await subject.outbox.look()
    check()
    // another process knows them from the store alone
    let other = Outbox(subject.registrar, breaker: nil, pendings: OutboxInbox())
    try await other.look()
    #expect(other.deliverer.inbox.tally.counts(of: Share(uid: 7)) == .init(ofAll: 4, ofUser: 3, ofOrigin: 0))
    await subject.upstream.conducts([])
    _ = await subject.outbox.round(at: Subject.later)
    #expect(tally.counts(of: Share(uid: 7)) == .init(ofAll: 0, ofUser: 0, ofOrigin: 0))
  }
}
