internal import FairSharing

/// Time slices of users on one event loop: in each round every user has one slice for all of its connections together, and
/// connections that find it spent wait for a later round, users in turn. A user that has a round for itself has all of it.
///
/// Durations are arguments; no clock is read here.
struct TimeSlices<Connection: Sendable> {
  /// What users have spent of a round.
  private struct Round {
    let slice: Duration
    /// What a user has that no other user shares the round with.
    let whole: Duration
    /// The user that was served last, and its time: a lone user costs no look-up.
    var current: (user: UInt32, time: Duration)?
    /// The times of the users before.
    var others: [UInt32: Duration] = [:]

    func left(to user: UInt32, isAlone: Bool) -> Duration {
      guard let current else { return isAlone ? whole : slice }
      guard current.user == user else { return slice - others[user, default: .zero] }
      return (isAlone && others.isEmpty ? whole : slice) - current.time
    }

    mutating func spend(_ time: Duration, by user: UInt32) {
      if let current {
        guard current.user != user else {
          self.current = (user, current.time + time)
          return
        }
        others[current.user] = current.time
      }
      current = (user, others[user, default: .zero] + time)
    }
  }

  private var round: Round
  private var waiting = RoundRobin<UInt32, Connection>()

  init(slice: Duration, whole: Duration) { round = Round(slice: slice, whole: whole) }

  var isEmpty: Bool { waiting.isEmpty }

  /// The time that a connection of `user` may take without waiting; zero if others of its user wait.
  func left(to user: UInt32) -> Duration {
    guard !waiting.isEmpty else { return round.left(to: user, isAlone: true) }
    return waiting.count(of: user) > 0 ? .zero : round.left(to: user, isAlone: false)
  }

  mutating func spend(_ time: Duration, by user: UInt32) { round.spend(time, by: user) }

  mutating func wait(_ connection: Connection, of user: UInt32) { waiting.append(connection, of: user) }

  /// Gives every user a whole slice again; the order of those that wait stays.
  mutating func beginRound() {
    round.current = nil
    round.others.removeAll(keepingCapacity: true)
  }

  /// Takes the next connection out of the queue.
  ///
  /// - Returns: The connection and how long it may be served; nil if all users that wait have spent their slices.
  mutating func next() -> (connection: Connection, user: UInt32, time: Duration)? {
    let round = round
    let isAlone = round.current.map { waiting.count == waiting.count(of: $0.user) } ?? false
    guard let next = waiting.popFirst(where: { round.left(to: $0, isAlone: isAlone) > .zero }) else { return nil }
    return (next.element, next.owner, round.left(to: next.owner, isAlone: isAlone))
  }
}
