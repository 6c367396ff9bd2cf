internal import CLinux
internal import Glibc

/// The one way to start a program (posix_spawn(3)). The child leads its own session and process group, without the
/// parent's terminal, because the kernel would stop a background child that reads there. The first terminal that the
/// child opens becomes its own.
package enum ChildProcess {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Where one of the child's descriptors comes from.
  package enum Descriptor {
    case null
    /// A file that the child appends to. Made if it does not exist.
    case appended(path: String)
    /// The child's controlling terminal, for reading and writing.
    case terminal(path: String)
    /// A duplicate of this process's descriptor with this number.
    case parents(Int32)
    /// A duplicate of the child's descriptor with this number, which must be smaller than the new one.
    case child(Int32)
  }

  /// Starts a program. The caller waits for its end with `reap`.
  ///
  /// - Parameters:
  ///   - program: A path, or a name to look up in PATH.
  ///   - arguments: Without the program's own name.
  ///   - environment: All of the child's variables, or nil for this process's.
  ///   - descriptors: The child's descriptors by number. Besides them, the child inherits only the standard ones,
  ///     because every other one would keep its file open and count against the child's limit.
  ///   - resetsSignals: Whether the child starts with no signal blocked, and with the default actions of SIGPIPE, SIGHUP,
  ///     SIGINT, SIGQUIT and SIGTERM, some of which shells ignore in background jobs.
  /// - Returns: The process's id, which is also its session's and its group's.
  /// - Throws: If the program cannot be started. No process is left.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil, _ descriptors: [Int32: Descriptor],
    resetsSignals: Bool = false
  ) throws(Failure) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.sorted(by: { $0.key < $1.key }) { add(number, descriptor, to: &actions) }
    let past = max(2, descriptors.keys.max() ?? 0) + 1
    for number in 3..<past where descriptors[number] == nil { posix_spawn_file_actions_addclose(&actions, number) }
    posix_spawn_file_actions_addclosefrom_np(&actions, past)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    configure(&attributes, resetsSignals)
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var pid: pid_t = 0
    let failure =
      environment == nil
      ? posix_spawnp(&pid, program, &actions, &attributes, words, environ)
      : posix_spawnp(&pid, program, &actions, &attributes, words, variables)
    guard failure == 0 else {
      throw Failure(description: "\(program) cannot be started: \(SystemError.text(failure))")
    }
    return pid
  }

  private static func add(_ number: Int32, _ descriptor: Descriptor, to actions: inout posix_spawn_file_actions_t) {
    switch descriptor {
    case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    case .appended(let path):
      posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    case .terminal(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
    case .parents(let other), .child(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
    }
  }

  private static func configure(_ attributes: inout posix_spawnattr_t, _ resetsSignals: Bool) {
    var flags = linux_POSIX_SPAWN_SETSID
    if resetsSignals {
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      for number in [SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&signals, number) }
      posix_spawnattr_setsigdefault(&attributes, &signals)
      flags |= Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    }
    posix_spawnattr_setflags(&attributes, flags)
  }

  /// Waits for a child's end without reaping the child, so that no other process gets its id.
  package static func awaitEnd(of pid: Int32) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  /// Waits up to `limit` for a child's end, without reaping it. Returns whether it has ended.
  package static func hasEnded(_ pid: Int32, within limit: Duration) -> Bool {
    guard let process = try? Linux.Descriptor.ofProcess(pid) else { return false }
    return Polling.isReady(.readable(process.number), atMost: limit)
  }

  /// Waits for a child's end and reaps it. Another process may then get its id.
  ///
  /// - Returns: The exit status in a shell's form: 128 plus the signal's number if a signal ended the child. Nil if this process
  ///   has no such child.
  @discardableResult
  package static func reap(_ pid: Int32) -> Int32? {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }
}

/// Ends a child's process group when this process dies, whatever the cause. Control-C does not end it, because the
/// child has its own session.
///
/// A shell waits for the end of a pipe that only this process holds open. When the kernel closes the pipe, the shell
/// sends SIGTERM to the group, and SIGKILL after three seconds.
package final class Leash {
  private let watcher: Int32
  /// The end of the pipe that this process holds open, or nil after `release`.
  private var ours: Descriptor?

  private static let script = """
    read -r _
    kill -s TERM -- "-$1" || exit 0
    tries=0
    while kill -s 0 -- "-$1" && [ $tries -lt 30 ]; do sleep 0.1; tries=$((tries + 1)); done
    kill -s KILL -- "-$1"
    """

  /// - Parameter group: The child's id, which is its group's.
  package init(on group: Int32) throws(ChildProcess.Failure) {
    let pair: DescriptorPair
    do throws(SystemError) { pair = try Descriptor.pipe() } catch {
      throw ChildProcess.Failure(description: error.description)
    }
    watcher = try ChildProcess.start(
      "/bin/sh", ["-c", Self.script, "sh", "\(group)"], [0: .parents(pair.first.number), 1: .null, 2: .null],
      resetsSignals: true)
    ours = consume pair.second
  }

  deinit { release() }

  /// Ends the watch. Must be called before the child is reaped: afterwards another process may get the child's id, and the
  /// watcher (a shell) would end that process.
  package func release() {
    guard ours != nil else { return }
    Signal.kill.send(to: watcher)
    ChildProcess.reap(watcher)
    ours = nil
  }
}
