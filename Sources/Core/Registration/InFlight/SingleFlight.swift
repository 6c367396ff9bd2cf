internal import AsyncPrimitives
internal import Synchronization

/// Work in flight in this process, which is done once for all callers that want the same at the same time.
///
/// The first caller does the work. Each later one joins it: it waits, holding no lock, and gets the same outcome.
final class SingleFlight<Key: Hashable & Sendable, Outcome: Sendable>: Sendable {
  enum Joining: Sendable {
    /// No equal work was in flight. The caller's own has begun, and the caller must end it or give it up.
    case ours
    case ended(Outcome)
    /// The caller that did the work gave it up without an outcome, so this caller has to begin again.
    case gaveUp
    /// The joining caller was cancelled.
    case cancelled
  }

  /// For each key with work in flight: the callers that have joined, in the order in which they came.
  private let inFlight = Mutex<[Key: [Promise<Joining>]]>([:])

  /// Begins work for this key, unless some is in flight.
  ///
  /// - Returns: Whether the caller's work has begun. If so, the caller must end it or give it up.
  func beginIfFree(_ key: Key) -> Bool {
    inFlight.withLock { inFlight in
      guard inFlight[key] == nil else { return false }
      inFlight[key] = []
      return true
    }
  }

  /// Waits for the work for this key, or begins some. A cancelled caller stops waiting.
  func join(_ key: Key) async -> Joining {
    let joiner = Promise<Joining>()
    let isOurs = inFlight.withLock { inFlight in
      let isOurs = inFlight[key] == nil
      if isOurs { inFlight[key] = [] } else { inFlight[key]?.append(joiner) }
      return isOurs
    }
    guard !isOurs else { return .ours }
    return await joiner.value {
      self.inFlight.withLock { $0[key]?.removeAll { $0 == joiner } }
      joiner.fulfill(.cancelled)
    }
  }

  /// Waits until no work for this key is in flight, and begins some, which the caller must end or give up.
  ///
  /// - Returns: False if the caller was cancelled meanwhile. In that case, no work has begun.
  func beginNext(_ key: Key) async -> Bool {
    while true {
      switch await join(key) {
      case .ours: return true
      case .cancelled: return false
      case .ended, .gaveUp: if Task.isCancelled { return false }
      }
    }
  }

  func isInFlight(_ key: Key) -> Bool { inFlight.withLock { $0[key] != nil } }

  /// How many callers wait for the work for this key.
  func joiners(of key: Key) -> Int { inFlight.withLock { $0[key]?.count ?? 0 } }

  /// How many callers wait for any work.
  var joiners: Int { inFlight.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// Ends the caller's work, and gives the outcome to every caller who has joined.
  func end(_ key: Key, _ outcome: Outcome) { leave(key, .ended(outcome)) }

  /// Gives up the caller's work, so that the callers who have joined begin again.
  func giveUp(_ key: Key) { leave(key, .gaveUp) }

  private func leave(_ key: Key, _ joining: Joining) {
    for joiner in inFlight.withLock({ $0.removeValue(forKey: key) }) ?? [] { joiner.fulfill(joining) }
  }
}
