internal import Synchronization
internal import Waiting

/// The same password at the same account is worth one hash while that is in flight, however often it is tried meanwhile:
/// a second caller waits for the outcome of the first.
final class SharedGuesses<Outcome: Sendable>: Sendable {
  enum Joining: Sendable {
    /// No equal guess was in flight: the caller's own has begun, and must be ended.
    case ours
    case ended(Outcome)
    /// The joining caller was cancelled.
    case cancelled
  }

  /// Nil: the caller whose guess it was has let go, and the joiner has to begin anew.
  private typealias Joiner = Promise<Joining?>

  private struct Guess {
    let password: Password
    var joiners: Set<Joiner> = []
  }

  private struct Guarded {
    var inFlight: [String: [Guess]] = [:]

    func index(_ account: String, _ password: Password) -> Int? {
      inFlight[account]?.firstIndex { $0.password.isSame(as: password) }
    }
  }

  private let guarded = Mutex(Guarded())

  /// Makes the guess the caller's, or waits for what comes of the same that is in flight.
  ///
  /// - Parameter account: The key of an address, or what was typed where it is none.
  func join(_ account: String, _ password: Password) async -> Joining {
    while true {
      if let joining = await joinOnce(account, password) { return joining }
    }
  }

  /// The caller's guess has ended.
  ///
  /// - Parameter outcome: The outcome for every caller who has joined; nil makes them begin anew.
  func end(_ account: String, _ password: Password, _ outcome: Outcome?) {
    let joiners = guarded.withLock { guarded in
      guard let index = guarded.index(account, password) else { return [] as Set<Joiner> }
      let joiners = guarded.inFlight[account]?.remove(at: index).joiners
      if guarded.inFlight[account]?.isEmpty ?? true { guarded.inFlight[account] = nil }
      return joiners ?? []
    }
    for joiner in joiners { joiner.fulfill(outcome.map { .ended($0) }) }
  }

  /// How many wait for the same guess of another.
  var joiners: Int { guarded.withLock { $0.inFlight.values.joined().reduce(0) { $0 + $1.joiners.count } } }

  private func joinOnce(_ account: String, _ password: Password) async -> Joining? {
    let joiner = Joiner()
    let isOurs = guarded.withLock { guarded in
      guard let index = guarded.index(account, password) else {
        guarded.inFlight[account, default: []].append(Guess(password: password))
        return true
      }
      guarded.inFlight[account]?[index].joiners.insert(joiner)
      return false
    }
    guard !isOurs else { return .ours }
    return await joiner.value {
      self.guarded.withLock { guarded in
        for index in guarded.inFlight[account]?.indices ?? 0..<0 {
          guarded.inFlight[account]?[index].joiners.remove(joiner)
        }
      }
      joiner.fulfill(.cancelled)
    }
  }
}
