internal import Registration

/// Checks what only several regd processes that share a store can do wrong.
struct StoreChecks: Checking {
  let oracle: Oracle

  /// Whether a registration may be gone although its caller got the answer that it is pending. There are two reasons.
  /// The caller's regd asked the upstream and released (withdrew) the registration, and did not learn whether that
  /// commit was done. Or it did not ask, because another regd had claimed the registration, and that one has released
  /// it.
  func mayBeReleased(_ attempt: Attempt, _ reason: String) -> Bool {
    guard let rows else { return false }
    let releases = rows.made.filter { $0.entry.change == .released && $0.isOf(attempt.key) && $0.done >= attempt.began }
    let hasAsked = asks.all.contains {
      $0.daemon == attempt.daemon && $0.key == attempt.key && $0.began <= attempt.ended && $0.ended >= attempt.began
    }
    guard hasAsked else { return releases.contains { $0.daemon != attempt.daemon } }
    let isCertain = ["network.offline", "network.unavailable", "network.rejected"].contains(reason)
    return isCertain && releases.contains { $0.isInDoubt && $0.daemon == attempt.daemon }
  }

  /// Checks the answers to registrations whose commits were in doubt: at least one of them must allow for an account.
  func judgeDoubts() {
    for made in rows?.made ?? [] where made.isInDoubt && [.registered, .reserved].contains(made.entry.change) {
      let makers = requests.attempts.filter {
        made.isOf($0.key) && $0.daemon == made.daemon && $0.began <= made.time
          && (made.time <= $0.ended || $0.end == .lost)
      }
      hold(
        .inDoubt, makers.isEmpty || makers.contains { !$0.isCertainlyNot && !$0.isNotStored },
        "\(made.entry.email ?? "") was added by a commit in doubt, and is not said to be pending")
    }
  }
}
