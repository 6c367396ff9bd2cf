internal import Synchronization

/// The same password at the same account is worth one hash while that is in flight, however often it is tried meanwhile:
/// who comes second waits for what comes of the first.
final class SharedGuesses<Outcome: Sendable>: Sendable {
  /// What came of joining.
  enum Joining: Sendable {
    /// There was nobody to join: from here on the guess is the caller's, to be ended.
    case ours
    case ended(Outcome)
    /// Nobody waits for it any more.
    case cancelled
  }

  private typealias Joiner = CheckedContinuation<Joining?, Never>

  private struct Guess {
    let password: Password
    var joiners: [Int: Joiner] = [:]
  }

  private struct Guarded {
    var inFlight: [String: [Guess]] = [:]
    var lastJoiner = 0

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
      // nil: whoever had it has let go, and somebody else has to
      if let joining = await joinOnce(account, password) { return joining }
    }
  }

  /// The caller's guess has ended.
  ///
  /// - Parameter outcome: What all who joined get; nil where it was the caller's alone, and they have to see for themselves.
  func end(_ account: String, _ password: Password, _ outcome: Outcome?) {
    let joiners = guarded.withLock { guarded in
      guard let index = guarded.index(account, password) else { return [:] as [Int: Joiner] }
      let joiners = guarded.inFlight[account]?.remove(at: index).joiners
      if guarded.inFlight[account]?.isEmpty ?? true { guarded.inFlight[account] = nil }
      return joiners ?? [:]
    }
    for joiner in joiners.values { joiner.resume(returning: outcome.map { .ended($0) }) }
  }

  /// How many wait for the same guess of another.
  var joiners: Int { guarded.withLock { $0.inFlight.values.joined().reduce(0) { $0 + $1.joiners.count } } }

  private func joinOnce(_ account: String, _ password: Password) async -> Joining? {
    let number = guarded.withLock { guarded in
      guarded.lastJoiner += 1
      return guarded.lastJoiner
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (joiner: Joiner) in
        let answer: Joining? = guarded.withLock { guarded in
          guard let index = guarded.index(account, password) else {
            guarded.inFlight[account, default: []].append(Guess(password: password))
            return .ours
          }
          if Task.isCancelled { return .cancelled }
          guarded.inFlight[account]?[index].joiners[number] = joiner
          return nil
        }
        if let answer { joiner.resume(returning: answer) }
      }
    } onCancel: {
      let joiner: Joiner? = guarded.withLock { guarded in
        for index in guarded.inFlight[account]?.indices ?? 0..<0 {
          if let joiner = guarded.inFlight[account]?[index].joiners.removeValue(forKey: number) { return joiner }
        }
        return nil
      }
      joiner?.resume(returning: .cancelled)
    }
  }
}
