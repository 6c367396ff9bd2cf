package import Registration

/// An upstream's answer to `tryRegistration`: an `UpstreamAnswer` with the upstream's id of the account, which must be
/// the same in the answer to a repeat.
package enum TriedRegistration: Equatable, Sendable {
  case registered(id: String)
  /// The upstream answered 409: the address has an account.
  case taken
}

extension HTTPNetwork {
  /// Registers as `register` does. regctl's doctor calls it twice to test whether the upstream recognizes a repeated
  /// Idempotency-Key.
  ///
  /// - Throws: As `register`.
  package func tryRegistration(
    _ registration: UpstreamRegistration, within limit: Duration
  ) async throws(NetworkFailure) -> TriedRegistration {
    let now = ContinuousClock.now
    let transfer = Transfer(.registration(registration), .daemon, startBy: now + limit, until: now + limit)
    let reply = await send(transfer)
    switch try HTTPVerdict.registration(reply, now: Timestamp(microseconds: 0)).get() {
    case .taken: return .taken
    case .registered:
      guard let id = AnswerBody.id(reply.body) else { throw .malformedResponse }
      return .registered(id: id)
    }
  }
}
