internal import Glibc
internal import RehearsedNetworks

/// TLS on a port, right or wrong, by programs of the system.
final class SecurePort: Sendable {
  let caFile: String
  private let port: Port
  private let certificates: Certificates
  /// What our files' names begin with; several servers may have one directory.
  private let prefix: String

  init(_ port: Port, directory: String) throws(Hindrance) {
    self.port = port
    certificates = try Certificates.shared(directory)
    prefix = "\(directory)/upstream-\(port.number)-"
    caFile = prefix + "ca.pem"
    try TextFile.write(certificates.authority, to: caFile)
  }

  deinit { removeFiles() }

  /// A TLS server whose certificate is not right. Over a connection to it nothing reaches the upstream.
  func impostor(_ kind: Certificates.Kind) throws(Hindrance) -> ServingProcess {
    let chain = try chain(kind)
    return try ServingProcess(
      try Programs.openssl(),
      ["s_server", "-accept", "127.0.0.1:\(port.number)", "-cert", chain, "-key", chain, "-quiet", "-www"],
      on: port, log: log)
  }

  /// TLS that is right, and behind it a port without.
  func terminator(to plain: Port) throws(Hindrance) -> ServingProcess {
    let chain = try chain(.good)
    return try ServingProcess(
      try Programs.socat(),
      [
        "OPENSSL-LISTEN:\(port.number),bind=127.0.0.1,reuseaddr,fork,backlog=128,cert=\(chain),verify=0",
        "TCP4:127.0.0.1:\(plain.number)",
      ],
      on: port, log: log)
  }

  func removeFiles() {
    for name in Certificates.Kind.allCases.map(\.rawValue) + ["ca", "log"] { unlink("\(prefix)\(name).pem") }
  }

  private var log: String { prefix + "log.pem" }

  private func chain(_ kind: Certificates.Kind) throws(Hindrance) -> String {
    let path = "\(prefix)\(kind.rawValue).pem"
    try certificates.write(kind, to: path)
    return path
  }
}

extension Certificates.Kind {
  /// What is wrong with it; nil where the fault is none of certificates.
  init?(_ fault: UpstreamFault) {
    switch fault {
    case .untrusted: self = .untrusted
    case .wrongHost: self = .wrongHost
    case .expired: self = .expired
    default: return nil
    }
  }
}
