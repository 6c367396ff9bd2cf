package import RehearsedNetworks
internal import RehearsedPorts

/// A registration service on 127.0.0.1 that plays a script: faults that `ScriptedNetwork` only returns happen here on real
/// connections. Requests and answers are those of the http backend.
///
/// A request's operation and number select its step (`Script.step(of:call:)`). Invalid requests have no number. The step's
/// delay passes first. If the client has gone by then, the request is not executed. A fault of connections
/// (`UpstreamFault.isOfConnection`) must be the only step of a script. Its options have no effect.
package final class UpstreamServer: Sendable {
  /// Why a server cannot start, or a script cannot be played. Names the Debian package of a missing program.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The base URL for regd's configuration, with the scheme and host that the first script needs.
  package let baseURL: String
  /// The file with the certificate of the authority that clients should trust, or nil unless the base URL is https.
  /// `stop` removes the file.
  package let caFile: String?
  /// Whether `play` can have an effect. It cannot if the base URL's host does not exist.
  package let canChange: Bool

  private let service: RegistrationService
  private let connections: Connections
  private let endpoint: Endpoint
  private let script: Script

  /// Starts a server, which answers when this returns.
  ///
  /// - Parameters:
  ///   - directory: For certificates, while the server runs. Used only if the base URL is https.
  ///   - bearerToken: Required in every request, or nil for none.
  ///   - isSecure: Whether the base URL is https even if the script does not need it.
  ///   - onRequest: Called at two moments of every request, on its connection's thread, which waits for it. It may call `play`,
  ///     but not `stop`.
  package init(
    _ script: Script, directory: String, bearerToken: String? = nil, isSecure: Bool = false,
    onRequest: RequestHook? = nil
  ) throws(Failure) {
    do {
      let reachability = try Reachability(script)
      let service = RegistrationService(script)
      let isHTTPS = isSecure || reachability.needsTLS
      let port = try Port()
      let baseURL =
        "\(isHTTPS ? "https" : "http")://\(Self.host(isHTTPS, reachability)):\(port.number)\(ConnectionHandler.basePath)"
      let handler = ConnectionHandler(
        service: service, baseURL: baseURL, bearerToken: bearerToken, onRequest: onRequest)
      let connections = Connections(named: "upstream")
      endpoint = try Endpoint(port, certificates: isHTTPS ? directory : nil, connections) { handler.serve($0) }
      try endpoint.set(reachability.behaviour) {}
      self.baseURL = baseURL
      caFile = endpoint.secure?.caFile
      canChange = reachability != .fault(.unresolvable)
      self.service = service
      self.connections = connections
      self.script = script
    } catch { throw Failure(description: "\(error)") }
  }

  deinit { stop() }

  /// The upstream's present ledger.
  package var ledger: Ledger { service.ledger }

  /// Plays another script from now on. Call numbers begin at 0, and the ledger is kept. Connections remain open if both
  /// scripts answer. Otherwise the server closes them.
  ///
  /// - Throws: If the script cannot be played on this base URL (then nothing has changed), or if a program does not
  ///   start (then the port refuses connections).
  package func play(_ script: Script) throws(Failure) {
    do {
      let reachability = try Reachability(script)
      try check(reachability, script)
      try endpoint.set(reachability.behaviour) { service.play(script) }
    } catch { throw Failure(description: "\(error)") }
  }

  /// Closes everything and waits until all threads and processes have ended. `onRequest` must not call it.
  package func stop() {
    endpoint.stop()
    connections.stop()
  }

  private func check(_ reachability: Reachability, _ script: Script) throws {
    guard canChange || script == self.script else {
      throw Failure(description: "the host of \(baseURL) does not exist: no other script can be played there")
    }
    guard canChange == (reachability != .fault(.unresolvable)) else {
      throw Failure(description: "\"unresolvable\" can only be a server's first script: the host of \(baseURL) exists")
    }
    guard !reachability.needsTLS || caFile != nil else {
      throw Failure(description: "this script needs https, and the server was started for \(baseURL)")
    }
    if reachability == .answers, caFile != nil { _ = try Programs.socat() }
  }

  private static func host(_ isHTTPS: Bool, _ reachability: Reachability) -> String {
    // RFC 6761 §6.4: no name with this ending exists
    if reachability == .fault(.unresolvable) { return "upstream.invalid" }
    return isHTTPS ? "localhost" : "127.0.0.1"
  }
}

extension UpstreamServer {
  package typealias RequestHook = @Sendable (Moment) -> Void

  /// A moment in the processing of a request.
  package struct Moment: Sendable {
    package enum Kind: Sendable {
      /// The server has read the request, and not executed it.
      case read
      /// The server has executed the request, or decided not to, and has not answered yet.
      case acted
    }

    package let kind: Kind
    package let request: ServiceRequest
    /// The index of this call among the operation's calls since the last `play`, from 0.
    package let number: Int

    init(_ call: RegistrationService.Call, _ kind: Kind) {
      self.kind = kind
      request = call.request
      number = call.number
    }
  }
}

/// Whether a script lets clients reach the server's answers, or stops every connection with a fault.
enum Reachability: Equatable {
  case answers
  case fault(UpstreamFault)

  /// - Throws: If the script has a fault of connections and also another step: when a connection opens, the server
  ///   does not know yet for which operations the client uses it. Options of a fault of connections have no effect.
  init(_ script: Script) throws(UpstreamServer.Failure) {
    let answers = Script.Operation.allCases.flatMap { script.steps(of: $0).map(\.answer) }
    let faults = answers.compactMap { answer in
      if case .fault(let fault) = answer, fault.isOfConnection { fault } else { nil }
    }
    guard let fault = faults.first else {
      self = .answers
      return
    }
    guard faults.count == answers.count, faults.allSatisfy({ $0 == fault }) else {
      throw UpstreamServer.Failure(
        description:
          "\"\(fault.rawValue)\" happens to a connection, before anybody knows what is asked over it: it has to be the only step of all operations"
      )
    }
    self = .fault(fault)
  }

  /// The behaviour of the server's port that shows this fault to clients.
  var behaviour: Endpoint.Behaviour {
    guard case .fault(let fault) = self else { return .answering }
    if let kind = Certificates.Kind(rawValue: fault.rawValue) { return .impostor(kind) }
    if fault == .unroutable { return .swallowing }
    return fault == .resetBefore ? .resetting : .refusing
  }

  /// Whether the fault needs an https base URL.
  var needsTLS: Bool {
    switch self {
    case .answers: false
    case .fault(let fault): [.resetBefore, .untrusted, .wrongHost, .expired].contains(fault)
    }
  }
}
