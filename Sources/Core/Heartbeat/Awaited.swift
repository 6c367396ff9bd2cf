internal import Synchronization

/// The answers that a part owes to its pulse, and gives the next time it completes a cycle.
package final class Awaited: Sendable {
  private let answers = Mutex<[@Sendable () -> Void]>([])

  package init() {}

  package func append(_ answer: @escaping @Sendable () -> Void) { answers.withLock { $0.append(answer) } }

  /// Answers everybody who waits, because the part has completed a cycle.
  package func answer() {
    let all = answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
    for answer in all { answer() }
  }
}
