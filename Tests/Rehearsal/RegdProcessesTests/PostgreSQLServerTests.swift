import Linux
import RegdProcesses
import TestKit
import Testing

@Suite(
  "PostgreSQL servers", .leavesNothing, .enabled(if: PostgreSQL.isHere, "needs Debian's package postgresql"),
  .timeLimit(.minutes(10)))
struct PostgreSQLServerTests {
  @Test("the error for a missing PostgreSQL names its package or its environment variable")
  func missing() {
    let none = #expect(throws: PostgreSQLServer.Failure.self) { try PostgreSQLPrograms.find(nil, debian: "/nowhere") }
    #expect(none?.description.contains("package postgresql ") == true)
    let other = #expect(throws: PostgreSQLServer.Failure.self) { try PostgreSQLPrograms.find("/nowhere") }
    #expect(other?.description.contains("REGD_TEST_POSTGRESQL_BIN=/nowhere") == true)
  }

  @Test("a new database is empty, does not see tables of another database, and has no superuser as its role")
  func databases() async throws {
    let (one, other) = (try await PostgreSQL.database(), try await PostgreSQL.database())
    #expect(one.role != other.role)
    let answers = try await PostgreSQL.onItsThread {
      let server = try PostgreSQLServer()
      let databases = try server.makeDatabases(["one", "other"])
      try server.query("CREATE TABLE account (id integer)", as: "one")
      let seen = try databases.map {
        try server.query("SELECT to_regclass('account') IS NOT NULL", as: $0.role)
      }
      return seen + [try server.query("SELECT rolsuper FROM pg_roles WHERE rolname = 'one'")]
    }
    #expect(answers == ["t", "f", "f"])
  }

  @Test("a server keeps committed data and its port when it is stopped or killed, with fsync on")
  func restarts() async throws {
    try await PostgreSQL.onItsThread {
      let server = try PostgreSQLServer()
      let port = server.port
      #expect(try server.query("SHOW fsync") == "on")
      try server.query("CREATE TABLE kept (number integer)")
      let ends: [(PostgreSQLServer) -> Void] = [{ $0.stop(.fast) }, { $0.stop(.immediate) }, { $0.kill() }]
      for (index, end) in ends.enumerated() {
        try server.query("INSERT INTO kept VALUES (\(index))")
        end(server)
        #expect(!server.isRunning)
        #expect(throws: PostgreSQLServer.Failure.self) { try server.query("SELECT 1") }
        try server.start()
        #expect(try server.query("SELECT count(*) FROM kept") == "\(index + 1)")
        #expect(server.port == port)
      }
    }
  }

  @Test("a killed server that is not started again leaves no shared memory")
  func killed() async throws {
    let remaining = try await PostgreSQL.onItsThread {
      let leftovers = Leftovers()
      try Leftovers.$current.withValue(leftovers) { try PostgreSQLServer().kill() }
      return leftovers.remaining()
    }
    #expect(remaining == [])
  }

  @Test("the error of a failed statement contains its SQLSTATE")
  func fails() async throws {
    try await PostgreSQL.onItsThread {
      let server = try PostgreSQLServer()
      let failure = #expect(throws: PostgreSQLServer.Failure.self) { try server.query("SELECT nothing") }
      #expect(failure?.description.contains("42703") == true)
    }
  }

  @Test("releasing a server removes its directory")
  func released() async throws {
    try await PostgreSQL.onItsThread {
      let server = try PostgreSQLServer()
      let directory = server.directory
      #expect(FileSystem.exists("\(directory)/data/PG_VERSION"))
      withExtendedLifetime(consume server) {}
      #expect(!FileSystem.exists(directory))
    }
  }

  @Test("a synchronous standby has the committed data, and accepts changes only after its promotion")
  func standby() async throws {
    try await PostgreSQL.onItsThread {
      let primary = try PostgreSQLServer()
      let standby = try PostgreSQLServer(standbyOf: primary, isSynchronous: true)
      try primary.query("CREATE TABLE kept AS SELECT 1 AS number")
      let refusal = #expect(throws: PostgreSQLServer.Failure.self) {
        try standby.query("CREATE TABLE other (number integer)")
      }
      #expect(refusal?.description.contains("25006") == true)
      primary.kill()
      try standby.promote()
      try standby.query("INSERT INTO kept VALUES (2)")
      #expect(try standby.query("SELECT count(*) FROM kept") == "2")
    }
  }

  @Test("a database may have its own locale")
  func locale() async throws {
    try await PostgreSQL.onItsThread {
      let server = try PostgreSQLServer()
      let database = try server.makeWholeDatabase("c_locale", "LOCALE 'C' TEMPLATE template0")
      let locale = try server.query(
        "SELECT datcollate FROM pg_database WHERE datname = current_database()", as: database.role, in: database.name)
      #expect(locale == "C")
    }
  }
}
