package import Registration

/// An upstream's answer to a registration, with the id that it gave; regd itself does not need the id.
package enum TriedRegistration: Equatable, Sendable {
  case registered(id: String)
  /// 409.
  case taken
}

extension HTTPNetwork {
  /// Registers as `register` does. Lets an operator test whether the upstream recognizes a repeated key.
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
