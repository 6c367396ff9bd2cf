internal import RehearsedPorts

/// A mail server on 127.0.0.1 (RFC 5321) that misbehaves on demand: each `MailCondition` happens on real connections. It
/// records accepted mails in a ledger, and delivers none.
package final class MailServer: Sendable {
  /// Why a server cannot start, or a condition cannot be played.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// `smtp://` or `smtps://`, with the host and the port.
  package let url: String
  /// The file with the certificate of the authority that clients should trust, or nil without TLS. `stop` removes the
  /// file.
  package let caFile: String?

  private let security: Security
  private let service: Service
  private let connections: Connections
  private let endpoint: Endpoint
  private let startTLS: StartTLSPort?

  /// Starts a server, which plays the condition when this returns.
  ///
  /// - Parameters:
  ///   - directory: For certificates, while the server runs. Used only with TLS.
  ///   - credentials: Required by AUTH PLAIN, or nil if AUTH is not offered. With `startTLS`, AUTH is offered after
  ///     STARTTLS only.
  ///   - onMail: Called with each accepted mail before the client learns of it, on the connection's thread, which waits for it.
  ///     It may call `play`, but not `stop`.
  package init(
    _ condition: MailCondition = .works, directory: String, security: Security = .none,
    extensions: Set<Extension> = Set(Extension.allCases), credentials: Credentials? = nil,
    onMail: (@Sendable (ReceivedMail) -> Void)? = nil
  ) throws(Failure) {
    do {
      try Self.check(condition, security)
      let port = try Port()
      let tlsPort = security == .startTLS ? try Port() : nil
      let service = Service(
        condition, ServerRules(extensions: extensions, credentials: credentials), onMail: onMail)
      let handler = ConnectionHandler(service: service, startTLS: tlsPort)
      let connections = Connections(named: "mail-server")
      startTLS = try tlsPort.map {
        try StartTLSPort(directory: directory, condition.certificate, $0) { socket in
          connections.add(socket) { handler.serve($0, isSecure: true, greets: false) }
        }
      }
      endpoint = try Endpoint(port, certificates: security == .tls ? directory : nil, losesAbruptly: true, connections)
      {
        handler.serve($0, isSecure: security == .tls, greets: true)
      }
      let host = security == .none ? "127.0.0.1" : "localhost"
      url = "\(security == .tls ? "smtps" : "smtp")://\(host):\(port.number)"
      caFile = endpoint.secure?.caFile ?? startTLS?.secure.caFile
      self.security = security
      self.service = service
      self.connections = connections
      try endpoint.set(Self.behaviour(condition, security)) {}
    } catch { throw Failure(description: "\(error)") }
  }

  deinit { stop() }

  /// The server's present ledger.
  package var ledger: MailLedger { service.ledger }

  /// Uses another condition from now on, but keeps the ledger. Connections remain open if both conditions serve them
  /// with the same certificate, and follow the new condition from their next command.
  ///
  /// - Throws: If the condition needs TLS that the server lacks (then nothing has changed), or if a program does not
  ///   start (then the port, or STARTTLS on it, does not work).
  package func play(_ condition: MailCondition) throws(Failure) {
    do {
      try Self.check(condition, security)
      try startTLS?.set(condition.certificate)
      try endpoint.set(Self.behaviour(condition, security)) { service.play(condition) }
    } catch { throw Failure(description: "\(error)") }
  }

  /// Closes everything and waits until all threads and processes have ended. `onMail` must not call it.
  package func stop() {
    endpoint.stop()
    startTLS?.stop()
    connections.stop()
  }

  private static func check(_ condition: MailCondition, _ security: Security) throws(Failure) {
    switch (condition, security) {
    case (.certificate, .none): throw Failure(description: "a certificate is shown with TLS only")
    case (.withoutStartTLS, .none), (.withoutStartTLS, .tls):
      throw Failure(description: "STARTTLS can be left out only where it is offered otherwise")
    case (.works, _), (.refusing, _), (.swallowing, _), (.certificate, _), (.withoutStartTLS, _), (.answers, _),
      (.greylisting, _), (.slow, _), (.cutting, _), (.loses, _), (.silent, _):
      return
    }
  }

  private static func behaviour(_ condition: MailCondition, _ security: Security) -> Endpoint.Behaviour {
    if case .certificate(let kind) = condition, security == .tls, kind != .good { return .impostor(kind) }
    return condition.endpoint
  }
}
