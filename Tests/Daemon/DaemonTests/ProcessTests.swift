import Glibc
import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// regd as a process: its exit statuses, and the data that survives it.
@Suite("Process", .blocking, .timeLimit(.minutes(10)))
struct ProcessTests {
  private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> (
    status: Int32, output: String
  ) {
    try TemporaryDirectory.with {
      try RegdProcess.run(program: Places.regd, arguments: arguments, environment: environment, directory: $0)
    }
  }

  @Test("a wrong configuration ends regd with 78 and the reason")
  func configuration() throws {
    for (arguments, says) in [
      (["--config", "/dev/zero", "--check-config"], "/dev/zero: cannot be read: it has more than 16777216 bytes"),
      (["--config", "/tmp", "--check-config"], "/tmp: cannot be read: Is a directory"),
      (["--config", "/nonexistent.yaml"], "/nonexistent.yaml: cannot be read: No such file or directory"),
      (["--config"], "--config"),
      (
        ["--config", "\(Places.root)/Config/regd.yaml", "--store-backend", "x", "--check-config"],
        "--store-backend: store.backend: must be one of"
      ),
      (["--config", "\(Places.root)/Config/regd.yaml", "--socket-group", "", "--hashing-passes", "1"], "too weak"),
    ] {
      let (status, output) = try run(arguments)
      #expect(status == 78, "\(arguments): \(output)")
      #expect(output.contains(says), "\(output)")
    }
  }

  @Test("--check-config reports a valid file and does nothing else; --version and --help print their texts")
  func checks() throws {
    try TemporaryDirectory.with { directory in
      let (status, output) = try run(
        ["--config", "\(Places.root)/Config/regd.yaml", "--check-config"],
        [
          "REGD_SOCKET_PATH": "\(directory)/s", "REGD_SOCKET_GROUP": "",
          "REGD_STORE_SQLITE_PATH": "\(directory)/regd.db", "REGD_ACCESS_ADMIN_GROUPS": "",
        ])
      #expect(status == 0)
      #expect(output == "\(Places.root)/Config/regd.yaml: valid\n")
      #expect(try FileSystem.names(in: directory).isEmpty)
    }
    #expect(try run(["--version"]).output.hasPrefix("regd 0."))
    let help = try run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("--check-config"))
  }

  @Test("regd ends with 69 if it cannot open the store, and with 71 if it cannot bind the socket")
  func startFailures() throws {
    try TemporaryDirectory.with { directory in
      let base = ["--config", "\(Places.root)/Config/regd.yaml", "--socket-group", ""]
      let noStore = try run(base + ["--socket-path", "\(directory)/s", "--store-sqlite-path", "/nonexistent/regd.db"])
      #expect(noStore.status == 69, "\(noStore.output)")
      #expect(noStore.output.contains("/nonexistent/regd.db"))
      let noSocket = try run(base + ["--socket-path", "/nonexistent/s", "--store-backend", "memory"])
      #expect(noSocket.status == 71, "\(noSocket.output)")
      try TextFile.write("precious", to: "\(directory)/s")
      let inTheWay = try run(base + ["--socket-path", "\(directory)/s", "--store-backend", "memory"])
      #expect(inTheWay.status == 71)
      #expect(inTheWay.output.contains("is not a socket"))
      #expect(TextFile.read("\(directory)/s") == "precious")
    }
  }

  @Test("with too few descriptors, regd does not start, reports it and leaves no socket", arguments: Array(4...28))
  func descriptors(limit: Int) throws {
    try TemporaryDirectory.with { directory in
      let (status, output) = try RegdProcess.run(
        program: "/usr/bin/prlimit",
        arguments: [
          "--nofile=\(limit):\(limit)", Places.regd, "--config", "\(Places.root)/Config/regd.yaml", "--socket-group=",
          "--socket-path", "\(directory)/s", "--store-sqlite-path", "\(directory)/regd.db",
        ], directory: directory)
      #expect([69, 71].contains(status), "\(output)")
      #expect(output.split(separator: "\n").last?.hasPrefix("regd: ") == true, "\(output)")
      // regd could not examine the path, and so it names no owner.
      #expect(!output.contains("belongs to"), "\(output)")
      #expect(access("\(directory)/s", F_OK) != 0)
    }
  }

  @Test("SIGTERM as soon as the socket exists is a clean stop, and a start that fails later also leaves no socket")
  func earlyStop() throws {
    try TemporaryDirectory.with { directory in
      for signal in ["TERM", "INT", "TERM"] {
        let script =
          "\(Places.regd) --config \(Places.root)/Config/regd.yaml --store-backend memory --socket-group= --socket-path \(directory)/s & "
          + "while [ ! -S \(directory)/s ]; do :; done; kill -\(signal) $!; wait $!; exit $?"
        let (status, output) = try RegdProcess.run(
          program: "/bin/sh", arguments: ["-c", script], directory: directory)
        #expect(status == 0, "\(output)")
        #expect(access("\(directory)/s", F_OK) != 0)
      }
      try TextFile.write("no list", to: "\(directory)/list")
      let (status, output) = try RegdProcess.run(
        program: Places.regd,
        arguments: [
          "--config", "\(Places.root)/Config/regd.yaml", "--store-backend", "memory", "--socket-group=",
          "--socket-path",
          "\(directory)/s", "--password-breached-list", "\(directory)/list",
        ], directory: directory)
      #expect(status != 0, "\(output)")
      #expect(access("\(directory)/s", F_OK) != 0)
    }
  }

  @Test("a second regd does not take the first one's socket")
  func second() throws {
    try withRegd { regd in
      let other = try run(
        ["--config", regd.configuration, "--store-backend", "memory"],
        ["REGD_SOCKET_PATH": regd.socket, "REGD_SOCKET_GROUP": ""])
      #expect(other.status == 71)
      #expect(other.output.contains("belongs to process \(regd.process.pid)"))
      #expect(try regd.client().call("rpc.ping") == .success("pong"))
    }
  }

  @Test(
    "if 50 connections register one address, one gets the account and 49 get email.taken",
    .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), arguments: try Places.stores.get()
  )
  func race(_ store: StoreRow) async throws {
    let places = try await PostgreSQL.onItsThread {
      try store.places(in: "/nonexistent") { try PostgreSQL.databaseNow() }
    }
    let server = places.filter { $0.key != "REGD_STORE_SQLITE_PATH" }
    try withRegd(server.merging(["REGD_STORE_BACKEND": store.name]) { $1 }) { regd in
      let connections = try (0..<50).map { _ in try regd.connect() }
      for (number, connection) in connections.enumerated() {
        let name = number.isMultiple(of: 2) ? "race@example.com" : "RACE@Example.COM"
        try connection.send(
          #"{"jsonrpc":"2.0","id":1,"method":"registration.register","params":["\#(name)","phrase \#(number) of it","phrase \#(number) of it"]}"#
        )
      }
      let replies = try connections.map { JSONValue(try $0.receiveLine() ?? []) }
      #expect(replies.filter { $0?["result"]?["account"] != nil }.count == 1)
      #expect(replies.filter { $0?["error"]?["data"]?["reason"]?.string == "email.taken" }.count == 49)
      if store.name == "sqlite" {
        #expect(
          try sqlite3(regd.database, "SELECT count(*), min(email_key) FROM account", regd.directory)
            == "1|race@example.com\n")
      }
    }
  }

  @Test("after kill -9, all acknowledged registrations are there")
  func killed() throws {
    try withRegd { regd in
      var acknowledged: [String] = []
      for round in 0..<4 {
        let client = try regd.client()
        for number in 0..<5 {
          let email = "r\(round)n\(number)@example.com"
          let entry = RegdClient.entry(email: email, password: "a fine phrase", confirmation: "a fine phrase")
          _ = try client.call("registration.register", entry).get()
          acknowledged.append(email)
        }
        // One more registration is in progress at the kill. regd has kept it completely or not at all.
        let unanswered = try regd.connect()
        try unanswered.send(
          #"{"jsonrpc":"2.0","id":1,"method":"registration.register","params":["u\#(round)@example.com","a fine phrase","a fine phrase"]}"#
        )
        try regd.restart(after: SIGKILL)
        for email in acknowledged {
          let account = try regd.client().call(
            "session.signIn", ["email": .string(email), "password": "a fine phrase"]
          ).get()
          #expect(account["account"]?["email"]?.string == email)
        }
        let half = try sqlite3(regd.database, "SELECT count(*) FROM account WHERE state <> 'active'", regd.directory)
        #expect(half == "0\n")
      }
      #expect(try sqlite3(regd.database, "PRAGMA integrity_check", regd.directory) == "ok\n")
    }
  }

  @Test("hashing has one thread per core, unless the configuration sets the number")
  func hashingThreads() throws {
    for (variables, count) in [([:], sysconf(Int32(_SC_NPROCESSORS_ONLN))), (["REGD_HASHING_WORKERS": "3"], 3)] {
      try withRegd(variables) { regd in
        let threads = "/proc/\(regd.process.pid)/task"
        // a thread names itself when it begins, which may be a moment after the start
        let client = try regd.client()
        var names: [String] = []
        for _ in 0..<200 where names.count < count {
          _ = try client.call("session.signIn", ["email": "a@example.com", "password": "x"])
          names = try FileSystem.names(in: threads).compactMap { TextFile.read("\(threads)/\($0)/comm") }
            .filter { $0 == "regd-hash\n" }
        }
        #expect(names.count == count)
      }
    }
  }

  @Test("an account survives a restart, and no password or hash is in the log")
  func restart() throws {
    try withRegd(["REGD_LOG_LEVEL": "trace"]) { regd in
      let secret = "a phrase n0body else has"
      let entry = RegdClient.entry(email: "a@example.com", password: secret, confirmation: secret)
      let account = try regd.client().call("registration.register", entry).get()
      try regd.restart(after: SIGTERM)
      let again = try regd.client().call("session.signIn", ["email": "A@EXAMPLE.com", "password": .string(secret)])
        .get()
      #expect(again == account)
      regd.process.end()
      // a database that was closed has no log left to recover from
      #expect(access("\(regd.database)-wal", F_OK) != 0)
      #expect(regd.process.output.contains("Serving"))
      #expect(!regd.process.output.contains(secret))
      #expect(!regd.process.output.contains("argon2id"))
    }
  }

  private func sqlite3(_ database: String, _ sql: String, _ directory: String) throws -> String {
    unlink("\(directory)/run.log")
    let (status, output) = try RegdProcess.run(
      program: "/usr/bin/sqlite3", arguments: [database, sql], directory: directory)
    #expect(status == 0, "\(output)")
    return output
  }
}
