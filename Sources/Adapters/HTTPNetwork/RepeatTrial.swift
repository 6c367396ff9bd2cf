package import Registration

/// What an upstream makes of a registration, with the id that it gives: more than regd itself has to know.
package enum TriedRegistration: Equatable, Sendable {
  case registered(id: String)
  /// 409.
  case taken
}

extension HTTPNetwork {
  /// Registers as `register` does, for an operator who tries whether the upstream knows a key again.
  ///
  /// - Throws: As `register`.
  package func tryRegistration(
    _ registration: UpstreamRegistration, within limit: Duration
  ) async throws(NetworkFailure) -> TriedRegistration {
    let now = ContinuousClock.now
    let transfer = Transfer(.registration(registration), .daemon, startBy: now + limit, until: now + limit)
    let reply = await send(transfer)
    switch try Verdict.registration(reply, now: Timestamp(microseconds: 0)).get() {
    case .taken: return .taken
    case .registered:
      guard let id = AnswerBody.id(reply.body) else { throw .malformedResponse }
      return .registered(id: id)
    }
  }
}
