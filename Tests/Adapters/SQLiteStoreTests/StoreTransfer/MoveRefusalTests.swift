import Linux
import Registration
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Moving: refusals", .timeLimit(.minutes(10)))
struct MoveRefusalTests {
  @Test("a move refuses and keeps a target with accounts, of another program or of another move, and its own source")
  func targets() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      _ = try await SQLiteStore(path: stage.source).insert(Fixtures.account())
      func refusal(of file: String) -> String {
        moveFailure {
          _ = try SQLiteMoveTarget("\(directory)/\(file)", source: stage.source).begin("m", .random())
        }?.description
          ?? ""
      }
      #expect(refusal(of: "regd.db").hasSuffix("regd.db is the store to be moved; choose another file"))
      _ = try await SQLiteStore(path: "\(directory)/own.db").insert(Fixtures.account())
      #expect(refusal(of: "own.db").contains("already has accounts or an audit"))
      #expect(try await SQLiteStore(path: "\(directory)/own.db").list(after: nil, limit: 9).count == 1)
      try Connection(path: "\(directory)/foreign.db", busyMilliseconds: 0).execute("CREATE TABLE mine (x)")
      #expect(refusal(of: "foreign.db").contains("another program's database"))
      try TextFile.write("", to: "\(directory)/plain")
      #expect(
        refusal(of: "no/such/directory.db").contains(
          "no/such/directory.db: there is no directory \(directory)/no/such: install -d -o "))
      #expect(refusal(of: "plain/x.db").contains("\(directory)/plain is not a directory, but must be one"))
      _ = try SQLiteMoveTarget("\(directory)/other.db", source: stage.source).begin("another", .random())
      #expect(refusal(of: "other.db").contains("another move into it is in progress"))
      // a store without accounts counts as empty
      _ = try SQLiteStore(path: "\(directory)/empty.db")
      #expect(refusal(of: "empty.db") == "")
    }
  }

  @Test("a move refuses a source that is not a store of this version")
  func sources() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      func refusal() -> String { moveFailure { _ = try stage.mover() }?.description ?? "" }
      #expect(refusal().contains("the file does not exist"))
      do {
        let old = try Connection(path: stage.source, busyMilliseconds: 0)
        try old.execute(
          "\(Schema.migrations[0]); PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1")
      }
      #expect(refusal().contains("its schema has an earlier version"))
      #expect(try SQLiteMoveSource.state(of: stage.source) == .settled)
    }
  }

  @Test("a move reports each difference between source and target with its row and table")
  func differences() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let store = try SQLiteStore(path: stage.source)
      let request = RequestKey(uid: 7, id: "one")
      _ = try await store.insert(Fixtures.account("a@example.com"), request: request, Stamp(Fixtures.time))
      for (sql, message) in [
        ("UPDATE account SET password_hash = 'x'", "(table account)"),
        ("UPDATE request SET id = 'x'", "(table request)"), ("DELETE FROM request", "is not the same"),
        ("DELETE FROM account", "is in the source, and not in the target"),
        (
          "INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at) VALUES ('f', '', '', '', 'active', '', '')",
          "accounts f is in the target, and not in the source"
        ),
        (
          "INSERT INTO audit (at, change, account_id) VALUES ('', '', '')",
          "audit 2 is in the target, and not in the source"
        ),
      ] {
        try stage.catchUp()
        try stage.write("PRAGMA foreign_keys = ON; \(sql)", to: stage.target)
        // a mover that starts again compares everything
        let failure = moveFailure { try stage.catchUp() }
        #expect(failure?.description.contains(message) ?? false, "\(sql): \(String(describing: failure))")
        guard case .differs? = failure else {
          Issue.record("\(String(describing: failure))")
          continue
        }
        try SQLiteMoveTarget(stage.target, source: stage.source).abandon("this move")
      }
    }
  }

  @Test("a move copies every column that no trigger fills, so that a new column cannot be forgotten")
  func columns() throws {
    let connection = try Connection(path: ":memory:", busyMilliseconds: 0)
    for migration in Schema.migrations { try connection.execute(migration) }
    let columns = try connection.query(
      """
      SELECT t.name, c.name, c.type FROM sqlite_schema t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT IN ('installation', 'account_group')
      """
    ) { (row) throws(SQLiteFailure) in "\(row.text(0)).\(row.text(1)) \(row.text(2))" }
    let moved = MovedTable.allCases.flatMap { table in
      table.columns.map { "\(table.rawValue).\($0.name) \($0.kind == .integer ? "INTEGER" : "TEXT")" }
    }
    #expect(Set(columns) == Set(moved))
  }

  /// In a separate process, because the umask belongs to the whole process.
  @Test("a new target, its log and the log's index are readable only for their owner, whatever the umask")
  func modes() async {
    await #expect(processExitsWith: .success) {
      ThisProcess.setFileMask(0)
      try await withTemporaryDirectory { directory in
        let stage = MoveStage(directory)
        _ = try await SQLiteStore(path: stage.source).insert(Fixtures.account())
        #expect(try FileStatus(stage.source).permissions == 0o600)
        let target = try SQLiteMoveTarget(stage.target, source: stage.source)
        #expect(try FileStatus(stage.target).permissions == 0o600)
        _ = try target.begin("this move", .random())
        for ending in ["", "-wal", "-shm", "-journal"] where FileSystem.exists(stage.target + ending) {
          #expect(try FileStatus(stage.target + ending).permissions == 0o600, "\(ending)")
        }
        let opened = try SQLiteStore(path: "\(directory)/new.db")
        for ending in ["", "-wal", "-shm"] {
          #expect(try FileStatus("\(directory)/new.db\(ending)").permissions == 0o600, "\(ending)")
        }
        await opened.close()
      }
    }
  }

  @Test("when regd opens a database that other users may read, it removes their access")
  func closed() async throws {
    try await withTemporaryDirectory { directory in
      let path = MoveStage(directory).source
      let first = try SQLiteStore(path: path)
      for (mode, kept) in [(0o644, 0o640), (0o600, 0o600), (0o666, 0o660)] as [(UInt32, UInt32)] {
        for ending in ["", "-wal", "-shm"] { try FileSystem.setPermissions(mode, of: path + ending) }
        let store = try SQLiteStore(path: path)
        for ending in ["", "-wal", "-shm"] { #expect(try FileStatus(path + ending).permissions == kept, "\(ending)") }
        await store.close()
      }
      await first.close()
    }
  }
}
