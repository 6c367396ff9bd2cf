import Glibc
import Linux
import RegdClient
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

/// The notifications of a real regd to its service manager, over a socket of the test.
@Suite("Notifications to the service manager", .blocking, .timeLimit(.minutes(10)))
struct ServiceStatusTests {
  @Test("a regd that migrates its store asks for more time and reports its work, and is ready only afterwards")
  func migrating() throws {
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      let database = "\(directory)/old.db"
      do {
        let old = try Connection(path: database, busyMilliseconds: 0)
        try old.execute(Schema.migrations[0])
        try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1")
      }
      try withRegd(
        ["REGD_STORE_BACKEND": "sqlite", "REGD_STORE_SQLITE_PATH": database], startedBy: socket.starter()
      ) { regd in
        let told = try socket.until("READY=1")
        let first = try #require(told.first)
        #expect(first.hasPrefix("EXTEND_TIMEOUT_USEC=30000000\nSTATUS=Starting: opening the store"))
        #expect(told.dropLast().allSatisfy { $0.hasPrefix("EXTEND_TIMEOUT_USEC=") })
        #expect(told.last?.contains("STATUS=Serving \(regd.socket); store sqlite, network none") == true)
        #expect(regd.process.end() == 0)
        let end = try socket.until("STOPPING=1")
        #expect(end == ["STOPPING=1\nSTATUS=Stopping: finishing the requests in flight"])
      }
    }
  }

  @Test(
    "while the upstream is unavailable, the status contains the time and the callers' error, and then that regd serves")
  func upstream() throws {
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      let offline = [try Script.Step("offline")]
      let upstream = try UpstreamServer(
        Script(checkEmail: offline, register: offline, signIn: offline), directory: directory)
      defer { upstream.stop() }
      let variables = [
        "REGD_NETWORK_BACKEND": "http", "REGD_NETWORK_HTTP_BASE_URL": upstream.baseURL,
        "REGD_NETWORK_BREAKER_FAILURES": "0", "REGD_STORE_BACKEND": "memory",
      ]
      try withRegd(
        configuration: "\(Places.environments)/success.yaml", variables, startedBy: socket.starter()
      ) { regd in
        let serving = "Serving \(regd.socket); store memory, network http"
        try socket.until("READY=1")
        let client = try regd.client()
        for _ in 0..<3 { _ = try client.call("registration.checkEmail", ["email": "a@example.com"]) }
        let away = try socket.until("STATUS=")
        let words =
          /STATUS=Degraded: the upstream has been failing since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \(offline\): callers that need it get network\.offline\. (.*)/
        let found = try #require(away.last?.wholeMatch(of: words), "\(away)")
        #expect(found.output.1 == serving)
        try upstream.play(Script())
        _ = try client.call("registration.checkEmail", ["email": "a@example.com"]).get()
        // Three failures caused one message.
        let back = try socket.until("STATUS=")
        #expect(back == ["STATUS=\(serving)"])
      }
    }
  }

  private func register(_ name: String, _ regd: RunningRegd) throws {
    let entry = RegdClient.entry(
      email: "\(name)@example.com", password: "a fine phrase", confirmation: "a fine phrase")
    _ = try regd.client().call("registration.register", entry).get()
  }

  @Test("while the mail system is unavailable, the status contains this and the time, until the system accepts a mail")
  func mail() throws {
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      let variables = Postbox.verifying.merging(["REGD_STORE_BACKEND": "memory"]) { $1 }
      try withRegd(variables, startedBy: socket.starter()) { regd in
        let serving = "Serving \(regd.socket); store memory, network none"
        try socket.until("READY=1")
        try register("a", regd)
        let away = try socket.until("STATUS=")
        let words =
          /STATUS=Degraded: the mail system has been failing since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \(offline\): emails are waiting\. (.*)/
        let found = try #require(away.last?.wholeMatch(of: words), "\(away)")
        #expect(found.output.1 == serving)
        let postbox = try Postbox(regd)
        _ = try postbox.next()
        let back = try socket.until("STATUS=")
        #expect(back == ["STATUS=\(serving)"])
      }
    }
  }

  @Test(
    "while the mail system defers or refuses every mail, the status quotes the reason",
    arguments: [
      ("unavailable", "the mail system has been failing", "deferred: 451 4.3.0 local error", "emails are waiting"),
      (
        "scripted", "the mail system has been refusing every email", "refused: 535 5.7.8 authentication failed",
        "refused emails are not sent again"
      ),
    ])
  func mailPutOff(_ backend: String, _ what: String, _ failure: String, _ then: String) throws {
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      let variables = [
        "REGD_STORE_BACKEND": "memory", "REGD_REGISTRATION_VERIFICATION": "required",
        "REGD_MAIL_BACKEND": backend, "REGD_MAIL_FROM": "regd@example.com", "REGD_MAIL_SCRIPTED_SEND": "unauthorized",
      ]
      try withRegd(variables, startedBy: socket.starter()) { regd in
        try socket.until("READY=1")
        for number in 0..<8 { try register("n\(number)", regd) }
        let away = try socket.until("STATUS=").last ?? ""
        #expect(away.hasPrefix("STATUS=Degraded: \(what) since "), "\(away)")
        #expect(away.contains("Z (\(failure)): \(then). "), "\(away)")
      }
    }
  }

  @Test(
    "a database that has gone back is in the status, the log and daemon.status, until an administrator accepts it",
    .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
  func setback() throws {
    let server = try PostgreSQLServer()
    let database = try server.makeDatabase("regd")
    func restart(_ body: () throws -> Void) throws {
      server.stop()
      try body()
      try server.start()
    }
    let variables = [
      "REGD_STORE_BACKEND": "postgresql", "REGD_STORE_POSTGRESQL_URL": database.networkURL,
      "REGD_STORE_POSTGRESQL_CONNECT_SECONDS": "25", "REGD_STORE_POSTGRESQL_ANSWER_SECONDS": "25",
    ]
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      try withRegd(variables, startedBy: socket.starter()) { regd in
        try socket.until("READY=1")
        let client = try regd.client()
        func registers(_ name: String) throws -> Bool {
          let entry = RegdClient.entry(
            email: "\(name)@example.com", password: "a fine phrase", confirmation: "a fine phrase")
          switch try client.call("registration.register", entry) {
          case .success: return true
          case .failure(let error):
            #expect(error.reason == "store.unavailable")
            return false
          }
        }
        try register("a", regd)
        try restart { try server.takeSnapshot() }
        while try !registers("b") {}
        try restart { try server.goBack() }
        let told = try socket.until("gone back").last ?? ""
        for words in [
          "STATUS=Degraded: the store has been failing since ", "Z (the database has gone back to an earlier state: ",
          "it is on timeline 1 with audit entries up to 1, but regd has seen timeline 1 and audit entry 2): ",
          "callers that need it get store.unavailable. Serving ",
        ] { #expect(told.contains(words), "\(told)") }
        #expect(try !registers("c"))
        #expect(
          try client.call("daemon.status").get()["store"]?["wentBack"]?.text
            == #"{"timeline":1,"entry":1,"seenTimeline":1,"seenEntry":2}"#)
        #expect(try client.call("daemon.acceptStore").get()["accepted"]?.bool == true)
        while try !registers("c") {}
        try socket.until("STATUS=Serving")
        #expect(try client.call("daemon.acceptStore").get()["accepted"]?.bool == false)
        #expect(regd.process.end() == 0)
        let output = regd.process.output
        #expect(output.contains("The database has gone back to an earlier state, and regd does not"), "\(output)")
        let accepted = output.split(separator: "\n").filter { $0.contains("accepted the database as it is") }
        #expect(accepted.count == 1 && accepted[0].contains("method=daemon.acceptStore"), "\(output)")
      }
    }
  }

  @Test("regd sends watchdog beats from when it is ready until it stops")
  func watchdog() throws {
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      try withRegd(startedBy: socket.starter("WATCHDOG_USEC=200000")) { regd in
        let start = try socket.until("READY=1")
        #expect(!start.contains("WATCHDOG=1"))
        for _ in 0..<3 { try socket.until("WATCHDOG=1") }
        #expect(try regd.client().call("rpc.ping") == .success("pong"))
        for _ in 0..<3 { try socket.until("WATCHDOG=1") }
        #expect(regd.process.end() == 0)
        try socket.until("STOPPING=1")
      }
    }
  }

  @Test("a regd that gets SIGTERM as soon as it has its socket first reports that it is ready, and then stops")
  func early() throws {
    for _ in 0..<5 {
      try TemporaryDirectory.with { directory in
        let socket = try NotifySocket(directory)
        try withRegd(startedBy: socket.starter()) { regd in
          while !FileSystem.exists(regd.socket) {}
          kill(regd.process.pid, SIGTERM)
          #expect(regd.process.wait() == 0)
          let told = try socket.until("STOPPING=1")
          #expect(told.contains { $0.hasPrefix("READY=1") }, "\(told)")
          #expect(socket.isEmpty)
        }
      }
    }
  }

  @Test("a reload that a stop overtakes ends before the stop, and regd sends nothing after STOPPING=1")
  func overtaken() throws {
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      try withRegd(startedBy: socket.starter()) { regd in
        try socket.until("READY=1")
        kill(regd.process.pid, SIGHUP)
        kill(regd.process.pid, SIGTERM)
        #expect(regd.process.wait() == 0)
        let told = try socket.until("STOPPING=1")
        let reloads = told.count { $0.hasPrefix("RELOADING=1") }
        #expect(told.count { $0.hasPrefix("READY=1") } == reloads, "\(told)")
        #expect(socket.isEmpty)
      }
    }
  }

  @Test("a service manager that reads nothing delays neither callers nor the stop")
  func deaf() throws {
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      try withRegd(startedBy: socket.starter("WATCHDOG_USEC=2000")) { regd in
        try socket.until("READY=1")
        socket.fill()
        let client = try regd.client()
        for _ in 0..<100 { #expect(try client.call("rpc.ping") == .success("pong")) }
        #expect(regd.process.end() == 0)
      }
    }
  }

  @Test("without a watchdog, regd sends no beat")
  func none() throws {
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      try withRegd(startedBy: socket.starter()) { regd in
        try socket.until("READY=1")
        #expect(regd.process.end() == 0)
        let told = try socket.until("STOPPING=1")
        #expect(told.allSatisfy { !$0.contains("WATCHDOG") })
      }
    }
  }
}
