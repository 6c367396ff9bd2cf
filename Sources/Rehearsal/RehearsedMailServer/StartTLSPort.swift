internal import RehearsedPorts
internal import Synchronization

/// The port to which connections are forwarded after STARTTLS. It uses TLS, and forwards the content to a listener of
/// this process.
final class StartTLSPort: Sendable {
  private struct State {
    var kind: Certificates.Kind
    var process: ServingProcess?
  }

  let port: Port
  let secure: SecurePort
  private let plain: Port
  private let listener: Listener
  private let state: Mutex<State>

  /// - Parameter take: Gets each decrypted connection, on the listener's thread. Must return soon.
  init(
    directory: String, _ kind: Certificates.Kind, _ port: Port, _ take: @escaping @Sendable (SharedSocket) -> Void
  ) throws {
    self.port = port
    plain = try Port()
    secure = try SecurePort(port, directory: directory, losesAbruptly: true)
    listener = try Listener(plain, take)
    state = Mutex(State(kind: kind, process: try secure.terminator(to: plain, kind)))
  }

  /// Shows this certificate from now on. If it differs from the present certificate, TLS connections are closed.
  func set(_ kind: Certificates.Kind) throws {
    try state.withLock { state in
      guard state.kind != kind || state.process == nil else { return }
      state.process?.stop()
      state.process = nil
      state.process = try secure.terminator(to: plain, kind)
      state.kind = kind
    }
  }

  func stop() {
    state.withLock { state in
      state.process?.stop()
      state.process = nil
    }
    listener.stop()
    secure.removeFiles()
  }
}
