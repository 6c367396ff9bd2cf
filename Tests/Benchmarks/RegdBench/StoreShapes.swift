internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import Synchronization
internal import WorkerThreads

/// `regd-bench stores`: registrations, sign-ins and look-ups per second on each store, compared with SQLite on the same
/// machine. Also look-ups among ten thousand to ten million accounts, compared with look-ups among ten thousand.
///
/// Registrations and sign-ins hash at the shipped costs, so that the cores limit them on any store. An import of one
/// account is a commit without a hash, so that the store limits it.
struct StoreShapes {
  private let products: String
  private let directory: String

  /// The kinds of requests, whose answers per second are measured.
  private enum Work: String, CaseIterable {
    case register, signIn, checkEmail, checkSession, importing

    var title: String {
      switch self {
      case .register: "registrations"
      case .signIn: "sign-ins"
      case .checkEmail: "look-ups"
      case .checkSession: "checks of sign-ins"
      case .importing: "commits without a hash"
      }
    }
  }

  static func measure(_ products: String, sizes: [Int]) throws {
    try TemporaryDirectory.with { directory in
      let shapes = StoreShapes(products: products, directory: directory)
      try shapes.rates()
      try shapes.lookUps(sizes)
    }
  }

  // MARK: Rates

  private func rates() throws {
    print(
      "calls a second over \(Self.callers) connections, and the ratio beside SQLite; medians of \(RegdBench.rounds) rounds"
    )
    let sqlite = try rates("SQLite", [Self.sqlite(directory)], beside: nil)
    let server = try PostgreSQLServer(on: .disk)
    let local = try server.makeDatabase("local")
    _ = try rates("PostgreSQL, local", [Self.postgresql(local)], beside: sqlite)
    let four = try server.makeDatabase("four")
    _ = try rates("PostgreSQL, four regd", Array(repeating: Self.postgresql(four), count: 4), beside: sqlite)
    server.stop()
    let primary = try PostgreSQLServer(on: .disk)
    let standby = try PostgreSQLServer(standbyOf: primary, isSynchronous: true)
    defer { standby.stop(.immediate) }
    let replicated = try primary.makeDatabase("replicated")
    _ = try rates(
      "PostgreSQL, replicated", [Self.postgresql(replicated) + ["REGD_STORE_POSTGRESQL_DURABILITY": "replicated"]],
      beside: sqlite)
  }

  private static let callers = 16

  private func rates(
    _ name: String, _ stores: [[String: String]], beside floor: [Double]?
  ) throws -> [Double] {
    let (regds, sockets) = try start(stores)
    defer { for regd in regds { regd.end() } }
    let rates = try Work.allCases.map { work in
      RegdBench.median(try (0..<RegdBench.rounds).map { _ in try Self.rate(of: work, sockets) })
    }
    let columns = rates.indices.map { index in
      let ratio = floor.map { " (\(RegdBench.decimal(rates[index] / $0[index], 2)))" } ?? ""
      return "\(Work.allCases[index].title) \(RegdBench.decimal(rates[index], 0))\(ratio)"
    }
    print("  \(name): \(columns.joined(separator: ", "))")
    return rates
  }

  /// Each caller works on its own addresses, so that each sign-in is for an address that this caller registered.
  private static func rate(of work: Work, _ sockets: [String]) throws -> Double {
    let threads = try WorkerThreads(name: "bench", count: callers)
    let counter = Load.Counter()
    let start = ContinuousClock.now + .milliseconds(500)
    let end = start + .seconds(3)
    let run = UInt64.random(in: 0...UInt64.max)
    for caller in 0..<callers {
      threads.submit {
        do {
          let client = try RegdClient(path: sockets[caller % sockets.count])
          let own = "c\(run)-\(caller)@example.com"
          let made = try client.call("registration.register", entry(own)).get()
          let kept: JSONValue = ["account": made["account"]?["id"] ?? .null, "stamp": made["stamp"] ?? .null]
          var number = 0
          while ContinuousClock.now < end {
            number += 1
            switch work {
            case .register: _ = try client.call("registration.register", entry("n\(number)-\(own)")).get()
            case .signIn:
              _ = try client.call("session.signIn", ["email": .string(own), "password": "a fine phrase"]).get()
            case .checkEmail: _ = try client.call("registration.checkEmail", ["email": .string(own)]).get()
            case .checkSession: _ = try client.call("session.check", kept).get()
            case .importing:
              let record: JSONValue = ["email": .string("i\(number)-\(own)"), "passwordHash": .string(hash)]
              _ = try client.call("account.import", ["records": .array([record])]).get()
            }
            let now = ContinuousClock.now
            if now >= start, now < end { counter.count() }
          }
        } catch {
          counter.fail("\(error)")
        }
      }
    }
    threads.stop()
    if let failure = counter.failure { throw Load.Failed(description: failure) }
    return Double(counter.total) / 3
  }

  private static func entry(_ email: String) -> JSONValue {
    RegdClient.entry(email: email, password: "a fine phrase", confirmation: "a fine phrase")
  }

  // MARK: Sizes

  /// Looks up random existing addresses from one caller.
  private func lookUps(_ sizes: [Int]) throws {
    print(
      "look-ups among so many accounts: p50 and p99 in us of one caller, and the ratio of p50 beside the first (aim 1.5 or less)"
    )
    let server = try PostgreSQLServer(
      on: .disk,
      settings: [
        "shared_buffers": "4GB", "max_wal_size": "8GB", "synchronous_commit": "off",
      ])
    defer { server.stop(.immediate) }
    for store in ["SQLite", "PostgreSQL"] {
      var first: Double?
      var filled = 0
      let database = try server.makeDatabase("sizes\(store.utf8.count)")
      let variables = store == "SQLite" ? Self.sqlite(directory, "sizes.db") : Self.postgresql(database)
      for size in sizes {
        // regd creates the tables, and the benchmark fills them in directly
        let (regds, sockets) = try start([variables])
        defer { for regd in regds { regd.end() } }
        _ = try RegdClient(path: sockets[0]).call("rpc.ping")
        if store == "SQLite" {
          try Self.fillSQLite("\(directory)/sizes.db", filled..<size, directory)
        } else {
          try database.query(Self.postgresqlFill(filled..<size))
          try database.query("ANALYZE account")
        }
        filled = size
        let latencies = try Self.latencies(sockets[0], size)
        let p50 = latencies.percentile(50)
        first = first ?? p50
        print(
          "  \(store), \(size): p50 \(RegdBench.decimal(p50, 0)), p99 \(RegdBench.decimal(latencies.percentile(99), 0)), ratio \(RegdBench.decimal(p50 / (first ?? p50), 2))"
        )
      }
    }
  }

  private static func latencies(_ socket: String, _ size: Int) throws -> Latencies {
    let client = try RegdClient(path: socket)
    var latencies = Latencies()
    for round in 0..<30_000 {
      let start = ContinuousClock.now
      let answer = try client.call(
        "registration.checkEmail", ["email": .string("u\(Int.random(in: 0..<size))@example.com")]
      ).get()
      guard answer["available"]?.bool == false else { throw Load.Failed(description: "an account is not there") }
      // the first look-ups fill the caches
      if round >= 10_000 { latencies.add((ContinuousClock.now - start).seconds * 1e6) }
    }
    return latencies
  }

  static let hash =
    "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

  private static func postgresqlFill(_ range: Range<Int>) -> String {
    """
    INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at, confirmed_at)
    SELECT ('01900000-' || substr(lpad(to_hex(i), 12, '0'), 1, 4) || '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
      'u' || i || '@example.com', 'u' || i || '@example.com', '\(hash)', 'active', now(), now(), now()
    FROM generate_series(\(range.lowerBound), \(range.upperBound - 1)) AS i
    """
  }

  static func fillSQLite(_ file: String, _ range: Range<Int>, _ directory: String) throws {
    let time = "'2026-01-01T00:00:00.000000Z'"
    let (status, output) = try RegdProcess.run(
      program: "sqlite3",
      arguments: [
        "-bail", file, ".timeout 60000",
        """
        WITH RECURSIVE n(i) AS (SELECT \(range.lowerBound) UNION ALL SELECT i + 1 FROM n WHERE i < \(range.upperBound - 1))
        INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at, confirmed_at)
        SELECT printf('01900000-%04x-7000-8000-%012x', i / 65536 % 65536, i), 'u' || i || '@example.com',
          'u' || i || '@example.com', '\(hash)', 'active', \(time), \(time), \(time) FROM n;
        """,
      ], directory: directory)
    guard status == 0 else { throw Load.Failed(description: "sqlite3: \(output)") }
  }

  // MARK: regd

  private static func sqlite(_ directory: String, _ name: String = "rates.db") -> [String: String] {
    ["REGD_STORE_BACKEND": "sqlite", "REGD_STORE_SQLITE_PATH": "\(directory)/\(name)"]
  }

  private static func postgresql(_ database: PostgreSQLDatabase) -> [String: String] {
    ["REGD_STORE_BACKEND": "postgresql", "REGD_STORE_POSTGRESQL_URL": database.url]
  }

  /// Starts one regd on each store, each with its own socket.
  private func start(_ stores: [[String: String]]) throws -> ([RegdProcess], [String]) {
    let sockets = stores.indices.map { "\(directory)/s\($0)" }
    return (try Self.start(products, stores, sockets, directory), sockets)
  }

  static func start(
    _ products: String, _ stores: [[String: String]], _ sockets: [String], _ directory: String
  ) throws -> [RegdProcess] {
    try zip(stores, sockets).map { store, socket in
      try RegdProcess(
        program: "\(products)/regd", arguments: [],
        environment: store + [
          "REGD_SOCKET_PATH": socket, "REGD_SOCKET_GROUP": "", "REGD_LOG_LEVEL": "error",
          "REGD_SIGN_IN_THROTTLE": "false", "REGD_ACCESS_ADMIN_GROUPS": "",
          "REGD_ACCESS_ADMIN_UIDS": "\(ThisProcess.user)",
        ], directory: directory)
    }
  }
}

extension [String: String] {
  fileprivate static func + (one: Self, other: Self) -> Self { one.merging(other) { $1 } }
}
