internal import Synchronization

/// One question to each part, and the record of which parts have answered.
package final class Round: Sendable {
  private let names: [String]
  /// The indexes of the parts without an answer.
  private let unanswered: Mutex<Set<Int>>

  /// Asks all parts.
  ///
  /// - Parameter whole: Called once, when every part has answered; on any thread.
  package init(asking pulses: [Pulse], whole: @escaping @Sendable () -> Void) {
    names = pulses.map(\.name)
    unanswered = Mutex(Set(pulses.indices))
    if pulses.isEmpty { whole() }
    for (place, pulse) in pulses.enumerated() {
      pulse.ask { if self.answered(place) { whole() } }
    }
  }

  /// The parts that have not answered, in their order.
  package var silent: [String] { unanswered.withLock { $0.sorted() }.map { names[$0] } }

  /// Notes an answer, and returns whether it was the last missing one.
  private func answered(_ place: Int) -> Bool {
    unanswered.withLock { unanswered in unanswered.remove(place) != nil && unanswered.isEmpty }
  }
}
