package import WireProtocols

/// The protocol of a door's connections. Each connection has a speaker, and all share the desk that answers the
/// questions.
package struct DoorWire<Voice: Speaker & Sendable>: WireProtocol {
  package let name: String
  private let idleSeconds: Int
  private let desk: DoorDesk
  private let voice: @Sendable (Caller) -> Voice

  /// - Parameters:
  ///   - idleSeconds: How long a connection may be without a message. 0 means no limit.
  ///   - voice: Makes a connection's speaker.
  package init(
    _ name: String, idleSeconds: Int = 75, _ surroundings: DoorSurroundings, memory: Duration = .zero,
    _ voice: @escaping @Sendable (Caller) -> Voice
  ) {
    self.name = name
    self.idleSeconds = idleSeconds
    desk = DoorDesk(surroundings, memory: memory)
    self.voice = voice
  }

  package func session(
    with caller: Caller, _ usage: PeerUsage, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any ProtocolSession {
    DoorSession(voice(caller), desk, with: caller, usage, limits)
  }

  package func renew(_ session: any ProtocolSession, with caller: Caller) {
    (session as? DoorSession<Voice>)?.adopt(voice(caller), desk)
  }

  package func limits(_ limits: Limits) -> Limits {
    DoorLimits.of(limits, idleSeconds: idleSeconds, answerSeconds: desk.answerSeconds)
  }
}

/// The limits of door connections: the configured limits, but with the door's time limits.
enum DoorLimits {
  /// A message must be complete within this time after its first byte, so that no caller occupies a connection with
  /// half a message.
  private static let wholeSeconds = 10

  static func of(_ limits: Limits, idleSeconds: Int, answerSeconds: Int) -> Limits {
    var limits = limits
    limits.requestSeconds = answerSeconds
    limits.idleSeconds = idleSeconds
    limits.wholeSeconds = wholeSeconds
    return limits
  }
}
