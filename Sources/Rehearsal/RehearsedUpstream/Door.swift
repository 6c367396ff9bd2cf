internal import RehearsedNetworks
internal import Synchronization

/// What somebody finds who connects to the server's port. One change at a time.
final class Door: Sendable {
  private enum Standing {
    /// Refused.
    case closed
    case open(Listener)
    case swallowing(SwallowingPort)
    case resetting(Listener)
    case impostor(ServingProcess)
    /// TLS on the port, and behind it the upstream on a port of its own.
    case secured(Listener, ServingProcess)
    /// For good.
    case stopped
  }

  private struct State {
    var standing = Standing.closed
    var reach = Reach.fault(.offline)
  }

  let port: Port
  /// Where the base URL is https.
  let secure: SecurePort?
  private let plainPort: Port
  private let connections: Connections
  private let serve: @Sendable (StreamSocket) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - certificates: The directory for them; nil where the base URL is not https.
  ///   - serve: Serves a connection with whom answers are to be had, on a thread of its own.
  init(
    _ port: Port, certificates: String?, _ connections: Connections,
    _ serve: @escaping @Sendable (StreamSocket) -> Void
  ) throws(Hindrance) {
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

  /// Existing connections are closed, unless they may go on. Where it throws, the door is closed.
  ///
  /// - Parameter change: Done when nobody can connect under the old conditions any more, and nobody yet under the new.
  func set(_ reach: Reach, _ change: () -> Void) throws(Hindrance) {
    let result: Result<Void, Hindrance> = state.withLock { state in
      if case .stopped = state.standing { return .failure(Hindrance("the server was stopped")) }
      if state.reach == reach {
        change()
        return .success(())
      }
      close(&state)
      change()
      do throws(Hindrance) {
        state.standing = try standing(reach)
        state.reach = reach
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  /// For good. Connections' threads may still run; they find their connections shut down.
  func stop() {
    state.withLock { state in
      close(&state)
      state.standing = .stopped
    }
    secure?.removeFiles()
  }

  private func close(_ state: inout State) {
    switch state.standing {
    case .closed, .stopped: break
    case .open(let listener), .resetting(let listener): listener.stop()
    case .swallowing(let port): port.stop()
    case .impostor(let process): process.stop()
    case .secured(let listener, let process):
      process.stop()
      listener.stop()
    }
    state.standing = .closed
    state.reach = .fault(.offline)
    connections.shutDown()
  }

  private func standing(_ reach: Reach) throws(Hindrance) -> Standing {
    guard case .fault(let fault) = reach else { return try answering() }
    switch fault {
    case .unroutable: return .swallowing(try SwallowingPort(port))
    case .resetBefore:
      return .resetting(
        try listener(on: port) { socket in
          // it has begun to shake hands then: a reset at once may be taken for a connection that did not come about
          _ = socket.receive(1)
          socket.reset()
        })
    default:
      guard let kind = Certificates.Kind(fault), let secure else { return .closed }
      return .impostor(try secure.impostor(kind))
    }
  }

  private func answering() throws(Hindrance) -> Standing {
    let listener = try listener(on: plainPort, serve)
    guard let secure else { return .open(listener) }
    do { return .secured(listener, try secure.terminator(to: plainPort)) } catch {
      listener.stop()
      throw error
    }
  }

  private func listener(
    on port: Port, _ serve: @escaping @Sendable (StreamSocket) -> Void
  ) throws(Hindrance) -> Listener {
    let connections = connections
    return try Listener(port) { connections.add($0, serve) }
  }
}
