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
