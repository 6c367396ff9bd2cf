import Linux
import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

extension Faults {
  /// Which failures of an attempt to open the store may pass. regd starts without the store in that case, and otherwise
  /// does not start.
  @Suite("PostgreSQL servers that cannot be used at the start")
  struct AwayTests {
    private func refusal(_ url: String, answers: Duration = patience) async throws -> ServerFailure {
      var settings = PostgreSQLStore.Settings(url: url)
      (settings.connectLimit, settings.answerLimit) = (patience, answers)
      let refusal = try await PostgreSQL.onItsThread { [settings] in
        #expect(throws: ServerFailure.self) {
          _ = try PostgreSQLStore(
            connecting: \.opening, settings, Schema(), PlainCryptography(), Claimant(), damaged: { _ in },
            observer: { _ in }, doing: { _ in })
        }
      }
      return try #require(refusal)
    }

    @Test("a wrong role, database, password or option, or another program's tables, do not pass")
    func wrong() async throws {
      try await withTemporaryDirectory { directory in
        let rules = "\(directory)/pg_hba.conf"
        try TextFile.write("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n", to: rules)
        // the server runs as another user
        try FileSystem.setPermissions(0o755, of: directory)
        try FileSystem.setPermissions(0o644, of: rules)
        let (server, database) = try await PostgreSQL.onItsThread {
          let server = try PostgreSQLServer(settings: ["hba_file": rules])
          return (server, try server.makeDatabase("regd"))
        }
        let (local, remote) = (database.url, database.networkURL)
        for (url, state, words) in [
          (local.replacing("regd@", with: "nobody@"), "28000", "role \"nobody\" does not exist"),
          (local.replacing("/postgres?", with: "/none?"), "3D000", "database \"none\" does not exist"),
          (remote.replacing("regd@", with: "regd:wrong@"), "28P01", "password authentication failed"),
          (remote, "", "no password supplied"), ("\(local)&sslmode=none", "", "invalid sslmode value"),
        ] {
          let refused = try await refusal(url)
          #expect(!refused.mayPass, "\(refused)")
          #expect(refused.sqlState == state, "\(refused)")
          #expect(refused.message.contains(words), "\(refused)")
          #expect(!refused.message.contains("LOCATION"), "\(refused)")
          #expect(state.isEmpty || !refused.message.contains(state), "\(refused)")
        }
        try await PostgreSQL.onItsThread { _ = try database.query("CREATE TABLE account (name text)") }
        let foreign = try await refusal(local)
        #expect(!foreign.mayPass && foreign.kind == .unfit, "\(foreign)")
        try await PostgreSQL.onItsThread { server.stop() }
      }
    }

    @Test("a server that does not run, accepts no change or has no free connection may be used later")
    func away() async throws {
      let (server, database) = try await PostgreSQL.onItsThread {
        let server = try PostgreSQLServer()
        return (server, try server.makeDatabase("regd"))
      }
      for (statement, undone, state) in [
        ("CONNECTION LIMIT 0", "CONNECTION LIMIT -1", "53300"),
        ("SET default_transaction_read_only = on", "RESET default_transaction_read_only", ""),
      ] {
        try await PostgreSQL.onItsThread { _ = try server.query("ALTER ROLE regd \(statement)") }
        let refused = try await refusal(database.url)
        #expect(refused.mayPass && refused.sqlState == state, "\(refused)")
        try await PostgreSQL.onItsThread { _ = try server.query("ALTER ROLE regd \(undone)") }
      }
      try await PostgreSQL.onItsThread { server.stop() }
      for url in [database.url, database.networkURL] {
        let refused = try await refusal(url)
        #expect(refused.mayPass && refused.kind == .disconnected, "\(refused)")
      }
      #expect(ServerFailure.unresolved("db.example", "it has no address").mayPass)
      #expect(ServerFailure.deadline(.seconds(1)).mayPass && ServerFailure.unfollowed.mayPass)
    }

    @Test("an attempt waits neither for a server that is silent once it is connected, nor for a lock on regd's tables")
    func silent() async throws {
      try await withDatabase { database in
        let proxied = try ProxiedDatabase(database)
        proxied.proxy.decide { $0.statement.contains("information_schema") ? .swallow : .forward }
        let silent = try await refusal(proxied.settings.url, answers: .milliseconds(10))
        #expect(silent.mayPass && silent.kind == .deadline, "\(silent)")
        let store = try await opened(PostgreSQLStore.Settings(database))
        await store.close()
        let holder = try await PostgreSQL.onItsThread {
          let holder = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
          holder.begin()
          try holder.run("LOCK TABLE installation IN ACCESS EXCLUSIVE MODE")
          return Held(holder)
        }
        let locked = try await refusal(database.url, answers: .milliseconds(10))
        // on a busy machine, the server's answer may come too late
        #expect(locked.mayPass && (locked.sqlState == "55P03" || locked.kind == .deadline), "\(locked)")
        try await PostgreSQL.onItsThread { _ = try holder.connection.run("COMMIT") }
      }
    }
  }
}

struct UnconnectedTests {
  @Test(
    "a failed connection has the SQLSTATE of the server's refusal, and a message without the server's source code",
    arguments: [
      ("", "the connection has ended", ""),
      ("server closed the connection\n\tprobably before", "server closed the connection probably before", ""),
      (
        "connection to a failed: FATAL:  28P01: password authentication failed\nLOCATION:  auth_failed, auth.c:334\n",
        "connection to a failed: FATAL: password authentication failed", "28P01"
      ),
      // a server may write its messages in another language
      ("a failed: SCHWERWIEGEND:  3D000: Datenbank fehlt\n", "a failed: SCHWERWIEGEND: Datenbank fehlt", "3D000"),
      (
        "a failed: refused\nb failed: FATAL:  57P03: starting up\nLOCATION:  x, y.c:1\nc failed: FATAL:  28000: no\n",
        "a failed: refused b failed: FATAL: starting up c failed: FATAL: no", "57P03"
      ),
      ("a failed: ERROR: a 12345: b", "a failed: ERROR: a 12345: b", ""),
    ])
  func refusals(report: String, message: String, state: String) {
    #expect(ServerFailure.unconnected(report) == .disconnected(message, sqlState: state))
  }

  @Test("a URL with a port that does not exist is refused")
  func ports() {
    for (port, isPort) in [("0", false), ("65536", false), ("+5", false), ("1", true), ("65535", true), ("", true)] {
      #expect((ServerAddress("postgresql://db.example:\(port)/regd") != nil) == isPort, "\(port)")
    }
  }
}
