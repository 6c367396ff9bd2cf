import Registration
import TestDoubles
import Testing

@Suite("Registration conductor with a request")
struct RequestConductorTests {
  private let email = Fixtures.account("new@example.com").account.email

  private func conductor(upstream: Bool = false) throws -> RegistrationConductor {
    let request = try #require(RequestKey(uid: 7, id: "one"))
    return RegistrationConductor(email: email, hasUpstream: upstream, now: Fixtures.time, request: request)
  }

  private func known(_ email: String = "new@example.com", _ state: Account.State = .active) -> KnownRequest {
    let account = Fixtures.account(email, state: state, hash: "of the request")
    return KnownRequest(account: account.account, passwordHash: account.passwordHash)
  }

  @Test("another address with the request's id is a conflict, and no password is compared")
  func otherAddress() throws {
    var conductor = try conductor()
    #expect(conductor.next(.foundRequest(known("other@example.com"))) == .finish(.conflict))
  }

  @Test("another password with the request's id is a conflict")
  func otherPassword() throws {
    var conductor = try conductor()
    let known = known()
    #expect(conductor.next(.foundRequest(known)) == .verify(known.passwordHash, of: .request))
    #expect(conductor.next(.verified(.wrong)) == .finish(.conflict))
  }

  @Test(
    "a repeat gets the same answer, whatever has happened to the account",
    arguments: [Account.State.active, .disabled])
  func again(_ state: Account.State) throws {
    var conductor = try conductor()
    let known = known("new@example.com", state)
    #expect(conductor.first == .findRequest(try #require(RequestKey(uid: 7, id: "one"))))
    _ = conductor.next(.foundRequest(known))
    #expect(conductor.next(.verified(.right(isOutdated: true))) == .finish(.registered(known.account)))
  }

  @Test("an unknown request continues as a new registration")
  func unknown() throws {
    var conductor = try conductor()
    #expect(conductor.next(.foundRequest(nil)) == .find(email.key))
    #expect(conductor.next(.found(nil)) == .hash)
  }

  @Test("a repeat of a pending request asks the upstream again")
  func pending() throws {
    var conductor = try conductor(upstream: true)
    let known = known("new@example.com", .pending)
    _ = conductor.next(.foundRequest(known))
    let mark = Timestamp(microseconds: Fixtures.time.microseconds + 1)
    #expect(
      conductor.next(.verified(.right(isOutdated: false))) == .resume(known.account.id, seen: Fixtures.time, at: mark))
    // another process was quicker, so the conductor looks at everything again, the request first
    #expect(conductor.next(.resumed(mark: nil)) == conductor.first)
  }

  @Test("a request that has made an account since the look-up is compared like a request that was found")
  func race() throws {
    for (verdict, isSame) in [(PasswordVerdict.wrong, false), (.right(isOutdated: false), true)] {
      var conductor = try conductor()
      let known = known()
      _ = conductor.next(.foundRequest(nil))
      _ = conductor.next(.found(nil))
      _ = conductor.next(.hashed(PasswordHash(phc: "mine")))
      #expect(conductor.next(.inserted(.requestKnown(known))) == .verify(known.passwordHash, of: .request))
      #expect(conductor.next(.verified(verdict)) == .finish(isSame ? .registered(known.account) : .conflict))
    }
  }
}
