import Linux
import RegdClient
import RegdProcesses
import Registration
import Synchronization
import TestKit
import Testing

@testable import Daemon

/// A start while the server of the store is away: regd serves what needs no store, and is ready once the store is open.
@Suite(
  "A start without the store's server", .blocking,
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct StartWithoutStoreTests {
  private static let away = "STATUS=Degraded: the store has been failing since "

  private func variables(_ url: String) -> [String: String] {
    // a busy machine may be slow to answer
    [
      "REGD_STORE_BACKEND": "postgresql", "REGD_STORE_POSTGRESQL_URL": url,
      "REGD_STORE_POSTGRESQL_CONNECT_SECONDS": "20", "REGD_STORE_POSTGRESQL_ANSWER_SECONDS": "20",
    ]
  }

  private func reason(_ answer: Result<JSONValue, RegdError>) -> String? {
    if case .failure(let error) = answer { error.reason } else { nil }
  }

  private static let entry = RegdClient.entry(
    email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase")

  @Test("regd serves what needs no store, accepts a reload, and is ready once the server runs")
  func served() throws {
    let server = try PostgreSQLServer()
    let database = try server.makeDatabase("regd")
    server.stop()
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      try withRegd(variables(database.networkURL), startedBy: socket.starter("WATCHDOG_USEC=60000000")) { regd in
        let first = try socket.until(Self.away)
        #expect(first.allSatisfy { $0.hasPrefix("EXTEND_TIMEOUT_USEC=30000000\nSTATUS=") || $0 == "WATCHDOG=1" })
        let status = first.last ?? ""
        #expect(status.contains("): callers that need it get store.unavailable. Serving \(regd.socket); "), "\(status)")
        #expect(status.contains("Connection refused"), "\(status)")
        let client = try regd.client()
        #expect(try client.call("rpc.ping") == .success("pong"))
        #expect(try client.call("rpc.serverInfo").get()["store"]?["backend"]?.string == "postgresql")
        #expect(try client.call("registration.validate", Self.entry).get()["registrationEnabled"]?.bool == true)
        #expect(try client.call("form.open", ["kind": "registration"]).get()["form"] != nil)
        #expect(try client.call("daemon.reload").get()["generation"]?.integer == 2)
        for (method, params) in [
          ("registration.register", Self.entry), ("session.signIn", ["email": "a@example.com", "password": "x"]),
          ("registration.checkEmail", ["email": "a@example.com"]), ("registration.status", ["requestId": "r"]),
          ("account.list", [:]), ("events.list", [:]),
        ] as [(String, JSONValue)] {
          #expect(reason(try client.call(method, params)) == "store.unavailable", "\(method)")
        }
        let away = try client.call("daemon.status").get()
        #expect(away["store"]?["failure"]?.string?.contains("Connection refused") == true, "\(away.text)")
        #expect(away["failingTasks"] == nil, "\(away.text)")
        try server.start()
        let told = try socket.until("READY=1")
        #expect(told.dropLast().allSatisfy { $0.hasPrefix("EXTEND_TIMEOUT_USEC=") || $0 == "WATCHDOG=1" }, "\(told)")
        #expect(told.last?.contains("STATUS=Serving \(regd.socket); store postgresql") == true, "\(told)")
        #expect(try client.call("registration.register", Self.entry).get()["stamp"]?.string?.isEmpty == false)
        #expect(try client.call("daemon.reload").get()["generation"]?.integer == 3)
        let reload = try socket.until("READY=1")
        #expect(reload.contains { $0.hasPrefix("RELOADING=1") }, "\(reload)")
        let wrong: JSONValue = ["email": "a@example.com", "password": "another phrase"]
        #expect(reason(try client.call("session.signIn", wrong)) == "credentials.rejected")
        #expect(regd.process.end() == 0)
        let output = regd.process.output
        #expect(output.contains("The store had no database"), "\(output)")
        #expect(output.contains("The store works again"), "\(output)")
      }
    }
  }

  @Test(
    "a stop while the server is away is clean, and regd has never reported that it is ready",
    arguments: [nil, "name.invalid"])
  func stopped(host: String?) throws {
    let server = try PostgreSQLServer()
    let url = try server.makeDatabase("regd").networkURL
    server.stop()
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      var variables = variables(host.map { url.replacing("127.0.0.1", with: $0) } ?? url)
      // name servers may be silent
      if host != nil { variables["REGD_STORE_POSTGRESQL_CONNECT_SECONDS"] = "0.5" }
      try withRegd(variables, startedBy: socket.starter()) { regd in
        let told = try socket.until(Self.away)
        if let host { #expect(told.last?.contains("\"\(host)\"") == true, "\(told)") }
        #expect(try regd.client().call("rpc.ping") == .success("pong"))
        #expect(regd.process.end() == 0)
        let end = try socket.until("STOPPING=1")
        #expect(!(told + end).contains { $0.contains("READY=1") }, "\(told) \(end)")
        #expect(!FileSystem.exists(regd.socket))
      }
    }
  }

  @Test("if the database turns out to be another program's, regd ends with 69 and the reason")
  func unfit() throws {
    let server = try PostgreSQLServer()
    let database = try server.makeDatabase("regd")
    try database.query("CREATE TABLE account (name text)")
    server.stop()
    try TemporaryDirectory.with { directory in
      let socket = try NotifySocket(directory)
      try withRegd(variables(database.networkURL), startedBy: socket.starter()) { regd in
        try socket.until(Self.away)
        try server.start()
        #expect(regd.process.wait() == 69)
        let output = regd.process.output
        #expect(output.contains("regd: the store cannot be opened: there is a table account of another"), "\(output)")
        let told = try socket.until("STATUS=Did not start: the store cannot be opened")
        #expect(!told.contains { $0.contains("READY=1") }, "\(told)")
        #expect(!FileSystem.exists(regd.socket))
      }
    }
    #expect(try database.query("SELECT count(*) FROM account") == "0")
  }

  @Test("a wrong role or database, or an option that libpq refuses, ends the start at once with 69")
  func wrong() throws {
    let server = try PostgreSQLServer()
    let url = try server.makeDatabase("regd").networkURL
    for (wrong, says) in [
      (url.replacing("regd@", with: "nobody@"), "role \"nobody\" does not exist (SQLSTATE 28000)"),
      (url.replacing("/postgres", with: "/none"), "database \"none\" does not exist (SQLSTATE 3D000)"),
      ("\(url)?sslmode=none", "invalid sslmode value: \"none\""),
    ] {
      try TemporaryDirectory.with { directory in
        let run = try RegdProcess.run(
          program: Places.regd, arguments: ["--config", Places.configuration],
          environment: variables(wrong).merging([
            "REGD_SOCKET_PATH": "\(directory)/s", "REGD_SOCKET_GROUP": "", "REGD_ACCESS_ADMIN_GROUPS": "",
          ]) { $1 }, directory: directory)
        #expect(run.status == 69, "\(run.output)")
        #expect(run.output.contains("regd: the store cannot be opened: "), "\(run.output)")
        #expect(run.output.contains(says), "\(run.output)")
      }
    }
    server.stop()
  }
}

/// Attempts to open a store, with outcomes that the test decides.
@Suite("The store that regd waits for", .timeLimit(.minutes(5)))
struct AwaitedStoreTests {
  private let reason = Reloadable("away")

  private func store(_ attempt: @escaping AwaitedStore.Attempt) throws -> AwaitedStore {
    try AwaitedStore(reason, pause: .milliseconds(1), attempt: attempt)
  }

  @Test("attempts are repeated until the store is open, and its work begins only then")
  func opened() async throws {
    let attempts = Mutex(0)
    let opened = MemoryStore()
    let awaited = try store { [reason] () throws(StartupFailure) in
      let number = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      reason.replace("away \(number)")
      return number < 3 ? .away(reason: "away \(number)") : .open(OpenStore(opened))
    }
    let placeholder = SwitchableEngine(awaited.placeholder)
    await #expect(throws: StoreFailure.unavailable(detail: "away")) { try await placeholder.check() }
    let open = try await awaited.open()
    #expect((open?.engine as? MemoryStore) === opened)
    #expect(attempts.withLock { $0 } == 3)
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { await awaited.hasBegun() }
      awaited.begin()
      #expect(await group.next() == true)
    }
  }

  @Test("a failure that time does not cure ends the attempts")
  func failed() async throws {
    let failure = StartupFailure(.unavailable, "another program's")
    let awaited = try store { () throws(StartupFailure) in throw failure }
    await #expect(throws: failure) { _ = try await awaited.open() }
  }

  @Test("a stop ends the wait during an attempt that does not end, and the work does not begin")
  func cancelled() async throws {
    let (begun, released) = (Semaphore(), Semaphore())
    let awaited = try store { () throws(StartupFailure) in
      begun.signal()
      released.wait()
      return .away(reason: "away")
    }
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await awaited.open()) == nil }
      group.addTask { await !awaited.hasBegun() }
      while !begun.wait(atMost: .zero) { await Task.yield() }
      group.cancelAll()
      for await isEnded in group { #expect(isEnded) }
    }
    released.signal()
  }
}
