internal import DequeModule

/// Time slices of users on one event loop. In each round every user has one slice for all of its connections and jobs.
/// Once the slice is spent, the user's work waits for a later round, in which users take turns.
///
/// Users are small numbers here (`LoopUsers`), so that nothing is hashed. The owner reads the clock and passes all
/// times, in nanoseconds.
struct TimeSlices<Element> {
  private struct User {
    /// The round in which the user was last served, and the time spent in it.
    var round = 0
    var spent = 0
    /// The user's waiting elements.
    var line = Deque<Element>()

    var waits: Bool { !line.isEmpty }
  }

  private let slice: Int
  private var round = 1
  private var users: [User] = []
  /// The users with waiting elements, each once. The first has the next turn.
  private var turns: [Int] = []

  init(slice: Int) { self.slice = slice }

  var isEmpty: Bool { turns.isEmpty }

  /// The time that a connection or job of `user` may take without waiting. It is 0 if other work of the user waits.
  func left(to user: Int) -> Int {
    guard user < users.count else { return slice }
    return users[user].waits ? 0 : unspent(of: user)
  }

  private func unspent(of user: Int) -> Int {
    users[user].round == round ? slice - users[user].spent : slice
  }

  mutating func spend(_ time: Int, by user: Int) {
    makeRoom(for: user)
    if users[user].round != round { (users[user].round, users[user].spent) = (round, 0) }
    users[user].spent += time
  }

  mutating func wait(_ element: Element, of user: Int) {
    makeRoom(for: user)
    if !users[user].waits { turns.append(user) }
    users[user].line.append(element)
  }

  /// Gives every user a whole slice again. Waiting users keep their order.
  mutating func beginRound() { round &+= 1 }

  /// Removes and returns the next element that may be served.
  ///
  /// - Returns: The element, and how long it may be served, or nil if all waiting users have spent their slices.
  mutating func next() -> (element: Element, user: Int, time: Int)? {
    guard let place = turns.firstIndex(where: { unspent(of: $0) > 0 }) else { return nil }
    let user = turns.remove(at: place)
    guard let element = users[user].line.popFirst() else { return nil }
    if users[user].waits { turns.append(user) }
    return (element, user, unspent(of: user))
  }

  private mutating func makeRoom(for user: Int) {
    while users.count <= user { users.append(User()) }
  }
}
