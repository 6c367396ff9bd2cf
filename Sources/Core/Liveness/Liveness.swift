internal import Synchronization

/// A part of the process that must keep cycling, such as an event loop or a thread's queue, and that the watchdog
/// checks.
package struct Probe: Sendable {
  /// The part's name for an operator, for example "the store's writer".
  package let name: String
  /// Asks the part to answer as soon as it completes a cycle. Returns at once. The answer may come on any thread, and more than
  /// once.
  package let ask: @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void

  package init(
    _ name: String, ask: @escaping @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void
  ) {
    self.name = name
    self.ask = ask
  }
}

/// One round of the watchdog: sends a probe to each part of the process, and records which parts have answered.
package final class ProbeRound: Sendable {
  private let names: [String]
  /// The indexes in `names` of the parts that have not answered.
  private let unanswered: Mutex<Set<Int>>

  /// Asks all parts.
  ///
  /// - Parameter whole: Called once, on any thread, when every part has answered.
  package init(asking probes: [Probe], whole: @escaping @Sendable () -> Void) {
    names = probes.map(\.name)
    unanswered = Mutex(Set(probes.indices))
    if probes.isEmpty { whole() }
    for (place, probe) in probes.enumerated() {
      probe.ask { if self.answered(place) { whole() } }
    }
  }

  /// The names of the parts that have not answered, in the order of `probes`.
  package var silent: [String] { unanswered.withLock { $0.sorted() }.map { names[$0] } }

  /// Records the answer of the part with this index. Returns true if this answer was the last missing one. Returns
  /// false otherwise, also for a repeated answer.
  private func answered(_ place: Int) -> Bool {
    unanswered.withLock { unanswered in unanswered.remove(place) != nil && unanswered.isEmpty }
  }
}

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
