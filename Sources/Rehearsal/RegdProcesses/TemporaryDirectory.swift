package import Linux
internal import Synchronization

/// A directory for one use. A process that ends before it has removed its directories, whatever ends it, leaves none behind: a shell
/// beside it removes them then.
package enum TemporaryDirectory {
  /// Calls `body` with a new directory that only this user can enter, and removes it and its files afterwards.
  package static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
    let path = try make()
    defer { FileSystem.removeDirectory(path) }
    return try body(path)
  }

  /// The caller removes it. Its path is short, for the sockets in it.
  package static func make() throws(SystemError) -> String {
    let path = try FileSystem.makeTemporaryDirectory("/tmp/regd-")
    keeper?.add(path)
    return path
  }

  /// Nil where none can be started: the directories are as good without.
  private static let keeper = try? DirectoryKeeper()
}

/// The shell that learns of directories, and removes at this process's end those that are still there.
private final class DirectoryKeeper: Sendable {
  private let paths: Mutex<Descriptor>

  // what this process has started may end later than it does, and write until then
  private static let script = """
    while read -r path; do set -- "$@" "$path"; done
    tries=0
    until rm -rf "$@" || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
    """

  init() throws {
    // a socket and not a pipe: to write to a shell that has ended is no signal
    let pair = try Descriptor.socketPair()
    _ = try ChildProcess.start(
      "/bin/sh", ["-c", Self.script], [0: .parents(pair.first.number), 1: .null, 2: .null], resetsSignals: true)
    paths = Mutex(consume pair.second)
  }

  func add(_ path: String) {
    // without it, nobody but the caller removes the directory
    paths.withLock { try? $0.sendAll(Array("\(path)\n".utf8)) }
  }
}
