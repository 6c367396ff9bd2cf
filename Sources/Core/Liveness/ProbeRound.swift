internal import Synchronization

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
