internal import Linux

/// TLS on a port, with a valid or an invalid certificate, by openssl(1) and socat(1).
package final class SecurePort: Sendable {
  package let caFile: String
  private let port: Port
  private let certificates: Certificates
  /// The prefix of this port's file names, because several servers may share a directory.
  private let prefix: String
  private let losesAbruptly: Bool

  /// - Parameter losesAbruptly: Whether the client gets only a FIN when the service closes the connection. Otherwise
  ///   socat(1) sends close_notify, which some clients do not treat as the end, and waits for the client's
  ///   close_notify.
  package init(_ port: Port, directory: String, losesAbruptly: Bool = false) throws {
    self.port = port
    self.losesAbruptly = losesAbruptly
    certificates = try Certificates.shared(directory)
    prefix = "\(directory)/port-\(port.number)-"
    caFile = prefix + "ca.pem"
    try FileWriting.write(certificates.authority, to: caFile, permissions: 0o600)
  }

  deinit { removeFiles() }

  /// A TLS server with an invalid certificate. It forwards nothing to the service.
  func impostor(_ kind: Certificates.Kind) throws -> ServingProcess {
    let chain = try chain(kind)
    return try ServingProcess(
      try Programs.openssl(),
      ["s_server", "-accept", "127.0.0.1:\(port.number)", "-cert", chain, "-key", chain, "-quiet", "-www"],
      on: port, log: log)
  }

  /// A TLS server that forwards everything to a port without TLS.
  package func terminator(to plain: Port, _ kind: Certificates.Kind = .good) throws -> ServingProcess {
    let chain = try chain(kind)
    return try ServingProcess(
      try Programs.socat(),
      [
        "OPENSSL-LISTEN:\(port.number),bind=127.0.0.1,reuseaddr,fork,backlog=128,cert=\(chain),verify=0\(losesAbruptly ? ",shut-down" : "")",
        "TCP4:127.0.0.1:\(plain.number)",
      ],
      on: port, log: log)
  }

  package func removeFiles() {
    for name in Certificates.Kind.allCases.map(\.rawValue) + ["ca", "log"] { FileSystem.remove("\(prefix)\(name).pem") }
  }

  private var log: String { prefix + "log.pem" }

  private func chain(_ kind: Certificates.Kind) throws -> String {
    let path = "\(prefix)\(kind.rawValue).pem"
    try certificates.write(kind, to: path)
    return path
  }
}
