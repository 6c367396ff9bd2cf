internal import Linux
internal import RegdClient
internal import RegdProcesses

/// `regd-bench start`: the time of regd from exec to READY=1, and of regctl from exec to its end.
///
/// SIGTERM ends regd each time, so that the next start finds a store that was closed.
struct StartShapes {
  private let products: String
  private let directory: String

  private static let starts = 41
  private static let accounts = 1_000_000

  static func measure(_ products: String) throws {
    try TemporaryDirectory.with { directory in
      let shapes = StartShapes(products: products, directory: directory)
      print("milliseconds from exec, medians of \(starts) starts (and the fastest, and the 90th percentile)")
      // regd creates the store at its first start, which is a separate measurement
      show("READY, a store that is made", [try shapes.ready("empty.db")])
      show("READY, an empty store (aim 15 or less)", try (0..<starts).map { _ in try shapes.ready("empty.db") })
      _ = try shapes.ready("full.db")
      try StoreShapes.fillSQLite("\(directory)/full.db", 0..<accounts, directory)
      show("READY, a million accounts (aim 15 or less)", try (0..<starts).map { _ in try shapes.ready("full.db") })
      try shapes.calls()
    }
  }

  private static func show(_ title: String, _ times: [Double]) {
    let sorted = times.sorted()
    let shown = [sorted[sorted.count / 2], sorted[0], sorted[sorted.count * 9 / 10]].map { RegdBench.decimal($0, 1) }
    print("  \(title): \(shown[0]) (\(shown[1]), \(shown[2]))")
  }

  private var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "REGD_SOCKET_PATH": "\(directory)/s", "REGD_SOCKET_GROUP": "", "REGD_LOG_LEVEL": "error",
      "REGD_ACCESS_ADMIN_GROUPS": "",
    ]
  }

  /// One start, until the service manager would learn of it.
  private func ready(_ file: String) throws -> Double {
    let path = "\(directory)/notify"
    FileSystem.remove(path)
    let manager = try Linux.Descriptor.socket(.localDatagram)
    try manager.bind(to: SocketAddress(path: path))
    let configuration = "\(directory)/regd.yaml"
    try FileWriting.write(
      """
      socket: {path: \(directory)/s, group: ""}
      access: {admin: {groups: []}}
      store: {backend: sqlite, sqlite: {path: \(directory)/\(file)}}
      log: {level: error}
      """, to: configuration)
    let start = ContinuousClock.now
    let pid = try ChildProcess.start(
      "\(products)/regd", ["--config", configuration], environment: ["NOTIFY_SOCKET": path],
      [0: .null, 1: .appended(path: "\(directory)/log"), 2: .child(1)], resetsSignals: true)
    defer { ChildProcess.reap(pid) }
    while Polling.isReady(.readable(manager.number), atMost: .seconds(60)) {
      let message = String(decoding: try manager.receive(atMost: 4096), as: UTF8.self)
      guard message.split(separator: "\n").contains("READY=1") else { continue }
      let time = ContinuousClock.now - start
      Signal.terminate.send(to: pid)
      ChildProcess.awaitEnd(of: pid)
      return time.seconds * 1e3
    }
    Signal.kill.send(to: pid)
    throw Load.Failed(description: "regd was not ready within a minute")
  }

  private func calls() throws {
    let regd = try RegdProcess(
      program: "\(products)/regd", arguments: [],
      environment: environment.merging(["REGD_STORE_BACKEND": "memory"]) { $1 }, directory: directory)
    defer { regd.end() }
    _ = try RegdClient(path: "\(directory)/s").call("rpc.ping")
    for arguments in [["call", "rpc.ping"], ["check", "you@example.com"]] {
      let times = try (0..<Self.starts).map { _ in
        let start = ContinuousClock.now
        let pid = try ChildProcess.start(
          "\(products)/regctl", arguments, environment: environment,
          [0: .null, 1: .appended(path: "\(directory)/log"), 2: .child(1)], resetsSignals: true)
        ChildProcess.awaitEnd(of: pid)
        let time = ContinuousClock.now - start
        guard ChildProcess.reap(pid) == 0 else { throw Load.Failed(description: "regctl failed") }
        return time.seconds * 1e3
      }
      Self.show("regctl \(arguments.joined(separator: " "))", times)
    }
  }
}
