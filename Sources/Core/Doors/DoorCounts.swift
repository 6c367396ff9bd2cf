package import LoginVerdicts
internal import Reasons
internal import Synchronization

/// Counts a door's logins by verdict, since regd first served the door.
package final class DoorCounts: Sendable {
  private let right = Atomic<Int>(0)
  private let wrong = Atomic<Int>(0)
  private let refused = Atomic<Int>(0)
  private let away = Atomic<Int>(0)

  private let counters: @Sendable (_ verdict: LoginVerdict, _ isLimited: Bool) -> Void

  /// - Parameter counters: Called with each verdict, for metrics, and with whether it is "away" because of a limit on the
  ///   rate of logins (`rate.limited`).
  package init(counters: @escaping @Sendable (_ verdict: LoginVerdict, _ isLimited: Bool) -> Void = { _, _ in }) {
    self.counters = counters
  }

  package subscript(_ verdict: LoginVerdict) -> Int {
    switch verdict {
    case .right: right.load(ordering: .relaxed)
    case .wrong: wrong.load(ordering: .relaxed)
    case .refused: refused.load(ordering: .relaxed)
    case .away: away.load(ordering: .relaxed)
    }
  }

  func note(_ answer: DoorAnswer) {
    guard let verdict = answer.verdict else { return }
    if case .away(let reason, _) = answer { note(verdict, reason: reason) } else { note(verdict) }
  }

  /// - Parameter reason: The error that led to the verdict, or nil if no error did.
  func note(_ verdict: LoginVerdict, reason: ErrorReason? = nil) {
    counters(verdict, verdict == .away && reason == .rateLimited)
    switch verdict {
    case .right: right.wrappingAdd(1, ordering: .relaxed)
    case .wrong: wrong.wrappingAdd(1, ordering: .relaxed)
    case .refused: refused.wrappingAdd(1, ordering: .relaxed)
    case .away: away.wrappingAdd(1, ordering: .relaxed)
    }
  }
}
