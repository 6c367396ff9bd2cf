import TestDoubles
import Testing

@testable import Registration

@Suite("Changes of known clients between two writes of their file")
struct ClientChangeTests {
  private func key(account: UInt64, uid: UInt32, origin: UInt64? = nil) -> SignInAttempt.Key {
    SignInAttempt.Key(
      account: account, client: SignInAttempt.ShareHash(number: origin ?? 0, uid: uid, hasOrigin: origin != nil))
  }

  @Test("ten thousand origins of one user that sign in to one account cause no more changes than it can have clients")
  func oneAccount() {
    var changes = ClientChanges()
    for origin in 0..<10_000 { changes.note(known: key(account: 1, uid: 1, origin: UInt64(origin))) }
    #expect(changes.take().count == KnownClients.perAccount)
    let owner = key(account: 2, uid: 1, origin: 10_000)
    changes.note(known: owner)
    #expect(changes.take() == [.client(owner)])
  }

  @Test("taken changes still count, so that a caller cannot continue after each write")
  func taken() {
    var changes = ClientChanges()
    var count = 0
    for origin in 0..<100 {
      changes.note(known: key(account: 1, uid: 1, origin: UInt64(origin)))
      count += changes.take().count
    }
    #expect(count == KnownClients.perAccount)
  }

  @Test("however many origins, accounts and users sign in, another user's change is noted")
  func users() {
    var changes = ClientChanges()
    var counts: [Int] = []
    for uid in 0..<8 as Range<UInt32> {
      for number in 0..<10_000 as Range<UInt64> {
        changes.note(known: key(account: UInt64(uid) << 32 | number, uid: uid, origin: number))
      }
      counts.append(changes.take().count)
    }
    #expect(counts.first == ClientChanges.most / 2)
    #expect(counts.reduce(0, +) <= ClientChanges.most)
    let owner = key(account: .max, uid: 1000)
    changes.note(known: owner)
    #expect(changes.take() == [.client(owner)])
  }

  @Test("an origin that signs in to many accounts leaves half of its user's quota to the user's other origins")
  func origins() {
    var changes = ClientChanges()
    for number in 0..<10_000 as Range<UInt64> { changes.note(known: key(account: number, uid: 1, origin: 1)) }
    #expect(changes.take().count == ClientChanges.most / 4)
    for number in 0..<2000 as Range<UInt64> { changes.note(known: key(account: number, uid: 1, origin: 2 + number)) }
    #expect(changes.take().count == 2000)
  }

  @Test("an account whose clients were forgotten gets a new quota, and forgetting is limited in total")
  func forgotten() {
    var changes = ClientChanges()
    for origin in 0..<100 as Range<UInt64> { changes.note(known: key(account: 1, uid: 1, origin: origin)) }
    _ = changes.take()
    changes.note(forgotten: 1)
    let owner = key(account: 1, uid: 1, origin: 100)
    changes.note(known: owner)
    #expect(changes.take() == [.forgotten(account: 1), .client(owner)])
    for _ in 0..<ClientChanges.mostForgotten { changes.note(forgotten: 1) }
    #expect(changes.take().count < ClientChanges.mostForgotten)
  }

  @Test("forgotten accounts do not use up the quota of a user who signs in, or the other way round")
  func separate() {
    var changes = ClientChanges()
    for account in 0..<UInt64(ClientChanges.mostForgotten) + 10 { changes.note(forgotten: account) }
    #expect(changes.take().count == ClientChanges.mostForgotten)
    let (removed, owner) = (key(account: 1, uid: 2), key(account: 1, uid: 1))
    changes.note(known: owner, insteadOf: removed)
    #expect(changes.take() == [.client(removed), .client(owner)])
    changes = ClientChanges()
    for uid in 0..<20 as Range<UInt32> {
      for number in 0..<10_000 as Range<UInt64> {
        changes.note(known: key(account: UInt64(uid) << 32 | number, uid: uid, origin: number))
      }
    }
    _ = changes.take()
    changes.note(gone: removed)
    changes.note(forgotten: 1)
    #expect(changes.take() == [.client(removed), .forgotten(account: 1)])
  }

  @Test("a new client wakes the task that keeps clients, and a known one does not", .timeLimit(.minutes(1)))
  func waking() async {
    let signIns = SignInGuard(ThrottledDoor().throttle) { .zero }
    func remember(_ uid: UInt32) {
      let attempt = signIns.attempt(account: "owner", share: Share(uid: uid), password: Fixtures.password("right"))
      signIns.remember(attempt, of: nil)
    }
    for uid in 1...2 as ClosedRange<UInt32> {
      remember(uid)
      // Without the signal, the wait would last longer than the test may.
      await signIns.waitForChangeOfClients(atMost: .seconds(3600))
      #expect(signIns.takeChangesOfClients()?.changes.count == 1)
      remember(uid)
      #expect(signIns.takeChangesOfClients() == nil)
    }
  }
}
