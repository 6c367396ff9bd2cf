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

/// How openssl-ca(1) signs requests for certificates. openssl-x509(1) cannot make an expired certificate, because
/// OpenSSL 3.5 refuses a negative number of days.
package enum Signing {
  package enum Validity: Sendable {
    /// From now on.
    case days(Int)
    /// A day in the past.
    case over
  }

  /// A configuration file for `arguments`.
  ///
  /// - Parameter index: The path of the list of certificates, a file that exists, and is empty at first.
  package static func configuration(index: String) -> String {
    """
    [ca]
    default_ca = ca
    database = \(index)
    policy = names
    rand_serial = yes
    copy_extensions = copyall
    unique_subject = no
    [names]
    commonName = supplied

    """
  }

  /// The arguments of openssl(1).
  ///
  /// - Parameters:
  ///   - authority: The path of the authority's certificate and key, without `.pem` and `.key`.
  ///   - name: The path of the request, without `.csr`; the certificate becomes `.pem`.
  ///   - directory: Where openssl(1) keeps a copy.
  package static func arguments(
    _ name: String, by authority: String, _ validity: Validity, configuration: String, directory: String
  ) -> [String] {
    let dates =
      switch validity {
      case .days(let count): ["-days", String(count)]
      case .over: ["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"]
      }
    return [
      "ca", "-batch", "-notext", "-md", "sha256", "-config", configuration, "-outdir", directory,
      "-cert", "\(authority).pem", "-keyfile", "\(authority).key", "-in", "\(name).csr", "-out", "\(name).pem",
    ] + dates
  }
}

/// Paths of the system's programs, with the Debian packages that contain them.
package enum Programs {
  static func openssl() throws(PortFailure) -> String { try find("openssl", package: "openssl") }
  package static func socat() throws(PortFailure) -> String { try find("socat", package: "socat") }
  static func shell() throws(PortFailure) -> String { try find("sh", package: "dash") }

  /// - Parameter path: Directories separated by colons, or nil for this process's PATH.
  static func find(_ name: String, package: String, path: String? = nil) throws(PortFailure) -> String {
    let path = path ?? ThisProcess.variable("PATH") ?? "/usr/bin:/bin"
    let candidates = path.split(separator: ":").map { "\($0)/\(name)" }
    guard let program = candidates.first(where: FileSystem.isExecutable) else {
      throw PortFailure(description: "there is no program \(name); Debian's package \(package) has it")
    }
    return program
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
