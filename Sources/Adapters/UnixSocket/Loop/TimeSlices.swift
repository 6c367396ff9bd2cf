/// Time slices of users on one event loop: in each round every user has one slice for all of its connections together, and
/// connections that find it spent wait for a later round, users in turn; so do jobs of their tasks.
///
/// Users are small numbers here (`LoopUsers`), so that nothing is looked up by its value. Times are arguments, in
/// nanoseconds; no clock is read.
struct TimeSlices<Element> {
  private struct User {
    /// The round in which it was served last, and its time in that.
    var round = 0
    var spent = 0
    /// What of it waits, from `head` on.
    var line: [Element] = []
    var head = 0

    var waits: Bool { head < line.count }

    mutating func removeFirst() -> Element {
      defer {
        head += 1
        // dropping the front only when it is half of all makes taking one constant time, amortized
        if head * 2 >= line.count {
          line.removeFirst(head)
          head = 0
        }
      }
      return line[head]
    }
  }

  private let slice: Int
  private var round = 1
  private var users: [User] = []
  /// Users that have something waiting, each once; the first has the next turn.
  private var turns: [Int] = []

  init(slice: Int) { self.slice = slice }

  var isEmpty: Bool { turns.isEmpty }

  /// The time that a connection of `user` may take without waiting; none if others of its user wait.
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

  /// Gives every user a whole slice again; the order of those that wait stays.
  mutating func beginRound() { round &+= 1 }

  /// Takes the next one out of the queue.
  ///
  /// - Returns: It, and how long it may be served; nil if all users that wait have spent their slices.
  mutating func next() -> (element: Element, user: Int, time: Int)? {
    guard let place = turns.firstIndex(where: { unspent(of: $0) > 0 }) else { return nil }
    let user = turns.remove(at: place)
    let element = users[user].removeFirst()
    if users[user].waits { turns.append(user) }
    return (element, user, unspent(of: user))
  }

  private mutating func makeRoom(for user: Int) {
    while users.count <= user { users.append(User()) }
  }
}
