import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl simulate", .blocking, .timeLimit(.minutes(5)))
struct SimulateTests {
  /// A configuration with simulated keys, with other keys, and with paths that do not exist.
  private static let configuration = """
    socket: {path: /nonexistent/s, group: ""}
    doors: {mail: {protocol: dovecot, path: /nonexistent/door}}
    limits: {requestSeconds: 20, batchItems: 3}
    password: {minimumLength: 40}
    registration: {mode: closed}
    network: {backend: http, whenUnreachable: defer, http: {baseURL: "https://accounts.example.com/v1", bearerToken: hush}}
    store: {sqlite: {path: /nonexistent/regd.db}}
    """

  private func check(_ commands: [(command: String, status: Int32, says: String)]) throws {
    try TemporaryDirectory.with { directory in
      try TextFile.write(Self.configuration, to: "\(directory)/own.yaml")
      try TextFile.write("limits: {requestSeconds: soon}\n", to: "\(directory)/bad.yaml")
      try Shell.check(commands, "/nonexistent/s", in: directory)
    }
  }

  @Test("a wrong command line, an invalid configuration and a missing simulator cause errors")
  func refused() throws {
    try check([
      ("$regctl simulate", 2, "give either --seed or --seeds"),
      ("$regctl simulate --seed 1 --seeds 1-2", 2, "give either --seed or --seeds"),
      ("$regctl simulate --seed 1 --minutes 0", 2, "--minutes must be from 1 to 10080, not 0"),
      ("$regctl simulate --config own.yaml --seeds 2-1", 64, "--seeds: 7, or 1-100"),
      ("$regctl simulate --config own.yaml --seeds 0-18446744073709551615", 64, "10⁹ at most"),
      ("$regctl simulate --config bad.yaml --seed 1", 78, "bad.yaml:1: limits.requestSeconds: must be a whole number"),
      ("$regctl simulate --config /nonexistent --seed 1", 78, "/nonexistent: cannot be read"),
      ("cp $regctl . && ./regctl simulate --seed 1", 1, "cannot find regd-simulate in "),
    ])
  }

  @Test("an operator's configuration is simulated, and keys that are not simulated are named")
  func played() throws {
    try check([
      ("$regctl simulate --config own.yaml --seeds 1-4", 0, "4 seeds, "),
      ("$regctl simulate --config own.yaml --seed 1", 0, "1 seed, "),
      (
        "$regctl simulate --config own.yaml --seed 1", 0,
        "not simulated: registration.mode: closed (open is simulated)"
      ),
      ("$regctl simulate --config own.yaml --seed 1", 0, "not simulated: limits.batchItems: 3 (8 is simulated)"),
      (
        "$regctl simulate --config own.yaml --seed 1 --json | jq -c '[.seeds, .notPlayed[0]]'", 0,
        #"[1,"registration.mode: closed (open is simulated)"]"#
      ),
      ("$regctl simulate --config own.yaml --seed 2 --minutes 2", 0, "every promise was kept"),
      ("$regctl simulate --config own.yaml --seed 1 2>&1 | grep -c hush", 1, "0"),
    ])
  }

  @Test("the simulated regd follows the configuration")
  func inForce() throws {
    let simulate = "${regctl%/*}/regd-simulate --config own.yaml --seeds 3 --transcript"
    try check([
      // whenUnreachable: defer answers pending, and no password is shorter than the configured minimum
      ("\(simulate) | grep -c '\"state\":\"pending\"' | grep -qv '^0$'", 0, ""),
      ("\(simulate) | grep -c 'horse~\\|staple~'", 0, ""),
    ])
  }

  @Test("a progress bar is shown only on a terminal")
  func progress() throws {
    try check([
      ("script -qec '$regctl simulate --config own.yaml --seeds 1-2' /dev/null", 0, "of 2 seeds"),
      ("$regctl simulate --config own.yaml --seeds 1-2 2>&1 | grep -c 'of 2 seeds'", 1, "0"),
    ])
  }
}
