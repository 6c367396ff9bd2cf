import TestDoubles
import Testing

@testable import Registration

@Suite("Changes of known clients between two writes of their file")
struct PlaceChangeTests {
  private func key(account: UInt64, uid: UInt32, origin: UInt64? = nil) -> SignInAttempt.Key {
    SignInAttempt.Key(
      account: account, place: SignInAttempt.ShareHash(number: origin ?? 0, uid: uid, hasOrigin: origin != nil))
  }

  @Test("ten thousand origins of one user that sign in to one account cause no more changes than it can have clients")
  func oneAccount() {
    var changes = PlaceChanges()
    for origin in 0..<10_000 { changes.note(known: key(account: 1, uid: 1, origin: UInt64(origin))) }
    #expect(changes.take().count == KnownClients.perAccount)
    let owner = key(account: 2, uid: 1, origin: 10_000)
    changes.note(known: owner)
    #expect(changes.take() == [.known(owner)])
  }

  @Test("taken changes still count, so that a caller cannot continue after each write")
  func taken() {
    var changes = PlaceChanges()
    var count = 0
    for origin in 0..<100 {
      changes.note(known: key(account: 1, uid: 1, origin: UInt64(origin)))
      count += changes.take().count
    }
    #expect(count == KnownClients.perAccount)
  }

  @Test("however many origins, accounts and users sign in, another user's change is noted")
  func users() {
    var changes = PlaceChanges()
    var counts: [Int] = []
    for uid in 0..<8 as Range<UInt32> {
      for number in 0..<10_000 as Range<UInt64> {
        changes.note(known: key(account: UInt64(uid) << 32 | number, uid: uid, origin: number))
      }
      counts.append(changes.take().count)
    }
    #expect(counts.first == PlaceChanges.most / 2)
    #expect(counts.reduce(0, +) <= PlaceChanges.most)
    let owner = key(account: .max, uid: 1000)
    changes.note(known: owner)
    #expect(changes.take() == [.known(owner)])
  }

  @Test("an origin that signs in to many accounts leaves half of its user's quota to the user's other origins")
  func origins() {
    var changes = PlaceChanges()
    for number in 0..<10_000 as Range<UInt64> { changes.note(known: key(account: number, uid: 1, origin: 1)) }
    #expect(changes.take().count == PlaceChanges.most / 4)
    for number in 0..<2000 as Range<UInt64> { changes.note(known: key(account: number, uid: 1, origin: 2 + number)) }
    #expect(changes.take().count == 2000)
  }

  @Test("an account whose clients were forgotten gets a new quota, and forgetting is limited in total")
  func forgotten() {
    var changes = PlaceChanges()
    for origin in 0..<100 as Range<UInt64> { changes.note(known: key(account: 1, uid: 1, origin: origin)) }
    _ = changes.take()
    changes.note(forgotten: 1)
    let owner = key(account: 1, uid: 1, origin: 100)
    changes.note(known: owner)
    #expect(changes.take() == [.forgotten(account: 1), .known(owner)])
    for _ in 0..<PlaceChanges.most { changes.note(forgotten: 1) }
    #expect(changes.take().count < PlaceChanges.most)
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
      await signIns.waitForChangeOfPlaces(atMost: .seconds(3600))
      #expect(signIns.takeChangesOfPlaces()?.changes.count == 1)
      remember(uid)
      #expect(signIns.takeChangesOfPlaces() == nil)
    }
  }
}
