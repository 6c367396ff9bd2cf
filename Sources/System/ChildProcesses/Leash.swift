internal import Linux

/// Ends a child's process group should this process die without having ended it, whatever it dies of. A session of its own
/// takes a child out of the terminal's foreground group, so Control-C reaches this process alone.
///
/// Beside the child waits a shell for the end of a pipe that this process alone holds open.
package final class Leash {
  private let watcher: Int32
  /// Nil when it is off.
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

  /// Takes it off. Its owner does so before it waits for the child, whose id may be another's afterwards.
  package func release() {
    guard ours != nil else { return }
    Signal.kill.send(to: watcher)
    ChildProcess.reap(watcher)
    ours = nil
  }
}
