internal import Glibc
package import RehearsedNetworks

/// A registration service on 127.0.0.1 that misbehaves on demand: what `ScriptedNetwork` says, this does, over real
/// connections. Requests, answers and the ledger are those of the contract, section 6.
///
/// A script is played per operation and call number, as `Script.step(of:call:)` has it; a call is a request that is
/// understood. A step's delay passes first; a client that has gone by then is neither served nor acted upon. A script with
/// a fault of connections (`UpstreamFault.isOfConnection`) has nothing but that one, whose options have no effect.
package final class UpstreamServer: Sendable {
  /// Why a server cannot be started: in words, with the Debian package where a program is missing.
  package struct StartFailure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Why a script cannot be played now.
  package struct PlayFailure: Error, CustomStringConvertible {
    package let description: String
  }

  /// To give to regd. Its scheme and host stay as the first script needed them.
  package let baseURL: String
  /// The authority that the base URL's certificate is, or should be, signed by; nil where it is not https. Gone after `stop`.
  package let caFile: String?
  /// Whether `play` can change anything: not where the base URL's host does not exist.
  package let canChange: Bool

  private let upstream: Upstream
  private let connections: Connections
  private let door: Door
  private let script: Script

  /// Starts a server; it answers when this returns.
  ///
  /// - Parameters:
  ///   - directory: For certificates, while the server runs. Used only where the base URL is https.
  ///   - bearerToken: Demanded of every request; nil for none.
  ///   - isSecure: Whether the base URL is https although the script could do without.
  ///   - onRequest: Called at two moments of every request, on its connection's thread, which waits. It may call `play`,
  ///     but not `stop`.
  package init(
    _ script: Script, directory: String, bearerToken: String? = nil, isSecure: Bool = false,
    onRequest: RequestHook? = nil
  ) throws(StartFailure) {
    do throws(Hindrance) {
      let reach = try Reach(script)
      let upstream = Upstream(script)
      let isHTTPS = isSecure || reach.needsTLS
      let port = try Port()
      let baseURL =
        "\(isHTTPS ? "https" : "http")://\(Self.host(isHTTPS, reach)):\(port.number)\(ConnectionService.basePath)"
      let service = ConnectionService(
        upstream: upstream, baseURL: baseURL, bearerToken: bearerToken, onRequest: onRequest)
      let connections = Connections()
      door = try Door(port, certificates: isHTTPS ? directory : nil, connections) { service.serve($0) }
      try door.set(reach) {}
      self.baseURL = baseURL
      caFile = door.secure?.caFile
      canChange = reach != .fault(.unresolvable)
      self.upstream = upstream
      self.connections = connections
      self.script = script
    } catch { throw StartFailure(description: error.description) }
  }

  deinit { stop() }

  /// A copy of what the upstream knows now.
  package var ledger: Ledger { upstream.ledger }

  /// Plays another script from now on; call numbers begin anew, and the ledger stays. Connections stay where answers
  /// follow answers, and are closed otherwise. Where it fails in starting a program, nobody listens afterwards; where the
  /// script cannot be played here at all, nothing has changed.
  package func play(_ script: Script) throws(PlayFailure) {
    do throws(Hindrance) {
      let reach = try Reach(script)
      try check(reach, script)
      try door.set(reach) { upstream.play(script) }
    } catch { throw PlayFailure(description: error.description) }
  }

  /// Closes everything and waits until all threads and processes have ended. Not from `onRequest`.
  package func stop() {
    door.stop()
    connections.stop()
  }

  private func check(_ reach: Reach, _ script: Script) throws(Hindrance) {
    guard canChange || script == self.script else {
      throw Hindrance("the host of \(baseURL) does not exist: no other script can be played there")
    }
    guard canChange == (reach != .fault(.unresolvable)) else {
      throw Hindrance("\"unresolvable\" can only be a server's first script: the host of \(baseURL) exists")
    }
    guard !reach.needsTLS || caFile != nil else {
      throw Hindrance("this script needs https, and the server was started for \(baseURL)")
    }
    if reach == .answers, caFile != nil { _ = try Programs.socat() }
  }

  private static func host(_ isHTTPS: Bool, _ reach: Reach) -> String {
    // RFC 6761 §6.4: no name that ends so exists
    if reach == .fault(.unresolvable) { return "upstream.invalid" }
    return isHTTPS ? "localhost" : "127.0.0.1"
  }
}
