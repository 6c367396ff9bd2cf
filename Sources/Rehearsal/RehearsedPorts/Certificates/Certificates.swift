internal import Linux
internal import Synchronization

/// Valid and invalid certificates with their keys, as PEM. openssl(1) makes them once per process, for all servers in
/// it.
package struct Certificates: Sendable {
  /// The raw values of the invalid kinds equal those of the `UpstreamFault`s that show these certificates.
  package enum Kind: String, CaseIterable, Sendable {
    case good
    /// Signed by an authority that no client trusts.
    case untrusted
    /// Made for another host.
    case wrongHost = "wrong-host"
    /// Expired already when it was made.
    case expired
  }

  /// The certificate of the valid authority.
  let authority: String
  /// The certificates by kind, each with its key.
  private let chains: [Kind: String]

  private static let made = Mutex<Certificates?>(nil)

  /// - Parameter directory: Used by openssl(1) at the first call.
  static func shared(_ directory: String) throws -> Certificates {
    try made.withLock { made in
      if let made { return made }
      let new = try Certificates(makingIn: directory)
      made = new
      return new
    }
  }

  func write(_ kind: Kind, to path: String) throws {
    try FileWriting.write(chains[kind] ?? "", to: path, permissions: 0o600)
  }

  private init(makingIn directory: String) throws {
    let work = try Workshop("\(directory)/certificates-\(ThisProcess.id)")
    defer { work.close() }
    authority = try work.authority("ours")
    _ = try work.authority("unknown")
    var chains: [Kind: String] = [:]
    for kind in Kind.allCases {
      chains[kind] = try work.chain(
        named: kind.rawValue, host: kind == .wrongHost ? "elsewhere.invalid" : "localhost",
        kind == .expired ? .over : .days(30), signedBy: kind == .untrusted ? "unknown" : "ours")
    }
    self.chains = chains
  }
}

/// A working directory for openssl(1).
private struct Workshop {
  private let directory: String
  private let openssl: String
  private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

  init(_ directory: String) throws {
    openssl = try Programs.openssl()
    try FileSystem.makeDirectory(directory, permissions: 0o700)
    self.directory = directory
    try FileWriting.write("", to: path("index"), permissions: 0o600)
    try FileWriting.write(Signing.configuration(index: path("index")), to: path("ca.cnf"), permissions: 0o600)
  }

  /// Removes the directory.
  func close() { FileSystem.removeDirectory(directory) }

  func authority(_ name: String) throws -> String {
    try run(
      ["req", "-x509"] + Self.newKey + [
        "-keyout", path("\(name).key"), "-out", path("\(name).pem"), "-days", "30",
        "-subj", "/CN=Rehearsed authority (\(name))", "-addext", "keyUsage=critical,keyCertSign",
      ])
    return try read("\(name).pem")
  }

  func chain(
    named name: String, host: String, _ validity: Signing.Validity, signedBy authority: String
  ) throws -> String {
    try run(
      ["req", "-new"] + Self.newKey + [
        "-keyout", path("\(name).key"), "-out", path("\(name).csr"), "-subj", "/CN=\(host)",
        "-addext", "subjectAltName=DNS:\(host)", "-addext", "basicConstraints=critical,CA:FALSE",
        "-addext", "extendedKeyUsage=serverAuth",
      ])
    try run(
      Signing.arguments(
        path(name), by: path(authority), validity, configuration: path("ca.cnf"), directory: directory))
    return try read("\(name).pem") + (try read("\(name).key"))
  }

  private func run(_ arguments: [String]) throws {
    let log = path("log")
    let pid = try ChildProcess.start(
      openssl, arguments, [0: .null, 1: .null, 2: .appended(path: log)], resetsSignals: true)
    guard ChildProcess.reap(pid) == 0 else {
      let said = (try? FileReading.text(log)) ?? ""
      throw PortFailure(description: "\(openssl) \(arguments.joined(separator: " ")) failed: \(said)")
    }
  }

  private func read(_ name: String) throws -> String { try FileReading.text(path(name)) }

  private func path(_ name: String) -> String { "\(directory)/\(name)" }
}
