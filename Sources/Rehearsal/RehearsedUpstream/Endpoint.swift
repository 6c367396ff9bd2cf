internal import RehearsedNetworks
internal import Synchronization

/// What a client that connects to the server's port meets. One change at a time.
final class Endpoint: Sendable {
  private enum Behaviour {
    /// The kernel refuses.
    case closed
    case open(Listener)
    case swallowing(SwallowingPort)
    case resetting(Listener)
    case impostor(ServingProcess)
    /// TLS on the port, and behind it the upstream on a port of its own.
    case secured(Listener, ServingProcess)
    /// For ever.
    case stopped
  }

  private struct State {
    var behaviour = Behaviour.closed
    var reachability = Reachability.fault(.offline)
  }

  let port: Port
  /// Nil if the base URL is not https.
  let secure: SecurePort?
  private let plainPort: Port
  private let connections: Connections
  private let serve: @Sendable (SharedSocket) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - certificates: The directory for them; nil if the base URL is not https.
  ///   - serve: Serves a connection, on a thread of its own.
  init(
    _ port: Port, certificates: String?, _ connections: Connections,
    _ serve: @escaping @Sendable (SharedSocket) -> Void
  ) throws {
    self.port = port
    if let certificates {
      plainPort = try Port()
      secure = try SecurePort(port, directory: certificates)
    } else {
      plainPort = port
      secure = nil
    }
    self.connections = connections
    self.serve = serve
  }

  /// Closes existing connections, unless the new behaviour is the old one. After a throw the endpoint is closed.
  ///
  /// - Parameter change: Called when no client can connect under the old behaviour any more, and none yet under the new.
  func set(_ reachability: Reachability, _ change: () -> Void) throws {
    try state.withLock { state in
      if case .stopped = state.behaviour { throw UpstreamServer.Failure(description: "the server was stopped") }
      guard state.reachability != reachability else { return change() }
      close(&state)
      change()
      state.behaviour = try behaviour(reachability)
      state.reachability = reachability
    }
  }

  /// For ever. Connections' threads may still run; their connections are shut down.
  func stop() {
    state.withLock { state in
      close(&state)
      state.behaviour = .stopped
    }
    secure?.removeFiles()
  }

  private func close(_ state: inout State) {
    switch state.behaviour {
    case .closed, .stopped: break
    case .open(let listener), .resetting(let listener): listener.stop()
    case .swallowing(let port): port.stop()
    case .impostor(let process): process.stop()
    case .secured(let listener, let process):
      process.stop()
      listener.stop()
    }
    state.behaviour = .closed
    state.reachability = .fault(.offline)
    connections.shutDown()
  }

  private func behaviour(_ reachability: Reachability) throws -> Behaviour {
    guard case .fault(let fault) = reachability else { return try answering() }
    if fault == .unroutable { return .swallowing(try SwallowingPort(port)) }
    if fault == .resetBefore {
      let listener = try listener(on: port) { socket in
        // the client has begun its handshake by then; it could take a reset at once for a refused connection
        _ = socket.receive(1)
        socket.reset()
      }
      return .resetting(listener)
    }
    guard let kind = Certificates.Kind(rawValue: fault.rawValue), let secure else { return .closed }
    return .impostor(try secure.impostor(kind))
  }

  private func answering() throws -> Behaviour {
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
