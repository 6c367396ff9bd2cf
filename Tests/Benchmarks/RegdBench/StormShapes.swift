internal import Glibc
internal import Linux
internal import RegdProcesses

/// A user whose programs connect and leave as fast as they can, and another user whose connects do not wait. These
/// connects fail if the kernel's queue of the socket, in which users do not take turns, is full. The same is measured
/// with `wire-floor`, which only accepts connections.
enum StormShapes {
  private static let stormUser: UInt32 = 65_534
  private static let processes = 3
  private static let seconds = 5
  private static let connects = 99

  static func measure(_ products: String, configuration: String, _ directory: String) throws {
    guard ThisProcess.effectiveUser == 0 else {
      return print("storm: only root can have another user's programs connect")
    }
    try FileSystem.setPermissions(0o711, of: directory)
    let floor = try ChildProcess.start(
      "\(products)/wire-floor", ["\(directory)/f"], environment: ThisProcess.environment, [:], resetsSignals: true)
    defer {
      Signal.kill.send(to: floor)
      ChildProcess.reap(floor)
    }
    while !FileSystem.exists("\(directory)/f") { usleep(1000) }
    try FileSystem.setPermissions(0o666, of: "\(directory)/f")
    print("storm beside wire-floor: \(try failed(products, "\(directory)/f")) of \(connects) connects fail")
    let regd = try RegdProcess(
      program: "\(products)/regd", arguments: ["--config", configuration, "--socket-mode=0666"], environment: [:],
      directory: directory)
    defer { regd.end() }
    print("storm beside regd: \(try failed(products, "\(directory)/s")) of \(connects) connects fail")
  }

  /// The number of this user's connects that fail during a storm of the other user.
  private static func failed(_ products: String, _ socket: String) throws -> Int {
    let storm = try (0..<processes).map { _ in
      try ChildProcess.start(
        "/usr/bin/setpriv",
        ["--reuid=\(stormUser)", "--clear-groups", "\(products)/regd-bench", "connect", socket, "\(seconds)"],
        environment: ThisProcess.environment, [:], resetsSignals: true)
    }
    defer { for pid in storm { ChildProcess.reap(pid) } }
    usleep(500_000)
    var failed = 0
    for _ in 0..<connects {
      usleep(20_000)
      let caller = try Descriptor.socket(.localStream, waits: false)
      do { try caller.connect(to: SocketAddress(path: socket)) } catch { failed += 1 }
    }
    return failed
  }

  /// One program of the storm.
  static func connect(_ arguments: some Sequence<String>) {
    var words = arguments.makeIterator()
    guard let socket = words.next(), let seconds = words.next().flatMap({ Int($0) }) else { return }
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      guard let caller = try? Descriptor.socket(.localStream) else { continue }
      try? caller.connect(to: SocketAddress(path: socket))
    }
  }
}
