package import Linux

/// A regd that this process has started. It has no terminal, and does not outlive this process. Calls block. Only one thread
/// may call at a time.
package final class RegdProcess {
  package let pid: Int32
  private let log: String
  private let leash: Leash
  private var status: Int32?

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Starts a program and waits until it sends READY=1 (sd_notify(3)), as a service manager does.
  ///
  /// - Parameters:
  ///   - arguments: Without the program's name.
  ///   - environment: Variables added to this process's.
  ///   - directory: For the log and the notification socket. Its path must be short enough for the path of a socket in
  ///     it.
  /// - Throws: If the program cannot be started, or is not ready within five minutes. No process is left then.
  package init(
    program: String, arguments: [String], environment: [String: String], directory: String
  ) throws {
    log = "\(directory)/regd.log"
    let readiness = try Readiness(directory)
    var variables = environment
    variables["NOTIFY_SOCKET"] = readiness.path
    (pid, leash) = try Self.start(program, arguments, variables, log)
    guard try readiness.wait(for: pid) else {
      let status = end(.kill)
      throw Failure(description: "\(program) did not become ready (exit status \(status)): \(output)")
    }
  }

  deinit { end(.kill) }

  /// The process's standard output and standard error.
  package var output: String { Self.text(log) }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: The exit status, or 128 plus the signal's number if a signal ended it.
  @discardableResult
  package func end(_ signal: Signal = .terminate) -> Int32 {
    if let status { return status }
    signal.send(to: pid)
    return wait()
  }

  /// Waits for the end. After five minutes, kills the process, whose status is then 137.
  package func wait() -> Int32 {
    if let status { return status }
    if !ChildProcess.hasEnded(pid, within: .seconds(300)) { Signal.kill.send(to: pid) }
    let ended = Self.reap(pid, leash)
    status = ended
    return ended
  }

  /// Runs a program to its end, without waiting for readiness. After five minutes, kills it, with status 137.
  ///
  /// - Returns: Its exit status and its whole output.
  package static func run(
    program: String, arguments: [String], environment: [String: String] = [:], directory: String
  ) throws -> (status: Int32, output: String) {
    let log = "\(directory)/run.log"
    let (pid, leash) = try start(program, arguments, environment, log)
    if !ChildProcess.hasEnded(pid, within: .seconds(300)) { Signal.kill.send(to: pid) }
    return (reap(pid, leash), text(log))
  }

  /// Starts the program with the given variables, and those of this process that do not configure regd.
  private static func start(
    _ program: String, _ arguments: [String], _ added: [String: String], _ log: String
  ) throws -> (Int32, Leash) {
    let inherited = ThisProcess.environment.filter { !$0.key.hasPrefix("REGD_") }
    let pid = try ChildProcess.start(
      program, arguments, environment: inherited.merging(added) { $1 },
      [0: .null, 1: .appended(path: log), 2: .child(1)], resetsSignals: true)
    Leftovers.current?.note(process: pid, program: program)
    do { return (pid, try Leash(on: pid)) } catch {
      Signal.kill.send(to: pid)
      ChildProcess.reap(pid)
      throw error
    }
  }

  private static func reap(_ pid: Int32, _ leash: Leash) -> Int32 {
    ChildProcess.awaitEnd(of: pid)
    leash.release()
    return ChildProcess.reap(pid) ?? -1
  }

  private static func text(_ log: String) -> String {
    String(decoding: (try? FileReading.bytes(log, atMost: .max)) ?? [], as: UTF8.self)
  }
}

/// The receiving end of sd_notify(3).
struct Readiness: ~Copyable {
  let path: String
  private let socket: Descriptor

  init(_ directory: String) throws(SystemError) {
    let path = "\(directory)/notify"
    FileSystem.remove(path)
    let socket = try Descriptor.socket(.localDatagram)
    try socket.bind(to: SocketAddress(path: path))
    self.path = path
    self.socket = socket
  }

  /// Waits at most five minutes, because a busy machine may take long, and a process that hangs must be ended.
  ///
  /// - Returns: Whether the process has sent READY=1. It is false if it ended first, or the time is up.
  func wait(for pid: Int32) throws(SystemError) -> Bool {
    let process = try Descriptor.ofProcess(pid)
    while Polling.wait(for: [.readable(socket.number), .readable(process.number)], atMost: .seconds(300))[0] {
      let message = String(decoding: try socket.receive(atMost: 4096), as: UTF8.self)
      if message.split(separator: "\n").contains("READY=1") { return true }
    }
    return false
  }
}
