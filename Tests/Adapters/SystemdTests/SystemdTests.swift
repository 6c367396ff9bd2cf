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
  func service() async throws { try await Self.play("service.sh", facts: 99) }

  @Test(
    "the journal contains regd's fields, systemctl shows regd's state, and systemd restarts a hanging regd",
    .needsRoot)
  func journal() async throws { try await Self.play("journal.sh", facts: 17) }

  @Test(
    "while name servers are silent, regd starts and runs without its store, and systemd does not restart it",
    .needsRoot, .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
  func names() async throws { try await Self.play("names.sh", facts: 20) }

  @Test(
    "the units for several daemons equal the units for one daemon, except for names and paths",
    arguments: ["service", "socket"])
  func instances(kind: String) throws {
    let names = [
      ("regd.socket", "regd@%i.socket"), ("/etc/regd/regd.yaml", "/etc/regd/%i.yaml"), ("daemon", "daemon %i"),
      ("Directory=regd", "Directory=regd/%i"), (":regd.network", ":regd.%i.network"), (":regd.mail", ":regd.%i.mail"),
      (":regd.audit", ":regd.%i.audit"),
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

  @Test("each commit's build has a later version than earlier builds, as has the package for a later release")
  func versions() throws {
    try TemporaryDirectory.with { directory in
      let script = """
        set -eu
        export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a HOME=\(directory)
        mkdir -p repository/Sources/C/CVersion repository/systemd/debian && cd repository
        cp \(Places.root)/Sources/C/CVersion/version.c Sources/C/CVersion
        cp \(Places.root)/systemd/debian/changelog systemd/debian
        for release in 12 13; do printf 'ID=debian\\nVERSION_ID="%s"\\n' $release >../$release; done
        export OS_RELEASE=../12
        version() { \(Places.root)/systemd/debian/version . "$@"; }
        newest() { version changelog | sed -n '1s/^regd (\\(.*\\)) unstable.*/\\1/p'; }
        version; [ "$(newest)" = "$(version package)" ]
        git init -q . && git add . && git commit -qm first && version && version package
        echo >>Sources/C/CVersion/version.c && version
        git commit -qam 'the second' && version
        version package; OS_RELEASE=../13 newest
        """
      let (status, output) = try RegdProcess.run(
        program: "/bin/sh", arguments: ["-c", "cd \(directory) && \(script)"], directory: directory)
      #expect(status == 0, "\(output)")
      let versions = output.split(separator: "\n").map(String.init)
      try #require(versions.count == 7, "\(output)")
      let (source, first, second) = (versions[0], versions[1], versions[4])
      #expect(first.hasPrefix("\(source)+git1.") && versions[3] == "\(first).changed", "\(output)")
      #expect(second.hasPrefix("\(source)+git2."), "\(output)")
      #expect(versions[2] == "\(first)~deb12", "\(output)")
      #expect(Array(versions[5...]) == ["\(second)~deb12", "\(second)~deb13"], "\(output)")
      for (earlier, later) in [
        (source, first), (first, versions[3]), (versions[3], second), (versions[2], versions[5]),
        (versions[5], versions[6]),
      ] {
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
