import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// An equal request held the invitation's use when regd looked at the invitation. The request returned the use before
/// regd looked for the request.
@Suite("Invitation uses that are returned between two looks")
struct GivenBackUseTests {
  /// Reports the use as held at the first few looks.
  private struct HeldUse: StoreHook {
    let looks: Countdown

    func around<Value: Sendable>(
      _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
      if let refused = Admittance.refused(nil) as? Value, await looks.takeOne() { return refused }
      return try await proceed()
    }
  }

  private func outcome(heldAt looks: Int, as request: RequestKey?) async throws -> RegistrationOutcome {
    let store = Accounts(MemoryStore())
    let invitation = Invitation(
      id: InvitationID(at: Fixtures.time), digest: InvitationDigest([]), email: nil, domain: nil, uses: 1,
      createdAt: Fixtures.time, expiresAt: Fixtures.time.advanced(by: .seconds(100)), note: nil, by: 0, isMailed: false)
    _ = try await store.add(invitation, nil, Stamp(Fixtures.time))
    let normalizer = UnicodeNormalizer()
    let registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.with(HeldUse(looks: Countdown(looks))), hasher: PlainHasher(), network: nil, time: FixedTime(),
      admission: AdmissionTerms(mode: .invited))
    let phrase = Fixtures.password("a fine phrase")
    return await registrar.register(
      RegistrationEntry(
        email: "name@example.com", password: phrase, passwordConfirmation: phrase, invitation: "a code"),
      request: request, by: Requester(uid: 7, pid: 1))
  }

  @Test("with a request, an invitation that is free again at the second look is accepted, and otherwise rejected")
  func looks() async throws {
    let request = RequestKey(uid: 7, id: "one")
    #expect(try await outcome(heldAt: 2, as: request) == .invitationRejected)
    #expect(try await outcome(heldAt: 1, as: nil) == .invitationRejected)
    guard case .registered = try await outcome(heldAt: 1, as: request) else {
      Issue.record("a good invitation was rejected")
      return
    }
  }
}
