package import Linux
internal import Synchronization

/// A directory for one use. A shell in another process removes the directories that this process has not removed when it ends,
/// in whatever way.
package enum TemporaryDirectory {
  /// Calls `body` with a new directory that only this user can enter, and removes it and its files afterwards.
  package static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
    let path = try make()
    defer { FileSystem.removeDirectory(path) }
    return try body(path)
  }

  /// Makes a directory, which the caller must remove. Its path is short enough for the path of a socket in it.
  package static func make() throws(SystemError) -> String {
    let path = try FileSystem.makeTemporaryDirectory("/tmp/regd-")
    keeper?.add(path)
    Leftovers.current?.note(directory: path)
    return path
  }

  /// Nil if no shell can be started. Then nothing removes the directories that callers leave.
  private static let keeper = try? DirectoryKeeper()
}

/// The shell that learns the directories' paths, and removes those that are left when this process ends.
private final class DirectoryKeeper: Sendable {
  private let paths: Mutex<Descriptor>

  // retries rm, because child processes may outlive this process for a moment, and still write files
  private static let script = """
    while read -r path; do set -- "$@" "$path"; done
    tries=0
    until rm -rf "$@" || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
    """

  init() throws {
    // a socket and not a pipe: writing to a shell that has ended must not raise SIGPIPE
    let pair = try Descriptor.socketPair()
    _ = try ChildProcess.start(
      "/bin/sh", ["-c", Self.script], [0: .parents(pair.first.number), 1: .null, 2: .null], resetsSignals: true)
    paths = Mutex(consume pair.second)
  }

  func add(_ path: String) {
    // if this fails, only the caller removes the directory
    paths.withLock { try? $0.sendAll(Array("\(path)\n".utf8)) }
  }
}
