internal import RegdClient
internal import RegdProcesses

/// `regd-bench login`: the time and the peak memory of a login that PAM checks with pam_exec, from fork to the end of the
/// program. It is compared with /bin/true, which is started in the same way.
///
/// Most of the time of a correct password is its hash. So logins with an incorrect password are measured as well: regd
/// remembers such a refusal for two seconds, and answers the next ones without a hash.
struct LoginShapes {
  private struct Run {
    let milliseconds: Double
    let mebibytes: Double
  }

  private static let logins = 101
  private static let password = "a fine phrase"

  let products: String
  let socket: String

  func measure() throws {
    print("PAM logins: milliseconds from fork to exit, medians of \(Self.logins) (and the fastest,")
    print("and the 90th percentile), and peak memory")
    let floor = try runs("true", "/bin/true", [], password: "", status: 0)
    Self.show("/bin/true", floor, floor)
    for (title, password, status) in [
      ("incorrect password, without a hash", "another phrase", 1), ("correct password, with a hash", Self.password, 0),
    ] as [(String, String, Int32)] {
      for program in ["regd-login", "regctl"] {
        let runs = try runs(
          program, "\(products)/\(program)", ["pam", "--socket", socket], password: password, status: status)
        Self.show("\(program) pam, \(title)", runs, floor)
      }
    }
  }

  private static func show(_ title: String, _ runs: [Run], _ floor: [Run]) {
    func median(_ runs: [Run], _ value: (Run) -> Double) -> Double { RegdBench.median(runs.map(value)) }
    let times = runs.map(\.milliseconds).sorted()
    let shown = [times[times.count / 2], times[0], times[times.count * 9 / 10]].map { RegdBench.decimal($0, 1) }
    let memory = RegdBench.decimal(median(runs, \.mebibytes), 1)
    let ratio = RegdBench.decimal(median(runs, \.milliseconds) / median(floor, \.milliseconds), 1)
    print("  \(title): \(shown[0]) (\(shown[1]), \(shown[2])), \(memory) MiB; \(ratio) x /bin/true")
  }

  /// Registers an account, and signs in with it. Each series has a separate account, because regd remembers refusals.
  ///
  /// - Parameter status: The expected exit status.
  private func runs(
    _ name: String, _ program: String, _ arguments: [String], password: String, status: Int32
  ) throws -> [Run] {
    let email = "\(name)\(status)@example.com"
    let entry = RegdClient.entry(email: email, password: Self.password, confirmation: Self.password)
    _ = try RegdClient(path: socket).call("registration.register", entry).get()
    let (ended, output) = try TemporaryDirectory.with { directory in
      try RegdProcess.run(
        program: "\(products)/login-floor",
        arguments: ["\(Self.logins)", "\(status)", password, program] + arguments, environment: ["PAM_USER": email],
        directory: directory)
    }
    let runs = output.split(separator: "\n").compactMap { line -> Run? in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      return numbers.count == 2 ? Run(milliseconds: numbers[0], mebibytes: numbers[1] / 1024) : nil
    }
    guard ended == 0, runs.count == Self.logins else {
      throw Load.Failed(description: "logins with \(name) failed: \(output)")
    }
    return runs
  }
}
