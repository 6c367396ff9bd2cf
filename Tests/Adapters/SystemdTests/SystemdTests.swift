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

  @Test("a status is one variable of sd_notify, whatever characters it contains")
  func status() {
    for end in ["\n", "\r\n", "\u{1B}", "\u{85}", "\u{2028}"] {
      let line = ServiceManager.line("store: x\(end)WATCHDOG=trigger")
      #expect(
        line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{2028}" }, "\(line)")
      #expect(line.hasPrefix("store: x ") && line.hasSuffix(" WATCHDOG=trigger"))
    }
  }

  @Test(
    "a real systemd starts, queries, restarts and stops regd",
    .needsRoot)
  func service() async throws { try await Self.play("service.sh", facts: 94) }

  @Test(
    "the journal contains regd's fields, systemctl shows regd's state, and systemd restarts a hanging regd",
    .needsRoot)
  func journal() async throws { try await Self.play("journal.sh", facts: 17) }

  @Test(
    "the units for several daemons equal the units for one daemon, except for names and paths",
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

  /// The lines of a unit without comments.
  private static func settings(_ unit: String) throws -> [String] {
    try #require(TextFile.read("\(Places.root)/systemd/\(unit)")).split(separator: "\n").map(String.init).filter {
      !$0.hasPrefix("#")
    }
  }

  @Test("each commit's build has a later version than earlier builds; without git it has the source's version")
  func versions() throws {
    try TemporaryDirectory.with { directory in
      let script = """
        set -eu
        export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a HOME=\(directory)
        mkdir -p repository/Sources/C/CVersion && cd repository && cp \(Places.root)/Sources/C/CVersion/version.c Sources/C/CVersion
        version() { \(Places.root)/systemd/debian/version . "$@"; }
        version; [ -z "$(version entry)" ]
        git init -q . && git add . && git commit -qm first && version
        echo >>Sources/C/CVersion/version.c && version
        git commit -qam 'the second' && version
        version entry | sed -n 's/^regd (\\(.*\\)) unstable.*/\\1/p'
        """
      let (status, output) = try RegdProcess.run(
        program: "/bin/sh", arguments: ["-c", "cd \(directory) && \(script)"], directory: directory)
      #expect(status == 0, "\(output)")
      let versions = output.split(separator: "\n").map(String.init)
      try #require(versions.count == 5, "\(output)")
      #expect(versions[1].hasPrefix("\(versions[0])+git1.") && versions[2] == "\(versions[1]).changed")
      #expect(versions[3].hasPrefix("\(versions[0])+git2.") && versions[4] == versions[3], "\(output)")
      for (earlier, later) in zip(versions, versions.dropFirst()).prefix(3) {
        let compared = try RegdProcess.run(
          program: "/usr/bin/dpkg", arguments: ["--compare-versions", later, "gt", earlier], directory: directory)
        #expect(compared.status == 0, "\(later) is not after \(earlier)")
      }
    }
  }

  @Test("a debug build of both programs prints the version of the source, without a commit")
  func version() throws {
    let said = try ["regd", "regctl"].map { "\(Places.products)/\($0)" }.map { program in
      try TemporaryDirectory.with { directory in
        try RegdProcess.run(program: program, arguments: ["--version"], directory: directory).output
      }
    }
    #expect(said[0].hasPrefix("regd 0.") && said[0].hasSuffix("+dev\n"), "\(said)")
    #expect(said[1] == said[0].replacing("regd", with: "regctl"))
  }

  @Test("regd refuses a passed descriptor that is not a listening Unix socket")
  func wrongSocket() throws {
    try TemporaryDirectory.with { directory in
      // the shell puts a plain file where systemd would put the socket
      let command =
        "LISTEN_PID=$$ LISTEN_FDS=1 exec \(Places.regd) --config \(Places.root)/Config/regd.yaml --socket-group '' --store-backend memory 3</dev/null"
      let (status, output) = try RegdProcess.run(program: "/bin/sh", arguments: ["-c", command], directory: directory)
      #expect(status == 71, "\(output)")
      #expect(output.contains("is not a listening Unix stream socket"))
    }
  }

  @Test("without a service manager, regd gets no sockets, and its notifications have no effect")
  func none() throws {
    let manager = ServiceManager()
    #expect(try manager.takeListeningSockets().isEmpty)
    manager.ready(status: "x")
    manager.stopping(status: "x")
  }
}
