import Registration
import TestDoubles
import Testing

/// Dialogues of an attempt that is not the first one: repeated requests, joined attempts, and reservations that another
/// process has changed meanwhile.
@Suite("Registration conductor in a repeat")
struct RepeatedRegistrationTests {
  private typealias Event = RegistrationConductor.Event

  private let email = Fixtures.account("new@example.com").account.email
  private let hash = PasswordHash(phc: "hash")
  private let right = RegistrationConductor.Event.verified(.right(isOutdated: false))

  private func request() throws -> RequestKey { try #require(RequestKey(uid: 7, id: "one")) }

  private func conductor(upstream: Bool, request: RequestKey?) -> RegistrationConductor {
    RegistrationConductor(email: email, hasUpstream: upstream, now: Fixtures.time, request: request)
  }

  private func holder(_ state: Account.State) -> StoredAccount { Fixtures.account("new@example.com", state: state) }

  private func known(_ stored: StoredAccount) -> KnownRequest {
    KnownRequest(account: stored.account, passwordHash: stored.passwordHash)
  }

  // MARK: Looking again

  @Test(
    "an attempt that finds an account at the second look searches for its request once more",
    arguments: [Account.State.active, .disabled])
  func lookingAgain(_ state: Account.State) throws {
    let request = try request()
    let holder = holder(state)
    for atInsertion in [false, true] {
      var looking = conductor(upstream: false, request: request)
      _ = looking.next(.foundRequest(nil))
      if atInsertion {
        _ = looking.next(.found(nil))
        _ = looking.next(.hashed(hash))
        #expect(looking.next(.inserted(.taken(holder))) == .findRequest(request))
      } else {
        #expect(looking.next(.found(holder)) == .findRequest(request))
      }
      // another caller's account
      var taken = looking
      #expect(taken.next(.foundRequest(nil)) == .finish(.taken))
      // the request has made the account between the two looks
      #expect(looking.next(.foundRequest(known(holder))) == .verify(holder.passwordHash, of: .request))
      var wrong = looking
      #expect(wrong.next(.verified(.wrong)) == .finish(.conflict))
      #expect(looking.next(right) == .finish(.registered(holder.account)))
    }
  }

  @Test("if the request found at the second look has made another account, the attempt fails with a conflict")
  func lookingAgainElsewhere() throws {
    var looking = conductor(upstream: false, request: try request())
    _ = looking.next(.foundRequest(nil))
    _ = looking.next(.found(holder(.active)))
    #expect(looking.next(.foundRequest(known(Fixtures.account("other@example.com")))) == .finish(.conflict))
  }

  @Test("without a request there is no second look")
  func noSecondLook() {
    var looking = conductor(upstream: false, request: nil)
    #expect(looking.next(.found(holder(.active))) == .finish(.taken))
  }

  @Test("a store failure at the second look leaves nothing pending")
  func failingSecondLook() throws {
    var looking = conductor(upstream: false, request: try request())
    _ = looking.next(.foundRequest(nil))
    _ = looking.next(.found(holder(.active)))
    #expect(looking.next(.obstructed(.store(.full))) == .finish(.obstructed(.store(.full))))
  }

  // MARK: Noting

  private static let pending = Fixtures.account("new@example.com", state: .pending)

  /// A repeat that has recognized the reservation as its own, and the resulting action.
  private func recognised(
    upstream: Bool, _ request: RequestKey?
  ) -> (RegistrationConductor, RegistrationConductor.Action) {
    var repeated = conductor(upstream: upstream, request: request)
    if request != nil { _ = repeated.next(.foundRequest(nil)) }
    _ = repeated.next(.found(Self.pending))
    let action = repeated.next(right)
    return (repeated, action)
  }

  private func isProceeding(
    _ action: RegistrationConductor.Action, upstream: Bool, _ request: RequestKey?
  ) -> Bool {
    let id = Self.pending.account.id
    if case .resume(id, Fixtures.time, _) = action { return upstream }
    return action == .activate(Self.pending, request: request) && !upstream
  }

  @Test("a request is noted for the reservation before the attempt continues", arguments: [false, true])
  func noting(_ upstream: Bool) throws {
    var (noting, action) = recognised(upstream: upstream, try request())
    #expect(action == .note(try request(), for: Self.pending.account.id))
    #expect(isProceeding(noting.next(.noted(.noted)), upstream: upstream, try request()))
  }

  @Test("a request that belongs to another account meanwhile is compared like a request that was found")
  func notedElsewhere() throws {
    var (noting, _) = recognised(upstream: true, try request())
    let other = KnownRequest(
      account: Fixtures.account("other@example.com").account, passwordHash: PasswordHash(phc: "other"))
    #expect(noting.next(.noted(.known(other))) == .finish(.conflict))
  }

  @Test("if the reservation is gone, the attempt looks again; if the note fails, the reservation is pending")
  func notNoted() throws {
    var (gone, _) = recognised(upstream: true, try request())
    #expect(gone.next(.noted(.gone)) == .findRequest(try request()))
    var (failing, _) = recognised(upstream: true, try request())
    // the reservation exists, so a failed note does not mean that nothing was done
    #expect(failing.next(.obstructed(.store(.readOnly))) == .finish(.obstructed(.store(.readOnly), isPending: true)))
  }

  @Test("an attempt without a request notes nothing", arguments: [false, true])
  func noRequest(_ upstream: Bool) {
    #expect(isProceeding(recognised(upstream: upstream, nil).1, upstream: upstream, nil))
  }

  @Test("a store that fails while the reservation is resumed leaves it pending")
  func failingResume() throws {
    var (resuming, _) = recognised(upstream: true, nil)
    #expect(resuming.next(.obstructed(.store(.full))) == .finish(.obstructed(.store(.full), isPending: true)))
  }

  // MARK: Throttled

  @Test("too many wrong passwords end an attempt when it compares a password, and nothing was done")
  func throttled() throws {
    let end = RegistrationConductor.Action.finish(.obstructed(.throttled(retryAfterSeconds: 9)))
    var recognising = conductor(upstream: true, request: nil)
    #expect(
      recognising.next(.found(Self.pending))
        == .verify(Self.pending.passwordHash, of: .account(Self.pending.account.id)))
    #expect(recognising.next(.obstructed(.throttled(retryAfterSeconds: 9))) == end)
    var comparing = conductor(upstream: false, request: try request())
    _ = comparing.next(.foundRequest(known(holder(.active))))
    #expect(comparing.next(.obstructed(.throttled(retryAfterSeconds: 9))) == end)
  }
}
