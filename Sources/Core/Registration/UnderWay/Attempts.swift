internal import Synchronization
internal import Waiting

/// The registrations that are under way in this process, by the account that each would make.
///
/// A repeat of one joins it and ends with it. So the upstream is asked once at a time for an account, and whether an
/// attempt may have acted is known when it is over; no lock is held meanwhile.
final class Attempts: Sendable {
  /// What came of joining.
  enum Joining: Equatable, Sendable {
    /// There was nobody to join: from here on the attempt is the caller's.
    case ours
    case ended(RegistrationOutcome)
    /// The attempt has found another state of things, and has let go of this account.
    case gaveUp
  }

  private let underWay = Mutex<[AccountID: Set<Promise<Joining>>]>([:])

  /// Notes that the caller's attempt makes this account, unless another does.
  ///
  /// - Returns: Whether it is the caller's now.
  func beginIfFree(_ id: AccountID) -> Bool {
    underWay.withLock { underWay in
      guard underWay[id] == nil else { return false }
      underWay[id] = []
      return true
    }
  }

  /// Waits for the attempt that makes this account. Who is cancelled waits no longer, and knows what is known of an attempt
  /// that has not ended.
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
      joiner.fulfill(Self.unended)
    }
  }

  private static let unended = Joining.ended(.network(.timeout, isPending: true))

  func isUnderWay(_ id: AccountID) -> Bool { underWay.withLock { $0[id] != nil } }

  /// How many wait for the attempt that makes this account.
  func joiners(of id: AccountID) -> Int { underWay.withLock { $0[id]?.count ?? 0 } }

  /// The caller's attempt is over: all who joined it get what came of it.
  func end(_ id: AccountID, _ outcome: RegistrationOutcome) { leave(id, .ended(outcome)) }

  /// The caller's attempt goes on, but not for this account: those who joined it look anew.
  func giveUp(_ id: AccountID) { leave(id, .gaveUp) }

  private func leave(_ id: AccountID, _ joining: Joining) {
    for joiner in underWay.withLock({ $0.removeValue(forKey: id) }) ?? [] { joiner.fulfill(joining) }
  }
}
