import Glibc
import RegdProcesses
import TestKit
import Testing

@testable import Systemd

@Suite("systemd", .timeLimit(.minutes(10)))
struct SystemdTests {
  /// Booting one needs root. CI has it, and there the absence is a failure.
  private static var canBoot: Bool { geteuid() == 0 || getenv("CI") != nil }

  /// Plays a script in a systemd of its own; each line "ok …" is a fact.
  private func play(_ script: String, facts: Int) throws {
    try TemporaryDirectory.with { directory in
      let tests = "\(Places.root)/Tests/Adapters/SystemdTests"
      let (status, output) = try RegdProcess.run(
        program: "\(tests)/with-systemd",
        arguments: [
          "--private-network", "--bind-ro", "\(Places.regd):/usr/bin/regd", "--bind-ro",
          "\(Places.regctl):/usr/bin/regctl", "--bind-ro", Places.root, "--", "bash", "\(tests)/\(script)", Places.root,
        ],
        directory: directory)
      #expect(status == 0, "\(output)")
      #expect(output.hasSuffix("done\n"), "\(output)")
      #expect(output.split(separator: "\n").filter { $0.hasPrefix("ok ") }.count == facts, "\(output)")
    }
  }

  @Test(
    "a real systemd starts, asks, restarts and stops it",
    .enabled(if: canBoot, "booting a systemd needs root: run the tests as root to have this one"))
  func service() throws { try play("service.sh", facts: 62) }

  @Test(
    "the journal has its fields, systemctl its state in words, and one that hangs is started anew",
    .enabled(if: canBoot, "booting a systemd needs root: run the tests as root to have this one"))
  func journal() throws { try play("journal.sh", facts: 17) }

  @Test(
    "the units of several daemons side by side are those of the one, but for names and paths",
    arguments: ["service", "socket"])
  func instances(kind: String) throws {
    let names = [
      ("regd.socket", "regd@%i.socket"), ("/etc/regd/regd.yaml", "/etc/regd/%i.yaml"), ("daemon", "daemon %i"),
      ("Directory=regd", "Directory=regd/%i"), (":regd.network", ":regd.%i.network"),
      ("/run/regd/regd.sock", "/run/regd/%i/regd.sock"),
    ]
    let expected = try Self.settings("regd.\(kind)").map { line in
      names.reduce(line) { $0.replacing($1.0, with: $1.1) }
    }
    let own = try Self.settings("regd@.\(kind)").filter { !$0.hasPrefix("Environment=REGD_SOCKET_PATH=") }
    #expect(own == expected)
    #expect(own.count > 10 || kind == "socket")
  }

  /// The lines of a unit that are no comments.
  private static func settings(_ unit: String) throws -> [String] {
    try #require(TextFile.read("\(Places.root)/systemd/\(unit)")).split(separator: "\n").map(String.init).filter {
      !$0.hasPrefix("#")
    }
  }

  @Test("what is passed in and is no listening Unix socket is refused")
  func wrongSocket() throws {
    try TemporaryDirectory.with { directory in
      // the shell puts a plain file where systemd would put the socket
      let command =
        "LISTEN_PID=$$ LISTEN_FDS=1 exec \(Places.regd) --config \(Places.root)/Config/regd.yaml --socket-group '' --store-backend memory 3</dev/null"
      let (status, output) = try RegdProcess.run(program: "/bin/sh", arguments: ["-c", command], directory: directory)
      #expect(status == 71, "\(output)")
      #expect(output.contains("no listening Unix stream socket"))
    }
  }

  @Test("without a service manager nothing is passed in, and telling it anything does nothing")
  func none() throws {
    let manager = ServiceManager()
    #expect(try manager.takeListeningSockets().isEmpty)
    manager.ready(status: "x")
    manager.stopping(status: "x")
  }
}
