import Synchronization

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

  private typealias Joiner = CheckedContinuation<Joining, Never>

  private struct Guarded {
    var underWay: [AccountID: [Int: Joiner]] = [:]
    var lastJoiner = 0
  }

  private let guarded = Mutex(Guarded())

  /// Notes that the caller's attempt makes this account, unless another does.
  ///
  /// - Returns: Whether it is the caller's now.
  func beginIfFree(_ id: AccountID) -> Bool {
    guarded.withLock { guarded in
      guard guarded.underWay[id] == nil else { return false }
      guarded.underWay[id] = [:]
      return true
    }
  }

  /// Waits for the attempt that makes this account. Who is cancelled waits no longer, and knows what is known of an attempt
  /// that has not ended.
  func join(_ id: AccountID) async -> Joining {
    let number = guarded.withLock { guarded in
      guarded.lastJoiner += 1
      return guarded.lastJoiner
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (joiner: Joiner) in
        let answer: Joining? = guarded.withLock { guarded in
          guard guarded.underWay[id] != nil else {
            guarded.underWay[id] = [:]
            return .ours
          }
          if Task.isCancelled { return Self.unended }
          guarded.underWay[id]?[number] = joiner
          return nil
        }
        if let answer { joiner.resume(returning: answer) }
      }
    } onCancel: {
      guarded.withLock { $0.underWay[id]?.removeValue(forKey: number) }?.resume(returning: Self.unended)
    }
  }

  private static let unended = Joining.ended(.network(.timeout, isPending: true))

  func isUnderWay(_ id: AccountID) -> Bool { guarded.withLock { $0.underWay[id] != nil } }

  /// How many wait for the attempt that makes this account.
  func joiners(of id: AccountID) -> Int { guarded.withLock { $0.underWay[id]?.count ?? 0 } }

  /// The caller's attempt is over: all who joined it get what came of it.
  func end(_ id: AccountID, _ outcome: RegistrationOutcome) { leave(id, .ended(outcome)) }

  /// The caller's attempt goes on, but not for this account: those who joined it look anew.
  func giveUp(_ id: AccountID) { leave(id, .gaveUp) }

  private func leave(_ id: AccountID, _ joining: Joining) {
    let joiners = guarded.withLock { $0.underWay.removeValue(forKey: id) } ?? [:]
    for joiner in joiners.values { joiner.resume(returning: joining) }
  }
}
