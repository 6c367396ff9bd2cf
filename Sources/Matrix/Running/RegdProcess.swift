internal import CLinux
internal import Glibc

/// A regd of one's own: started, awaited, stopped. Blocks; one thread at a time.
package final class RegdProcess {
  package let pid: Int32
  private let log: String
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
    pid = try Self.spawn(program, arguments, variables, log)
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
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
    let ended = Self.exitStatus(raw)
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
    let pid = try spawn(program, arguments, environment, log)
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
    return (exitStatus(raw), TextFile.read(log) ?? "")
  }

  /// What a shell makes of wait(2)'s status.
  package static func exitStatus(_ raw: Int32) -> Int32 {
    raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ log: String
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = merged(environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var pid: Int32 = 0
    let failure = posix_spawn(&pid, program, &actions, nil, words, variables)
    guard failure == 0 else {
      throw Failure(description: "\(program) cannot be started: \(String(cString: strerror(failure)))")
    }
    return pid
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
