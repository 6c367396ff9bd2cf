internal import Synchronization
package import Verdicts

/// Counts a door's logins by verdict, since regd first served the door.
package final class DoorCounts: Sendable {
  private let right = Atomic<Int>(0)
  private let wrong = Atomic<Int>(0)
  private let refused = Atomic<Int>(0)
  private let away = Atomic<Int>(0)

  private let counters: @Sendable (Verdict) -> Void

  /// - Parameter counters: Called with each verdict, for metrics.
  package init(counters: @escaping @Sendable (Verdict) -> Void = { _ in }) { self.counters = counters }

  package subscript(_ verdict: Verdict) -> Int {
    switch verdict {
    case .right: right.load(ordering: .relaxed)
    case .wrong: wrong.load(ordering: .relaxed)
    case .refused: refused.load(ordering: .relaxed)
    case .away: away.load(ordering: .relaxed)
    }
  }

  package func note(_ verdict: Verdict) {
    counters(verdict)
    switch verdict {
    case .right: right.wrappingAdd(1, ordering: .relaxed)
    case .wrong: wrong.wrappingAdd(1, ordering: .relaxed)
    case .refused: refused.wrappingAdd(1, ordering: .relaxed)
    case .away: away.wrappingAdd(1, ordering: .relaxed)
    }
  }
}
