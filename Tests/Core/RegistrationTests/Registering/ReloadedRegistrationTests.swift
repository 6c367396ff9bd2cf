import TestDoubles
import Testing

@testable import Registration

/// Repeats of registrations that began before a reload or by a mailed invitation.
@Suite("Registrations that continue after a reload")
struct ReloadedRegistrationTests {
  private static let required = VerificationTerms(isRequired: true, hasMail: true)
  private static let none = VerificationTerms(hasMail: true)

  private func reloaded(
    _ desk: ClaimDesk, _ terms: VerificationTerms, network: (any NetworkService)? = nil,
    _ mode: AdmissionTerms.Mode = .open
  ) -> Registrar {
    desk.registrar.adapted(
      to: Registrar.Terms(
        rules: desk.registrar.rules, network: network, signIns: nil, signInAuthority: .store,
        defersWhenUnreachable: false, disbelief: .seconds(900), verification: terms,
        admission: AdmissionTerms(mode: mode)))
  }

  private func register(
    _ registrar: Registrar, _ email: String, request: String? = nil, invitation: InvitationCode? = nil
  ) async -> RegistrationOutcome {
    let phrase = Fixtures.password("a fine phrase")
    return await registrar.register(
      RegistrationEntry(
        email: email, password: phrase, passwordConfirmation: phrase, invitation: invitation?.description),
      request: request.flatMap { RequestKey(uid: 7, id: $0) }, by: ClaimDesk.user(7))
  }

  @Test("after verification is switched off, a repeat by its request returns the claim, and the code is valid")
  func claimed() async throws {
    for mode in AdmissionTerms.Mode.allCases {
      let desk = ClaimDesk(Self.required)
      let claim = try await desk.claim("a@example.com", request: "r")
      let registrar = reloaded(desk, Self.none, mode)
      #expect(await register(registrar, "a@example.com", request: "r") == .claimed(claim), "\(mode)")
      #expect(await register(registrar, "b@example.com", request: "r") == .conflict, "\(mode)")
      #expect(try await desk.store.list(after: nil, limit: 9).isEmpty, "\(mode)")
      guard case .proven(let account) = await desk.prove(claim) else {
        Issue.record("the code is refused: \(mode)")
        continue
      }
      #expect(account.id == claim.account)
    }
  }

  @Test("after verification is switched on, a pending registration can be repeated by its address and password")
  func pending() async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(Self.none, network: upstream)
    await upstream.conducts(.fails(.failed))
    let failed = RegistrationOutcome.obstructed(.network(.failed), isPending: true)
    #expect(await desk.register("a@example.com") == failed)
    let registrar = reloaded(desk, Self.required, network: upstream)
    #expect(await register(registrar, "a@example.com") == failed)
    await upstream.conducts(.answers)
    guard case .registered(let account) = await register(registrar, "a@example.com") else {
      Issue.record("not repeated")
      return
    }
    #expect(account.state == .active)
    #expect(Set(await upstream.registrations.map(\.id)) == [account.id])
    #expect(await register(registrar, "a@example.com") == .taken)
  }

  /// Mails an invitation, and returns its code.
  private func invite(_ desk: ClaimDesk, _ email: String) async throws -> InvitationCode {
    let id = InvitationID(at: desk.now)
    let code = desk.codes.code(ofInvitation: id)
    let invitation = Invitation(
      id: id, digest: desk.codes.digest(of: code), email: Fixtures.account(email).account.email, domain: nil, uses: 1,
      createdAt: desk.now, expiresAt: desk.now.advanced(by: .seconds(100)), note: nil, by: 0, isMailed: true)
    #expect(try await desk.store.add(invitation, nil, Stamp(desk.now)) == .added)
    return code
  }

  @Test("a mailed invitation with an uncertain registration can be repeated, even while accounts are concealed")
  func doubtful() async throws {
    let upstream = StagedNetwork()
    let desk = ClaimDesk(VerificationTerms(isRequired: true, conceals: true, hasMail: true), network: upstream)
    let code = try await invite(desk, "a@example.com")
    await upstream.conducts(.fails(.failed))
    let failed = RegistrationOutcome.obstructed(.network(.failed), isPending: true)
    #expect(await register(desk.registrar, "a@example.com", invitation: code) == failed)
    #expect(await register(desk.registrar, "b@example.com", invitation: code) == .invitationRejected)
    #expect(await register(desk.registrar, "a@example.com", invitation: InvitationCode()) == .invitationRejected)
    #expect(await register(desk.registrar, "a@example.com", invitation: code) == failed)
    await upstream.conducts(.answers)
    guard case .registered(let account) = await register(desk.registrar, "a@example.com", invitation: code) else {
      Issue.record("not repeated")
      return
    }
    #expect(account.state == .active)
    #expect(await register(desk.registrar, "a@example.com", invitation: code) == .invitationRejected)
  }

  @Test("a mailed invitation registers only the spelling to which it was mailed")
  func spelling() async throws {
    let desk = ClaimDesk(Self.required)
    // both spellings have one key, and may be two mailboxes
    let code = try await invite(desk, "Name@example.com")
    guard case .registered(let account) = await register(desk.registrar, "nAME@example.com", invitation: code) else {
      Issue.record("not registered")
      return
    }
    #expect(account.email.typed == "Name@example.com")
    #expect(account.isProven == true)
  }
}
