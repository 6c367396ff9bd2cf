internal import Synchronization
internal import Waiting

/// Hashes equal guesses once. While a password for an account is being compared, a second caller with the same password
/// waits for the first one's outcome.
final class SharedGuesses<Outcome: Sendable>: Sendable {
  enum Joining: Sendable {
    /// No equal guess was in flight. The caller's own guess has begun, and the caller must call `end`.
    case ours
    case ended(Outcome)
    /// The joining caller was cancelled.
    case cancelled
  }

  /// A waiting caller. It gets nil, and joins again, if the first caller has ended its guess without an outcome.
  private typealias Joiner = Promise<Joining?>

  private struct Guess {
    let password: Password
    /// In the order in which they came.
    var joiners: [Joiner] = []
  }

  private struct Guarded {
    var inFlight: [String: [Guess]] = [:]

    func index(_ account: String, _ password: Password) -> Int? {
      inFlight[account]?.firstIndex { $0.password.isCompared(as: password) }
    }
  }

  private let guarded = Mutex(Guarded())

  /// Starts the guess for this caller, or waits for the outcome of an equal guess in flight.
  ///
  /// - Parameter account: The key of an address, or the typed text if it is not an address.
  func join(_ account: String, _ password: Password) async -> Joining {
    while true {
      if let joining = await joinOnce(account, password) { return joining }
    }
  }

  /// Ends the caller's guess.
  ///
  /// - Parameter outcome: The outcome for every caller who has joined. Nil makes these callers begin again.
  func end(_ account: String, _ password: Password, _ outcome: Outcome?) {
    let joiners = guarded.withLock { guarded in
      guard let index = guarded.index(account, password) else { return [] as [Joiner] }
      let joiners = guarded.inFlight[account]?.remove(at: index).joiners
      if guarded.inFlight[account]?.isEmpty ?? true { guarded.inFlight[account] = nil }
      return joiners ?? []
    }
    for joiner in joiners { joiner.fulfill(outcome.map { .ended($0) }) }
  }

  /// How many callers wait for another caller's equal guess.
  var joiners: Int { guarded.withLock { $0.inFlight.values.joined().reduce(0) { $0 + $1.joiners.count } } }

  private func joinOnce(_ account: String, _ password: Password) async -> Joining? {
    let joiner = Joiner()
    let isOurs = guarded.withLock { guarded in
      guard let index = guarded.index(account, password) else {
        guarded.inFlight[account, default: []].append(Guess(password: password))
        return true
      }
      guarded.inFlight[account]?[index].joiners.append(joiner)
      return false
    }
    guard !isOurs else { return .ours }
    return await joiner.value {
      self.guarded.withLock { guarded in
        for index in guarded.inFlight[account]?.indices ?? 0..<0 {
          guarded.inFlight[account]?[index].joiners.removeAll { $0 == joiner }
        }
      }
      joiner.fulfill(.cancelled)
    }
  }
}
