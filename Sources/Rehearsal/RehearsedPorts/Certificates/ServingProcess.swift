internal import Linux
internal import Synchronization

/// A program that listens on a port, with all processes that it forks. None outlives this process: a shell in their
/// process group kills the group when this process's end of a socket closes. The program and its forks hold the other
/// end. It therefore closes when the last of them has ended.
package final class ServingProcess: Sendable {
  private let pid: Int32
  /// This process's end of the socket.
  let leash: SharedSocket
  private let hasStopped = Atomic(false)

  /// Starts the program, and returns when it listens.
  ///
  /// - Parameter log: The file for its standard error.
  init(_ program: String, _ arguments: [String], on port: Port, log: String) throws {
    let pair = try Descriptor.socketPair()
    let theirs = pair.second
    leash = SharedSocket(pair.first)
    let script = "(read -r _ <&3; kill -KILL 0) & exec \"$@\""
    pid = try ChildProcess.start(
      try Programs.shell(), ["-c", script, "sh", program] + arguments,
      [0: .null, 1: .null, 2: .appended(path: log), 3: .parents(theirs.number)], resetsSignals: true)
    try theirs.close()
    do { try waitUntilListening(port) } catch {
      stop()
      throw PortFailure(description: "\(program): \(error) \((try? FileReading.text(log)) ?? "")")
    }
  }

  deinit { stop() }

  /// Kills the program and its forks, and returns when all have ended and the port is free.
  package func stop() {
    // only once, because the kernel may then give the id to another process
    guard !hasStopped.exchange(true, ordering: .relaxed) else { return }
    Signal.kill.send(to: -pid)
    _ = try? leash.descriptor.receive(atMost: 1)
    ChildProcess.reap(pid)
    leash.close()
  }

  /// Tries to connect until the program listens. Between two attempts, watches for the program's end.
  private func waitUntilListening(_ port: Port) throws {
    for _ in 0..<150_000 {
      if (try port.connected()) != nil { return }
      if ChildProcess.hasEnded(pid, within: .milliseconds(2)) {
        throw PortFailure(description: "ended before it listened.")
      }
    }
    throw PortFailure(description: "did not listen within five minutes.")
  }
}
