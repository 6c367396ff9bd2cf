package import WireProtocols

/// The protocol of a door's connections. Each connection has a state machine, and all share the login service that answers the
/// questions.
package struct DoorWire<Machine: LoginProtocol & Sendable>: WireProtocol {
  package let name: String
  private let idleSeconds: Int
  private let service: LoginService
  private let machine: @Sendable (Peer) -> Machine

  /// - Parameters:
  ///   - idleSeconds: How long a connection may be without a message. 0 means no limit.
  ///   - machine: Makes a connection's state machine.
  package init(
    _ name: String, idleSeconds: Int = 75, _ context: DoorContext, memory: Duration = .zero,
    _ machine: @escaping @Sendable (Peer) -> Machine
  ) {
    self.name = name
    self.idleSeconds = idleSeconds
    service = LoginService(context, memory: memory)
    self.machine = machine
  }

  package func session(
    with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any ProtocolSession {
    DoorSession(machine(caller), service, with: caller, quota, limits)
  }

  package func renew(_ session: any ProtocolSession, with caller: Peer) {
    (session as? DoorSession<Machine>)?.adopt(machine(caller), service)
  }

  package func limits(_ limits: Limits) -> Limits {
    DoorLimits.of(limits, idleSeconds: idleSeconds, answerSeconds: service.answerSeconds)
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
