internal import RehearsedPorts
internal import Synchronization

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

extension MailServer {
  package enum Extension: String, CaseIterable, Sendable {
    /// Addresses beyond ASCII (RFC 6531).
    case smtpUTF8 = "SMTPUTF8"
    /// Texts with 8-bit bytes (RFC 6152).
    case eightBitMIME = "8BITMIME"

    /// The parameter of MAIL by which a client uses the extension.
    var parameter: String {
      switch self {
      case .smtpUTF8: "SMTPUTF8"
      case .eightBitMIME: "BODY=8BITMIME"
      }
    }
  }

  /// The credentials for AUTH. A client that has not authenticated gets 530 for MAIL.
  package struct Credentials: Sendable {
    package let user: String
    package let password: String
    /// The offered mechanisms. PLAIN and LOGIN compare the credentials. Any other one ends with 535, as at a server that
    /// offers it without the data that it needs.
    package let mechanisms: [String]
    /// Whether PLAIN is accepted only with an initial response.
    package let needsInitialResponse: Bool

    package init(user: String, password: String, mechanisms: [String] = ["PLAIN"], needsInitialResponse: Bool = false) {
      self.user = user
      self.password = password
      self.mechanisms = mechanisms
      self.needsInitialResponse = needsInitialResponse
    }
  }

  /// When TLS begins.
  package enum Security: Sendable {
    case none
    /// After STARTTLS (RFC 3207). Mails are also accepted without it.
    case startTLS
    /// From the first byte (RFC 8314).
    case tls
  }
}

/// A server's constant properties.
struct ServerRules: Sendable {
  let extensions: Set<MailServer.Extension>
  let credentials: MailServer.Credentials?
}

/// The service behind the sockets: the present condition and the ledger.
final class Service: Sendable {
  private struct State {
    var condition: MailCondition
    var ledger = MailLedger()
    /// The recipients that have got 451 under the present condition.
    var greylisted: Set<String> = []
  }

  let rules: ServerRules
  private let onMail: (@Sendable (ReceivedMail) -> Void)?
  private let state: Mutex<State>

  init(_ condition: MailCondition, _ rules: ServerRules, onMail: (@Sendable (ReceivedMail) -> Void)?) {
    self.rules = rules
    self.onMail = onMail
    state = Mutex(State(condition: condition))
  }

  var ledger: MailLedger { state.withLock(\.ledger) }
  var condition: MailCondition { state.withLock(\.condition) }

  func play(_ condition: MailCondition) {
    state.withLock { state in
      state.condition = condition
      state.greylisted = []
    }
  }

  func countConnection() { state.withLock { $0.ledger.connections += 1 } }

  func complain(_ complaints: [String]) { state.withLock { $0.ledger.complaints += complaints } }

  func accept(_ mail: ReceivedMail) {
    state.withLock { $0.ledger.mails.append(mail) }
    onMail?(mail)
  }

  /// Counts one RCPT command for a recipient.
  ///
  /// - Returns: Whether the recipient must be tried again later.
  func isGreylisted(_ recipient: String) -> Bool {
    state.withLock { state in
      state.ledger.tries[recipient, default: 0] += 1
      return state.condition == .greylisting && state.greylisted.insert(recipient).inserted
    }
  }
}

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
