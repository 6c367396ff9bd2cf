import Glibc

struct ProgramFailure: Error, CustomStringConvertible { let description: String }

/// A program that runs beside the test.
struct Program {
  let processID: pid_t
  /// The end of a pipe from its standard output.
  let output: Int32

  /// - Parameter directory: Where it runs.
  static func start(_ words: [String], in directory: String) throws -> Program {
    var ends: [Int32] = [0, 0]
    // not a pipe: this one is closed on exec from its first instant, so that no other program keeps it open
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw ProgramFailure(description: "socketpair: \(errno)") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "\(directory)/errors", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let shell = ["sh", "-c", #"cd "$0" && exec "$@""#, directory]
    var arguments: [UnsafeMutablePointer<CChar>?] = (shell + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var processID: pid_t = 0
    let failure = posix_spawnp(&processID, shell[0], &actions, nil, &arguments, environ)
    Glibc.close(ends[1])
    guard failure == 0 else {
      Glibc.close(ends[0])
      throw ProgramFailure(description: "\(words[0]): \(failure)")
    }
    return Program(processID: processID, output: ends[0])
  }

  /// What it writes until it ends, or until `isEnough`.
  func read(until isEnough: (String) -> Bool = { _ in false }) -> String {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4096)
    while case let count = Glibc.read(output, &room, room.count), count > 0 {
      bytes += room.prefix(count)
      if isEnough(String(decoding: bytes, as: UTF8.self)) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    waitpid(processID, &status, 0)
    Glibc.close(output)
    return status
  }

  func end() {
    kill(processID, SIGKILL)
    wait()
  }

  static func run(_ words: [String], in directory: String) throws {
    let program = try start(words, in: directory)
    _ = program.read()
    guard program.wait() == 0 else { throw ProgramFailure(description: words.joined(separator: " ")) }
  }
}
