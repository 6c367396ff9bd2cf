internal import Linux
internal import Synchronization

/// A server's temporary directory. A shell next to this process ends the server and removes the directory, on `release`
/// or at the end of this process, however it ends.
final class ClusterDirectory: Sendable {
  let path: String
  /// The cluster itself. initdb(1) makes all of it.
  var data: String { "\(path)/data" }
  private let keeper: Int32
  /// This process's end of the pipe, or nil after `release`. The keeper shell cleans up when this end is closed.
  private let leash: Mutex<Descriptor?>

  // a killed server leaves its id in postmaster.pid, and another process may get that id: -ef checks that the process
  // works in the cluster's directory
  private static let script = """
    read -r _
    server=$(head -n 1 "$0/data/postmaster.pid")
    runs() { [ -n "$server" ] && [ "/proc/$server/cwd" -ef "$0/data" ]; }
    runs "$0" && kill -s QUIT "$server"
    tries=0
    while runs "$0" && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
    runs "$0" && kill -s KILL "$server"
    rm -rf "$0"
    """

  // uses /dev/shm only with 2 GiB free, and mode 755, because other users need access to the socket
  private static let making = #"""
    base=/tmp
    [ "$0" = disk ] || [ "$(stat -f -c %T /dev/shm)" != tmpfs ] ||
      [ "$(df --output=avail -k /dev/shm | tail -n 1)" -lt 2097152 ] || base=/dev/shm
    place=$(mktemp -d $base/regd-XXXXXX) && chmod 755 "$place" && echo "$place"
    """#

  /// - Parameter starter: The words before a command that make the server's user run it.
  init(_ medium: PostgreSQLServer.Medium, starter: [String]) throws {
    path = try Command.run(starter + ["sh", "-c", Self.making, medium.rawValue], in: "/")
    let pair = try Descriptor.pipe()
    keeper = try ChildProcess.start(
      "/bin/sh", ["-c", Self.script, path], [0: .parents(pair.first.number), 1: .null, 2: .null], resetsSignals: true)
    leash = Mutex(consume pair.second)
  }

  deinit { release() }

  /// Ends a server that still runs, removes everything, and returns when done.
  func release() {
    let isHeld = leash.withLock { leash in
      defer { leash = nil }
      return leash != nil
    }
    if isHeld { ChildProcess.reap(keeper) }
  }
}
