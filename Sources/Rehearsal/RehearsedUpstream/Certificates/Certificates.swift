internal import Glibc
internal import Synchronization

/// Certificates for TLS that is right and for TLS that is wrong, with their keys, as PEM. Made with openssl(1) once in a
/// process, for all servers in it.
struct Certificates: Sendable {
  enum Kind: String, CaseIterable {
    case good = "good"
    /// Signed by an authority that nobody knows.
    case untrusted = "untrusted"
    /// Of another host.
    case wrongHost = "wrong-host"
    /// Its time was over when it was made.
    case expired = "expired"
  }

  /// Our authority's certificate.
  let authority: String
  /// Each a certificate and its key.
  private let chains: [Kind: String]

  private static let made = Mutex<Certificates?>(nil)

  /// - Parameter directory: Where openssl(1) works, should they not have been made yet.
  static func shared(_ directory: String) throws(Hindrance) -> Certificates {
    // not with typed errors through the closure: Mutex's would be guessed as `any Error`
    let result: Result<Certificates, Hindrance> = made.withLock { made in
      if let made { return .success(made) }
      do throws(Hindrance) {
        let new = try Certificates(makingIn: directory)
        made = new
        return .success(new)
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  func write(_ kind: Kind, to path: String) throws(Hindrance) { try TextFile.write(chains[kind] ?? "", to: path) }

  private init(makingIn directory: String) throws(Hindrance) {
    let work = try Workshop("\(directory)/certificates-\(getpid())")
    defer { work.close() }
    authority = try work.authority("ours")
    _ = try work.authority("unknown")
    var chains: [Kind: String] = [:]
    for kind in Kind.allCases {
      chains[kind] = try work.chain(
        named: kind.rawValue, host: kind == .wrongHost ? "elsewhere.invalid" : "localhost",
        // with openssl(1)'s -days, a number below 0 is a time that ended before it began
        days: kind == .expired ? -1 : 30, signedBy: kind == .untrusted ? "unknown" : "ours")
    }
    self.chains = chains
  }
}

/// A directory in which openssl(1) works.
private struct Workshop {
  private let directory: String
  private let openssl: String
  private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

  init(_ directory: String) throws(Hindrance) {
    openssl = try Programs.openssl()
    guard mkdir(directory, 0o700) == 0 else { throw Hindrance("mkdir \(directory)", errno) }
    self.directory = directory
  }

  /// Removes what was made; it has been read by then.
  func close() {
    guard let entries = opendir(directory) else { return }
    defer {
      closedir(entries)
      rmdir(directory)
    }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { unlink(path(name)) }
    }
  }

  func authority(_ name: String) throws(Hindrance) -> String {
    try run(
      ["req", "-x509"] + Self.newKey + [
        "-keyout", path("\(name).key"), "-out", path("\(name).pem"), "-days", "30",
        "-subj", "/CN=Rehearsed authority (\(name))", "-addext", "keyUsage=critical,keyCertSign",
      ])
    return try read("\(name).pem")
  }

  func chain(named name: String, host: String, days: Int, signedBy authority: String) throws(Hindrance) -> String {
    try run(
      ["req", "-new"] + Self.newKey + [
        "-keyout", path("\(name).key"), "-out", path("\(name).csr"), "-subj", "/CN=\(host)",
        "-addext", "subjectAltName=DNS:\(host)", "-addext", "basicConstraints=critical,CA:FALSE",
        "-addext", "extendedKeyUsage=serverAuth",
      ])
    try run([
      "x509", "-req", "-in", path("\(name).csr"), "-CA", path("\(authority).pem"), "-CAkey", path("\(authority).key"),
      "-days", String(days), "-copy_extensions", "copyall", "-out", path("\(name).pem"),
    ])
    return try read("\(name).pem") + (try read("\(name).key"))
  }

  private func run(_ arguments: [String]) throws(Hindrance) {
    try Spawning.run(openssl, arguments, log: path("log"))
  }

  private func read(_ name: String) throws(Hindrance) -> String {
    guard let text = TextFile.read(path(name)) else { throw Hindrance("read \(path(name))", errno) }
    return text
  }

  private func path(_ name: String) -> String { "\(directory)/\(name)" }
}
