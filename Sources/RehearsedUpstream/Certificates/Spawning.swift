internal import Glibc

/// posix_spawn(3) as it is used here: a process group of its own, no signals blocked, nothing inherited but what is named.
enum Spawning {
  /// - Parameters:
  ///   - log: Gets standard error; the rest goes nowhere.
  ///   - third: What is descriptor 3 there.
  static func start(
    _ program: String, _ arguments: [String], log: String, third: Int32? = nil
  ) throws(Hindrance) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let third { posix_spawn_file_actions_adddup2(&actions, third, 3) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, program, &actions, &attributes, words, environ)
    guard failure == 0 else { throw Hindrance("start \(program)", failure) }
    return pid
  }

  /// Waits for a process's end.
  ///
  /// - Returns: Whether it ended by itself, with success.
  @discardableResult
  static func wait(for pid: pid_t) -> Bool {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status == 0
  }

  /// Runs a program to its end.
  static func run(_ program: String, _ arguments: [String], log: String) throws(Hindrance) {
    guard wait(for: try start(program, arguments, log: log)) else {
      throw Hindrance("\(program) \(arguments.joined(separator: " ")) failed: \(TextFile.read(log) ?? "")")
    }
  }
}
