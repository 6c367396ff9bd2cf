internal import Glibc
internal import Linux
internal import RegdClient
internal import RegdProcesses

/// One user at full load, and the time of another user's `rpc.ping` meanwhile.
enum NeighbourShapes {
  private static let loud = "65534"

  /// Needs root, because it calls as two users.
  static func measure(_ regd: RegdProcess, socket: String, products: String, _ directory: String) throws {
    guard geteuid() == 0 else { return print("a loud user beside a quiet one: only root can call as two users") }
    chmod(directory, 0o711)
    chmod(socket, 0o666)
    var (idles, busies): ([Latencies], [Latencies]) = ([], [])
    for _ in 0..<RegdBench.rounds {
      idles.append(try pings(socket))
      let load = try BackgroundProgram(
        "/usr/bin/prlimit",
        [
          "--nofile=4096:4096", "/usr/bin/setpriv", "--reuid=\(loud)", "--clear-groups", "\(products)/wire-load",
          socket, "1024", "4", "60", "0", "\(regd.pid)",
        ], directory, announces: false)
      defer { load.end() }
      // waits for all its connections
      while try connections(of: loud, socket) < 1024 {}
      busies.append(try pings(socket))
    }
    for percent in [50, 99] {
      let (idle, busy) = (
        RegdBench.median(idles.map { $0.percentile(percent) }), RegdBench.median(busies.map { $0.percentile(percent) })
      )
      print(
        "ping, p\(percent): idle \(RegdBench.decimal(idle, 1)) us, beside another user's 1024 x 4"
          + " \(RegdBench.decimal(busy, 1)) us (aim 1.5 times idle and 1000 us or less)")
    }
  }

  private static func pings(_ socket: String) throws -> Latencies {
    let client = try RegdClient(path: socket)
    var latencies = Latencies()
    let end = ContinuousClock.now + .seconds(2)
    while true {
      let start = ContinuousClock.now
      _ = try client.call("rpc.ping").get()
      let now = ContinuousClock.now
      latencies.add((now - start).seconds * 1e6)
      if now >= end { return latencies }
    }
  }

  private static func connections(of uid: String, _ socket: String) throws -> Int {
    let users = try RegdClient(path: socket).call("daemon.status").get()["users"]?.array
    return users?.first { "\($0["uid"]?.integer ?? -1)" == uid }?["connections"]?.integer ?? 0
  }
}
