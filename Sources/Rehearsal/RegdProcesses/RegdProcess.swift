internal import CLinux
internal import ChildProcesses
internal import Glibc

/// A regd of one's own: started, awaited, stopped. It has no terminal, and does not outlive this process. Blocks; one
/// thread at a time.
package final class RegdProcess {
  package let pid: Int32
  private let log: String
  private let leash: Leash
  private var status: Int32?

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Starts a program and waits until it says READY=1 (sd_notify(3)), as a service manager does.
  ///
  /// - Parameters:
  ///   - arguments: Without the program's own name.
  ///   - environment: Added to this process's.
  ///   - directory: Where its log and the notification socket go; short, for socket paths are.
  package init(
    program: String, arguments: [String], environment: [String: String], directory: String
  ) throws {
    log = "\(directory)/regd.log"
    let readiness = try Readiness(directory)
    var variables = environment
    variables["NOTIFY_SOCKET"] = readiness.path
    (pid, leash) = try Self.start(program, arguments, variables, log)
    guard readiness.wait(for: pid) else {
      let status = end(SIGKILL)
      throw Failure(description: "\(program) did not become ready (exit status \(status)): \(output)")
    }
  }

  deinit { if status == nil { _ = end(SIGKILL) } }

  /// What it wrote to standard output and standard error.
  package var output: String { TextFile.read(log) ?? "" }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: The exit status; 128 and the signal's number where a signal ended it.
  @discardableResult
  package func end(_ signal: Int32 = SIGTERM) -> Int32 {
    if let status { return status }
    kill(pid, signal)
    return wait()
  }

  /// Waits for the end. A process that does not end within a minute hangs, and is killed: its status is 137 then.
  package func wait() -> Int32 {
    if let status { return status }
    let process = linux_pidfd_open(pid)
    var events = [pollfd(fd: process, events: Int16(POLLIN), revents: 0)]
    while poll(&events, 1, 60_000) < 0, errno == EINTR {}
    close(process)
    if events[0].revents == 0 { kill(pid, SIGKILL) }
    let ended = Self.reap(pid, leash)
    status = ended
    return ended
  }

  /// Runs a program to its end, without waiting for readiness.
  ///
  /// - Returns: Its exit status and all it wrote.
  package static func run(
    program: String, arguments: [String], environment: [String: String] = [:], directory: String
  ) throws -> (status: Int32, output: String) {
    let log = "\(directory)/run.log"
    let (pid, leash) = try start(program, arguments, environment, log)
    return (reap(pid, leash), TextFile.read(log) ?? "")
  }

  /// What a shell makes of wait(2)'s status.
  package static func exitStatus(_ raw: Int32) -> Int32 {
    raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
  }

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ log: String
  ) throws -> (pid_t, Leash) {
    let pid = try ChildProcess.start(
      program, arguments, environment: merged(environment), [0: .null, 1: .appended(path: log), 2: .child(1)],
      resetsSignals: true)
    do { return (pid, try Leash(on: pid)) } catch {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
      throw error
    }
  }

  private static func reap(_ pid: pid_t, _ leash: Leash) -> Int32 {
    ChildProcess.awaitEnd(of: pid)
    leash.release()
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
    return exitStatus(raw)
  }

  /// This process's variables, without those that would configure regd, and with the given ones.
  private static func merged(_ added: [String: String]) -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      next += 1
      guard let equals = text.firstIndex(of: "="), !text.hasPrefix("REGD_") else { continue }
      variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    return variables.merging(added) { $1 }
  }
}
