import Glibc
import RegdProcesses
import TestKit
import Testing

@testable import Systemd

@Suite("systemd", .blocking, .timeLimit(.minutes(10)))
struct SystemdTests {
  private static func play(_ script: String, facts: Int) async throws {
    let played = try await BootedSystemd.play("Tests/Adapters/SystemdTests/\(script)")
    #expect(played.facts == facts, "\(played.output)")
  }

  @Test(
    "a real systemd starts, asks, restarts and stops it",
    .enabled(if: BootedSystemd.canBoot, "booting a systemd needs root: run the tests as root to have this one"))
  func service() async throws { try await Self.play("service.sh", facts: 62) }

  @Test(
    "the journal has its fields, systemctl its state in words, and one that hangs is started anew",
    .enabled(if: BootedSystemd.canBoot, "booting a systemd needs root: run the tests as root to have this one"))
  func journal() async throws { try await Self.play("journal.sh", facts: 17) }

  @Test(
    "the units of several daemons side by side are those of the one, but for names and paths",
    arguments: ["service", "socket"])
  func instances(kind: String) throws {
    let names = [
      ("regd.socket", "regd@%i.socket"), ("/etc/regd/regd.yaml", "/etc/regd/%i.yaml"), ("daemon", "daemon %i"),
      ("Directory=regd", "Directory=regd/%i"), (":regd.network", ":regd.%i.network"), (":regd.mail", ":regd.%i.mail"),
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
