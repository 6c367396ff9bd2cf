internal import Linux
internal import RegdClient
internal import RegdProcesses

/// Part of `regd-bench conceal`: how much the time of a sign-in reveals that an account has a hash of another system,
/// and of which family.
///
/// A wrong password at an address without an account costs one of regd's own hashes. At an address with an account it
/// costs that account's hash. Each password is tried once, so that regd does not know yet that it is wrong.
struct ImportedShapes {
  /// Hashes with the default settings of each system. The values belong to no password.
  private static let families: [(name: String, hash: String)] = [
    ("regd's own", "$argon2id$v=19$m=19456,t=2,p=1$\(salt)$\(value)"),
    ("argon2id of Keycloak 26", "$argon2id$v=19$m=7168,t=5,p=1$\(salt)$\(value)"),
    ("PBKDF2-SHA512 of Keycloak", "$pbkdf2-sha512$i=210000$\(salt)$\(value)"),
    ("PBKDF2-SHA256 of Django 5.2", "pbkdf2_sha256$1000000$saltOfDjango22chars$\(value)="),
    ("scrypt of Django", "scrypt$16384$saltOfDjango22chars$8$5$\(value)="),
    ("scrypt of Firebase", "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$42xEC+ixf3L2lw==$AAECAwQFBgcICQoLDA0ODw=="),
    ("bcrypt, cost 10", "$2b$10$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"),
    ("bcrypt of WordPress 6.8", "$wp$2y$10$F3dFOc91lvb0VxCGVmYJdeX9F7otD0D84am6E66dQRnmikfZD16Xy"),
    ("phpass of WordPress", "$P$BIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0"),
    ("yescrypt of Debian", "$y$j9T$LdJMENpBABJJ3hIHjB1Bi.$" + String(repeating: ".", count: 43)),
    ("sha512-crypt", "$6$saltstring$" + String(repeating: ".", count: 86)),
    ("{SSHA}", "{SSHA}" + String(repeating: "A", count: 32)),
  ]
  private static let salt = "c29tZXNhbHRzb21lc2FsdA"
  private static let value = String(repeating: "A", count: 43)

  static func measure(_ products: String, rounds: Int) throws {
    try TemporaryDirectory.with { directory in
      let regd = try RegdProcess(
        program: "\(products)/regd", arguments: ["--config", try configuration(directory)], environment: [:],
        directory: directory)
      defer { regd.end() }
      let client = try RegdClient(path: "\(directory)/s")
      try importAccounts(client)
      var times: [Int: [Double]] = [:]
      for round in 0..<rounds {
        for family in families.indices.shuffled() {
          times[family, default: []].append(try milliseconds(client, email(family), "wrong \(round)"))
        }
        times[-1, default: []].append(try milliseconds(client, "nobody\(round)@example.com", "wrong"))
      }
      let unknown = RegdBench.median(times[-1] ?? [])
      print("session.signIn with a wrong password, \(rounds) of each kind; medians")
      print("  unknown address".padded(to: 38) + "\(RegdBench.decimal(unknown, 2)) ms")
      for (family, (name, _)) in families.enumerated() {
        let median = RegdBench.median(times[family] ?? [])
        print(
          "  \(name)".padded(to: 38)
            + "\(RegdBench.decimal(median, 2)) ms, \(RegdBench.decimal(median / unknown, 2)) of it")
      }
    }
  }

  private static func email(_ family: Int) -> String { "family\(family)@example.com" }

  private static func configuration(_ directory: String) throws -> String {
    let path = "\(directory)/regd.yaml"
    try FileWriting.write(
      """
      socket: {path: \(directory)/s, group: ""}
      hashing: {firebaseKey: "AAECAwQFBgcICQoLDA0ODw=="}
      signIn: {throttle: false}
      store: {backend: sqlite, sqlite: {path: \(directory)/regd.db}}
      log: {level: error}
      """, to: path)
    return path
  }

  private static func importAccounts(_ client: RegdClient) throws {
    let records = families.indices.map { family -> JSONValue in
      ["email": .string(email(family)), "passwordHash": .string(families[family].hash)]
    }
    let result = try client.call("account.import", ["records": .array(records)]).get()
    guard result["refused"]?.array?.isEmpty == true else { throw Load.Failed(description: "refused: \(result.text)") }
  }

  private static func milliseconds(_ client: RegdClient, _ email: String, _ password: String) throws -> Double {
    let start = ContinuousClock.now
    let reply = try client.call("session.signIn", ["email": .string(email), "password": .string(password)])
    let time = (ContinuousClock.now - start) / .milliseconds(1)
    guard case .failure(let error) = reply, error.reason == "credentials.rejected" else {
      throw Load.Failed(description: "a wrong password was not rejected at \(email)")
    }
    return time
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
