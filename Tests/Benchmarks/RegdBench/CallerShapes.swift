internal import Glibc
internal import Linux
internal import RegdClient
internal import RegdProcesses

/// Measures memory and processor time of callers that request little or nothing, compared with the same regd before.
enum CallerShapes {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let discover = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#

  static func measure(_ regd: RegdProcess, socket: String) throws {
    let count = 900  // fewer than any machine's limit of descriptors
    let before = try residentKiB(regd.pid)
    var callers = try (0..<count).map { _ in try answered(socket) }
    let idle = try residentKiB(regd.pid)
    print("\(count) idle connections: \(RegdBench.decimal((idle - before) / Double(count), 1)) KiB each")
    callers = []
    try settled(socket)
    try leaving(socket, count)
    let left = try residentKiB(regd.pid)
    print("after \(count) callers left amid a request: \(RegdBench.decimal((left - before) / 1024, 1)) MiB more")
    callers = try neverReading(socket)
    let owed = try residentKiB(regd.pid)
    print("\(callers.count) callers that never read: \(RegdBench.decimal((owed - left) / 1024, 1)) MiB more")
  }

  /// Processor time of a regd that has callers to accept and no descriptors for them.
  static func fullTable(_ products: String, configuration: String, _ directory: String) throws {
    let descriptors = 200
    let regd = try RegdProcess(
      program: "/usr/bin/prlimit",
      arguments: ["--nofile=\(descriptors):\(descriptors)", "\(products)/regd", "--config", configuration],
      environment: [:], directory: directory)
    defer { regd.end() }
    let callers = try (0..<2 * descriptors).map { _ in
      try RegdConnection(path: "\(directory)/s", timeoutSeconds: 60)
    }
    usleep(500_000)
    let before = try processorSeconds(regd.pid)
    usleep(3_000_000)
    let share = (try processorSeconds(regd.pid) - before) / 3 * 100
    print("\(callers.count) callers, \(descriptors) descriptors: \(RegdBench.decimal(share, 1)) % of a core")
  }

  private static func answered(_ socket: String) throws -> RegdConnection {
    let caller = try RegdConnection(path: socket, timeoutSeconds: 60)
    try caller.send(ping)
    guard try caller.receiveLine() != nil else { throw Load.Failed(description: "a caller was not answered") }
    return caller
  }

  /// Each caller leaves in the middle of a long text.
  private static func leaving(_ socket: String, _ count: Int) throws {
    let text = "[\"" + String(repeating: "x", count: 30_000)
    for _ in 0..<count { try RegdConnection(path: socket, timeoutSeconds: 60).send(text) }
    try settled(socket)
  }

  /// Returns when regd has noticed that all callers but this one have left.
  private static func settled(_ socket: String) throws {
    let client = try RegdClient(path: socket)
    while try client.call("daemon.status").get()["connections"]?.integer != 1 {}
  }

  private static func neverReading(_ socket: String) throws -> [RegdConnection] {
    let batch = "[" + Array(repeating: discover, count: 100).joined(separator: ",") + "]"
    let callers = try (0..<100).map { _ in try RegdConnection(path: socket, timeoutSeconds: 60) }
    for caller in callers { try caller.send(batch) }
    // a reply to another caller shows that their requests have begun
    for _ in 0..<callers.count { _ = try answered(socket) }
    return callers
  }

  static func residentKiB(_ pid: Int32, _ name: String = "VmRSS:") throws -> Double {
    let line = try FileReading.text("/proc/\(pid)/status").split(separator: "\n").first { $0.hasPrefix(name) }
    guard let number = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
      throw Load.Failed(description: "/proc does not say how much memory regd has")
    }
    return number
  }

  private static func processorSeconds(_ pid: Int32) throws -> Double {
    // the name, which may contain anything, ends with the last parenthesis
    let text = try FileReading.text("/proc/\(pid)/stat")
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      throw Load.Failed(description: "/proc does not say how much time regd has taken")
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
