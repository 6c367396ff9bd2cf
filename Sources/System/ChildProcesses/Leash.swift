internal import Glibc

/// Ends a child's process group should this process die without having ended it, whatever it dies of. A session of its own
/// takes a child out of the terminal's foreground group, so Control-C reaches this process alone.
///
/// Beside the child waits a shell for the end of a socket that nobody but this process holds.
package final class Leash {
  private let watcher: pid_t
  private let ours: Int32
  private var isOn = true

  private static let script = """
    read -r _
    kill -s TERM -- "-$1" || exit 0
    tries=0
    while kill -s 0 -- "-$1" && [ $tries -lt 30 ]; do sleep 0.1; tries=$((tries + 1)); done
    kill -s KILL -- "-$1"
    """

  /// - Parameter group: The child's id, which is its group's.
  package init(on group: Int32) throws(ChildProcess.Failure) {
    var pair: [Int32] = [-1, -1]
    // not a pipe: both ends are closed on exec from their first instant, so that no other child keeps one
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw ChildProcess.Failure(description: "socketpair: \(String(cString: strerror(errno)))")
    }
    ours = pair[0]
    defer { close(pair[1]) }
    do throws(ChildProcess.Failure) {
      watcher = try ChildProcess.start(
        "/bin/sh", ["-c", Self.script, "sh", "\(group)"], [0: .parents(pair[1]), 1: .null, 2: .null],
        resetsSignals: true)
    } catch {
      close(pair[0])
      throw error
    }
  }

  deinit { release() }

  /// Takes it off. Its owner does so before it waits for the child, whose id may be another's afterwards.
  package func release() {
    guard isOn else { return }
    isOn = false
    kill(watcher, SIGKILL)
    while waitpid(watcher, nil, 0) < 0, errno == EINTR {}
    close(ours)
  }
}
