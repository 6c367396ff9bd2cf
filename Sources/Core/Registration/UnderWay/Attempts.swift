internal import Synchronization
internal import Waiting

/// The attempts that are under way in this process, by the account that each would make.
///
/// A repeat of an attempt joins it and ends with it. So the upstream is asked once at a time for an account, and whether an
/// attempt may have acted is known when it has ended; no lock is held meanwhile.
final class Attempts<Outcome: Sendable & Equatable>: Sendable {
  enum Joining: Equatable, Sendable {
    /// No attempt was under way: the caller's own has begun, and must be ended or given up.
    case ours
    case ended(Outcome)
    /// The attempt goes on without this account.
    case gaveUp
  }

  private let underWay = Mutex<[AccountID: Set<Promise<Joining>>]>([:])
  private let unended: Outcome

  /// - Parameter unended: What is known of an attempt that has not ended, for a caller who waits for it no longer.
  init(unended: Outcome) { self.unended = unended }

  /// Begins an attempt that makes this account, unless another one does.
  ///
  /// - Returns: Whether the caller's attempt has begun, and must be ended or given up.
  func beginIfFree(_ id: AccountID) -> Bool {
    underWay.withLock { underWay in
      guard underWay[id] == nil else { return false }
      underWay[id] = []
      return true
    }
  }

  /// Waits for the attempt that makes this account, or begins one. A caller who is cancelled waits no longer, and gets what
  /// is known of an attempt that has not ended.
  func join(_ id: AccountID) async -> Joining {
    let joiner = Promise<Joining>()
    let isOurs = underWay.withLock { underWay in
      let isOurs = underWay[id] == nil
      if isOurs { underWay[id] = [] } else { underWay[id]?.insert(joiner) }
      return isOurs
    }
    guard !isOurs else { return .ours }
    return await joiner.value {
      self.underWay.withLock { _ = $0[id]?.remove(joiner) }
      joiner.fulfill(.ended(self.unended))
    }
  }

  func isUnderWay(_ id: AccountID) -> Bool { underWay.withLock { $0[id] != nil } }

  /// How many callers wait for the attempt that makes this account.
  func joiners(of id: AccountID) -> Int { underWay.withLock { $0[id]?.count ?? 0 } }

  /// Ends the caller's attempt: every caller who has joined it gets its outcome.
  func end(_ id: AccountID, _ outcome: Outcome) { leave(id, .ended(outcome)) }

  /// Ends the caller's attempt for this account alone: callers who have joined it begin anew.
  func giveUp(_ id: AccountID) { leave(id, .gaveUp) }

  private func leave(_ id: AccountID, _ joining: Joining) {
    for joiner in underWay.withLock({ $0.removeValue(forKey: id) }) ?? [] { joiner.fulfill(joining) }
  }
}
