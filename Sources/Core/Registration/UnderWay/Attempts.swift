internal import Synchronization
internal import Waiting

/// The attempts to register that are in flight in this process, by the account that each would make.
///
/// A caller that repeats an attempt joins it: it waits, holding no lock, and gets the same outcome. So regd never asks
/// the upstream for an account twice at the same time, and knows after the attempt whether the upstream may have acted.
final class Attempts<Outcome: Sendable & Equatable>: Sendable {
  enum Joining: Equatable, Sendable {
    /// No attempt was in flight: the caller's own has begun, and the caller must end it or give it up.
    case ours
    case ended(Outcome)
    /// The caller that made the attempt gave it up without an outcome, so this caller has to begin again.
    case gaveUp
  }

  /// For each account with an attempt in flight: the callers that have joined, in the order in which they came.
  private let underWay = Mutex<[AccountID: [Promise<Joining>]]>([:])
  private let unended: Outcome

  /// - Parameter unended: The outcome for a caller who stops waiting for an attempt that has not ended.
  init(unended: Outcome) { self.unended = unended }

  /// Begins an attempt for this account, unless one is in flight.
  ///
  /// - Returns: Whether the caller's attempt has begun. If so, the caller must end it or give it up.
  func beginIfFree(_ id: AccountID) -> Bool {
    underWay.withLock { underWay in
      guard underWay[id] == nil else { return false }
      underWay[id] = []
      return true
    }
  }

  /// Waits for the attempt for this account, or begins one. A cancelled caller stops waiting, and gets the outcome `unended`.
  func join(_ id: AccountID) async -> Joining {
    let joiner = Promise<Joining>()
    let isOurs = underWay.withLock { underWay in
      let isOurs = underWay[id] == nil
      if isOurs { underWay[id] = [] } else { underWay[id]?.append(joiner) }
      return isOurs
    }
    guard !isOurs else { return .ours }
    return await joiner.value {
      self.underWay.withLock { $0[id]?.removeAll { $0 == joiner } }
      joiner.fulfill(.ended(self.unended))
    }
  }

  func isUnderWay(_ id: AccountID) -> Bool { underWay.withLock { $0[id] != nil } }

  /// How many callers wait for the attempt for this account.
  func joiners(of id: AccountID) -> Int { underWay.withLock { $0[id]?.count ?? 0 } }

  /// Ends the caller's attempt, and gives the outcome to every caller who has joined.
  func end(_ id: AccountID, _ outcome: Outcome) { leave(id, .ended(outcome)) }

  /// Gives up the caller's attempt for this account, so that the callers who have joined begin again.
  func giveUp(_ id: AccountID) { leave(id, .gaveUp) }

  private func leave(_ id: AccountID, _ joining: Joining) {
    for joiner in underWay.withLock({ $0.removeValue(forKey: id) }) ?? [] { joiner.fulfill(joining) }
  }
}

extension Attempts<Bool> {
  /// Waits until no attempt for this account is in flight, and begins one, which the caller must end or give up.
  ///
  /// - Returns: False if the caller was cancelled meanwhile. In that case, no attempt has begun.
  func beginNext(_ id: AccountID) async -> Bool {
    while true {
      switch await join(id) {
      case .ours: return true
      case .ended, .gaveUp: if Task.isCancelled { return false }
      }
    }
  }
}
