import Synchronization

/// The registrations that are under way in this process, by the account that each would make.
///
/// A repeat of one joins it and ends with it. So the upstream is asked once at a time for an account, and whether an
/// attempt may have acted is known when it is over; no lock is held meanwhile.
final class Attempts: Sendable {
  private typealias Joiner = CheckedContinuation<RegistrationOutcome?, Never>

  private let underWay = Mutex<[AccountID: [Joiner]]>([:])

  /// Notes that the caller's attempt makes this account, which nobody knows of yet.
  func begin(_ id: AccountID) { underWay.withLock { $0[id] = $0[id] ?? [] } }

  /// Waits for the attempt that makes this account.
  ///
  /// - Returns: What came of it; nil where there is none, and from here on the caller's is the one.
  func join(_ id: AccountID) async -> RegistrationOutcome? {
    await withCheckedContinuation { (joiner: Joiner) in
      let isOurs = underWay.withLock { attempts in
        guard attempts[id] != nil else {
          attempts[id] = []
          return true
        }
        attempts[id]?.append(joiner)
        return false
      }
      if isOurs { joiner.resume(returning: nil) }
    }
  }

  /// How many wait for the attempt that makes this account.
  func joiners(of id: AccountID) -> Int { underWay.withLock { $0[id]?.count ?? 0 } }

  /// The caller's attempt is over: all who joined it get what came of it.
  func end(_ id: AccountID, _ outcome: RegistrationOutcome) {
    for joiner in underWay.withLock({ $0.removeValue(forKey: id) }) ?? [] { joiner.resume(returning: outcome) }
  }
}
