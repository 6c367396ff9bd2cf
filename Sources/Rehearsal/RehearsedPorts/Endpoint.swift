internal import Synchronization

/// A server's port on 127.0.0.1 whose behaviour can change, for example to refuse connections. A lock serializes the
/// changes.
package final class Endpoint: Sendable {
  package enum Behaviour: Equatable, Sendable {
    /// Connections are served.
    case answering
    /// The kernel refuses connections.
    case refusing
    /// The kernel drops incoming packets.
    case swallowing
    /// Each connection is reset at its first byte.
    case resetting
    /// A TLS server with an invalid certificate listens, and forwards nothing to the service. Without TLS, like
    /// `refusing`.
    case impostor(Certificates.Kind)
  }

  /// The present holder of the port.
  private enum Holder {
    case none
    case open(Listener)
    case swallowing(SwallowingPort)
    case impostor(ServingProcess)
    /// A TLS process listens on the port and forwards to the service's listener on another port.
    case secured(Listener, ServingProcess)
    /// Stopped for good.
    case stopped
  }

  private struct State {
    var holder = Holder.none
    var behaviour = Behaviour.refusing
  }

  package let port: Port
  /// TLS on the port, or nil if the port speaks none.
  package let secure: SecurePort?
  private let plainPort: Port
  private let connections: Connections
  private let serve: @Sendable (SharedSocket) -> Void
  private let state = Mutex(State())

  /// The port refuses connections until `set` changes its behaviour.
  ///
  /// - Parameters:
  ///   - certificates: The directory for certificates, or nil for no TLS.
  ///   - losesAbruptly: As for `SecurePort`.
  ///   - serve: Serves a connection, on a separate thread.
  package init(
    _ port: Port, certificates: String?, losesAbruptly: Bool = false, _ connections: Connections,
    _ serve: @escaping @Sendable (SharedSocket) -> Void
  ) throws {
    self.port = port
    if let certificates {
      plainPort = try Port()
      secure = try SecurePort(port, directory: certificates, losesAbruptly: losesAbruptly)
    } else {
      plainPort = port
      secure = nil
    }
    self.connections = connections
    self.serve = serve
  }

  /// Changes the behaviour, and closes existing connections if the new behaviour differs. If this throws, the port
  /// refuses connections.
  ///
  /// - Parameter change: Called between the behaviours: when clients can no longer connect under the old one, and not
  ///   yet under the new one.
  package func set(_ behaviour: Behaviour, _ change: () -> Void) throws {
    try state.withLock { state in
      if case .stopped = state.holder { throw PortFailure(description: "the server was stopped") }
      guard state.behaviour != behaviour else { return change() }
      close(&state)
      change()
      state.holder = try holder(behaviour)
      state.behaviour = behaviour
    }
  }

  /// Stops for good, and shuts the connections down. Their threads may still run. `Connections.stop` waits for them.
  package func stop() {
    state.withLock { state in
      close(&state)
      state.holder = .stopped
    }
    secure?.removeFiles()
  }

  private func close(_ state: inout State) {
    switch state.holder {
    case .none, .stopped: break
    case .open(let listener): listener.stop()
    case .swallowing(let port): port.stop()
    case .impostor(let process): process.stop()
    case .secured(let listener, let process):
      process.stop()
      listener.stop()
    }
    state.holder = .none
    state.behaviour = .refusing
    connections.shutDown()
  }

  private func holder(_ behaviour: Behaviour) throws -> Holder {
    switch behaviour {
    case .answering: return try answering()
    case .refusing: return .none
    case .swallowing: return .swallowing(try SwallowingPort(port))
    case .resetting:
      let listener = try listener(on: port) { socket in
        // waits for the first byte, because a client might take an immediate reset for a refused connection
        _ = socket.receive(1)
        socket.reset()
      }
      return .open(listener)
    case .impostor(let kind):
      guard let secure else { return .none }
      return .impostor(try secure.impostor(kind))
    }
  }

  private func answering() throws -> Holder {
    let listener = try listener(on: plainPort, serve)
    guard let secure else { return .open(listener) }
    do { return .secured(listener, try secure.terminator(to: plainPort)) } catch {
      listener.stop()
      throw error
    }
  }

  private func listener(
    on port: Port, _ serve: @escaping @Sendable (SharedSocket) -> Void
  ) throws -> Listener {
    let connections = connections
    return try Listener(port) { connections.add($0, serve) }
  }
}
