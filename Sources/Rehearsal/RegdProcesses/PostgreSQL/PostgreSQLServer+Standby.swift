internal import Linux

/// A streaming standby, its promotion, and a server that goes back to an earlier state.
extension PostgreSQLServer {
  /// Copies a running server and starts the copy as its standby. Sessions may read there.
  ///
  /// - Parameters:
  ///   - name: The standby's name for the primary: lower-case letters and digits.
  ///   - isSynchronous: Whether the primary's commits wait for the standby from now on (synchronous_standby_names).
  package convenience init(standbyOf primary: PostgreSQLServer, name: String = "standby", isSynchronous: Bool) throws {
    try self.init(primary.programs, primary.medium, [])
    try run([
      programs.path("pg_basebackup"), "--pgdata", files.data, "--wal-method", "stream", "--checkpoint", "fast",
      "--no-sync", "--write-recovery-conf",
      "--dbname", "host=\(primary.directory) port=\(primary.port) user=postgres application_name=\(name)",
    ])
    // overrides the primary's own settings, which the copy includes
    let own = places.merging(["cluster_name": name, "synchronous_standby_names": ""]) { $1 }
    try append(own, to: "postgresql.auto.conf")
    try start()
    if isSynchronous { try primary.configure(["synchronous_standby_names": name]) }
    let state = isSynchronous ? "sync" : "async"
    try primary.wait(
      until: "SELECT count(*) FROM pg_stat_replication WHERE application_name = '\(name)' AND sync_state = '\(state)'"
        + " AND state = 'streaming'", is: "1")
  }

  /// Makes a standby the primary. Returns when it accepts changes.
  package func promote() throws {
    guard try query("SELECT pg_promote(true, 300)") == "t" else {
      throw Failure(description: "the standby was not promoted within five minutes: \(log)")
    }
  }

  private var snapshot: String { "\(directory)/snapshot" }

  /// Copies the data of a server that does not run, for `goBack`.
  package func takeSnapshot() throws { try run(["cp", "-R", files.data, snapshot]) }

  /// Replaces the data of a server that does not run by the snapshot. The timeline does not change.
  package func goBack() throws {
    try run(["rm", "-r", files.data])
    try run(["cp", "-R", snapshot, files.data])
  }

  /// Changes settings that need no restart (ALTER SYSTEM). Returns when new sessions have them.
  package func configure(_ settings: [String: String]) throws {
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      try query("ALTER SYSTEM SET \(name) = '\(value)'")
    }
    try query("SELECT pg_reload_conf()")
    for (name, value) in settings {
      try wait(until: "SELECT setting FROM pg_settings WHERE name = '\(name)'", is: value)
    }
  }

  /// Repeats a query until the server gives this answer, for at most five minutes.
  package func wait(until question: String, is answer: String) throws {
    var last = ""
    for _ in 0..<15_000 {
      last = try query(question)
      if last == answer { return }
      ThisThread.sleep(for: .milliseconds(20))
    }
    throw Failure(description: "\(question): not \(answer) within five minutes, but \(last)")
  }
}
