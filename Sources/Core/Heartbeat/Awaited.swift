internal import Synchronization

/// Answers that wait until a part goes round once more: what a part keeps for its pulse.
package final class Awaited: Sendable {
  private let answers = Mutex<[@Sendable () -> Void]>([])

  package init() {}

  package func append(_ answer: @escaping @Sendable () -> Void) { answers.withLock { $0.append(answer) } }

  /// The part goes round: all who wait are answered.
  package func answer() {
    let all = answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
    for answer in all { answer() }
  }
}
