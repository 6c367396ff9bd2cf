/// An internal error of regd: a conductor received an event that cannot occur in its phase.
package struct InternalFault: Error, Equatable, Sendable {
  /// The names of the event and of the phase, without their values, for the log.
  package let detail: String

  init(_ event: some Any, in phase: some Any) {
    detail = "the event \(Self.name(event)) in the phase \(Self.name(phase))"
  }

  private static func name(_ value: some Any) -> Substring { "\(value)".prefix { $0 != "(" } }
}

/// Receives each internal fault once. Must not block.
package typealias FaultObserver = @Sendable (InternalFault) -> Void
