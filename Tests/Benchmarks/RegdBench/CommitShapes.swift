internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import WorkerThreads

/// `regd-bench commits`: changes per second if a sync takes 0, 1 and 5 ms, for 1 and 64 callers and for one and four
/// regd, compared with pgbench on the same server.
///
/// Each caller disables and enables its own account and waits for each answer. A change is an update, an audit entry
/// and a commit, without a hash.
struct CommitShapes {
  private let products: String
  private let directory: String
  private let milliseconds: Int

  private static let callers = [1, 64]

  static func measure(_ products: String, milliseconds: [Int]) throws {
    print("changes a second of one account for each caller; medians of \(RegdBench.rounds) rounds")
    for milliseconds in milliseconds {
      print("a sync takes \(milliseconds) ms longer than the disk's own")
      try TemporaryDirectory.with { directory in
        let shapes = CommitShapes(products: products, directory: directory, milliseconds: milliseconds)
        try shapes.sqlite()
        try shapes.postgresql()
      }
    }
  }

  private var library: String { "\(products)/libslow-sync.so" }
  private var counter: String { "\(directory)/syncs" }
  private var slow: [String: String] {
    [
      "LD_PRELOAD": library, "SLOW_SYNC_MICROSECONDS": "\(milliseconds * 1000)", "SLOW_SYNC_COUNTER": counter,
    ]
  }

  private func sqlite() throws {
    let store = ["REGD_STORE_BACKEND": "sqlite", "REGD_STORE_SQLITE_PATH": "\(directory)/regd.db"]
    try with([store.merging(slow) { $1 }]) { sockets in
      for callers in Self.callers {
        let (rate, syncs) = try rate(callers, sockets)
        print(
          "  SQLite, \(callers) callers: \(RegdBench.decimal(rate, 0)), \(RegdBench.decimal(rate / max(syncs, 1), 1)) changes a sync"
        )
      }
    }
  }

  private func postgresql() throws {
    let server = try PostgreSQLServer(
      on: .disk, startedBy: ["env"] + slow.filter { $0.key != "SLOW_SYNC_COUNTER" }.map { "\($0.key)=\($0.value)" })
    defer { server.stop(.immediate) }
    let floors = try Self.callers.map { try pgbench(server, connections: min($0, 32)) }
    for count in [1, 4] {
      let database = try server.makeDatabase("commits\(count)")
      let store = ["REGD_STORE_BACKEND": "postgresql", "REGD_STORE_POSTGRESQL_URL": database.url]
      try with(Array(repeating: store, count: count)) { sockets in
        for (callers, floor) in zip(Self.callers, floors) {
          let (rate, _) = try rate(callers, sockets)
          print(
            "  PostgreSQL, \(count) regd, \(callers) callers: \(RegdBench.decimal(rate, 0)), \(RegdBench.decimal(rate / floor, 2)) of pgbench's \(RegdBench.decimal(floor, 0)) with \(min(callers, 32)) connections"
          )
        }
      }
    }
  }

  /// Transactions per second, each with an update and an insert like a change.
  private func pgbench(_ server: PostgreSQLServer, connections: Int) throws -> Double {
    let database = try server.makeDatabase("floor\(connections)")
    try database.query(
      "CREATE TABLE one (id integer PRIMARY KEY, changes integer); CREATE TABLE entry (number bigserial PRIMARY KEY, one integer)"
    )
    try database.query("INSERT INTO one SELECT i, 0 FROM generate_series(0, 63) AS i")
    let script = "\(directory)/floor\(connections).sql"
    try FileWriting.write(
      """
      BEGIN;
      UPDATE one SET changes = changes + 1 WHERE id = :client_id;
      INSERT INTO entry (one) VALUES (:client_id);
      COMMIT;
      """, to: script)
    let (status, output) = try RegdProcess.run(
      program: try PostgreSQLPrograms.find().path("pgbench"),
      arguments: ["-n", "-c", "\(connections)", "-j", "2", "-T", "3", "-f", script, database.url], directory: directory)
    // the log also contains the previous runs
    let line = output.split(separator: "\n").last { $0.hasPrefix("tps = ") }
    guard status == 0, let rate = line?.dropFirst(6).prefix(while: { $0 != " " }), let rate = Double(rate) else {
      throw Load.Failed(description: "pgbench: \(output)")
    }
    return rate
  }

  // MARK: The callers

  /// - Returns: Changes and syncs per second.
  private func rate(_ callers: Int, _ sockets: [String]) throws -> (changes: Double, syncs: Double) {
    let rounds = try (0..<RegdBench.rounds).map { _ in try round(callers, sockets) }
    return (RegdBench.median(rounds.map(\.changes)), RegdBench.median(rounds.map(\.syncs)))
  }

  private func round(_ callers: Int, _ sockets: [String]) throws -> (changes: Double, syncs: Double) {
    let threads = try WorkerThreads(name: "bench", count: callers)
    let counter = Load.Counter()
    let start = ContinuousClock.now + .seconds(1)
    let end = start + .seconds(3)
    for caller in 0..<callers {
      threads.submit {
        do {
          let client = try RegdClient(path: sockets[caller % sockets.count])
          let own = JSONValue.string("c\(UInt64.random(in: 0...UInt64.max))@example.com")
          let record: JSONValue = ["email": own, "passwordHash": .string(StoreShapes.hash)]
          _ = try client.call("account.import", ["records": .array([record])]).get()
          var isEnabled = true
          while ContinuousClock.now < end {
            isEnabled.toggle()
            _ = try client.call(isEnabled ? "account.enable" : "account.disable", ["email": own]).get()
            let now = ContinuousClock.now
            if now >= start, now < end { counter.count() }
          }
        } catch {
          counter.fail("\(error)")
        }
      }
    }
    let before = try syncs(at: start)
    let after = try syncs(at: end)
    threads.stop()
    if let failure = counter.failure { throw Load.Failed(description: failure) }
    return (Double(counter.total) / 3, Double(after - before) / 3)
  }

  private func syncs(at time: ContinuousClock.Instant) throws -> UInt64 {
    while ContinuousClock.now < time { ThisThread.sleep(for: .milliseconds(1)) }
    guard FileSystem.exists(counter) else { return 0 }
    return try FileReading.bytes(counter).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Starts one regd on each store, each with its own socket.
  private func with(_ stores: [[String: String]], _ body: ([String]) throws -> Void) throws {
    let sockets = stores.indices.map { "\(directory)/s\($0)" }
    let regds = try StoreShapes.start(products, stores, sockets, directory)
    defer { for regd in regds { regd.end() } }
    try body(sockets)
  }
}
