internal import WorkerThreads

/// Finds out, on a separate thread and connection, whether the server answers at all. A statement can take too long for
/// many reasons, such as a lock or a slow disk. That alone is not a reason to refuse other callers.
final class Asking: Sendable {
  private let thread: WorkerThreads

  init() throws(WorkerThreads.StartFailure) { thread = try WorkerThreads(name: "regd-pg-q", count: 1) }

  /// Asks the server soon, unless it is being asked already. Returns at once.
  func ask(_ connector: Connector) {
    let reachability = connector.reachability
    guard let first = reachability.beginAsking() else { return }
    thread.submit {
      defer { reachability.endAsking() }
      connector.ask(from: first)
    }
  }
}

extension Connector {
  /// Connects to the hosts in turn until one answers. The statement waits for no lock.
  fileprivate func ask(from first: Int) {
    var failure: ServerFailure?
    for step in 0..<address.hostCount {
      do throws(ServerFailure) {
        let connection = try address.connect(
          first + step, within: connectLimit / address.hostCount, answers: answerLimit)
        try connection.run("SELECT 1")
        reachability.succeeded(on: (first + step) % address.hostCount)
        return
      } catch {
        // the host that was reached last is asked first
        failure = failure ?? error
      }
    }
    guard let failure else { return }
    // a refusal is also an answer: existing sessions may continue
    if failure.kind == .deadline { reachability.doubt(failure) } else { reachability.failed(failure) }
  }
}
