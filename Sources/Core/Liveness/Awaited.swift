internal import Synchronization

/// The callbacks of `Probe.ask` that a part of the process has not called yet. The part calls them when it next
/// completes a cycle.
package final class Awaited: Sendable {
  private let answers = Mutex<[@Sendable () -> Void]>([])

  package init() {}

  package func append(_ answer: @escaping @Sendable () -> Void) { answers.withLock { $0.append(answer) } }

  /// Calls and removes all callbacks. The part calls this after each cycle.
  package func answer() {
    let all = answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
    for answer in all { answer() }
  }
}
