/// Whose turn it is on an event loop. Users take turns, not connections: in each round every user has a slice of the loop's
/// time for all of its connections together, and those that are left when it is over wait for the next round.
///
/// Time is told to it; it measures none.
struct Turns<Member> {
  /// What a user has in one round.
  let slice: Duration
  private var lines: [UInt32: WaitingLine<Member>] = [:]
  /// Who has members waiting, in the order of the turns.
  private var users = WaitingLine<UInt32>()
  /// What each user has taken in this round.
  private var spent: [UInt32: Duration] = [:]

  init(slice: Duration) { self.slice = slice }

  /// Whether nobody waits.
  var isEmpty: Bool { users.isEmpty }

  /// What a member may take that does not wait: what is left to its user, and nothing where others of the user's wait.
  func left(to user: UInt32) -> Duration {
    guard let spent = spent[user] else { return lines[user] == nil ? slice : .zero }
    return lines[user] == nil ? slice - spent : .zero
  }

  /// A member has had a turn.
  mutating func spend(_ time: Duration, by user: UInt32) { spent[user, default: .zero] += time }

  /// A member goes to the end of its user's line.
  mutating func wait(_ member: Member, of user: UInt32) {
    if lines[user]?.append(member) == nil {
      lines[user] = WaitingLine(member)
      users.append(user)
    }
  }

  /// Everybody has a whole slice again. Who has had one goes behind those who have not.
  mutating func beginRound() {
    if let first = users.first, spent[first, default: .zero] > .zero { rotate() }
    spent.removeAll(keepingCapacity: true)
  }

  /// The next member, and how long its turn may be; nil where all who wait have had their slice of this round.
  mutating func next() -> (member: Member, user: UInt32, slice: Duration)? {
    var passed: UInt32?
    while let user = users.first, user != passed {
      let left = slice - spent[user, default: .zero]
      if left > .zero, let member = lines[user]?.next() {
        if lines[user]?.isEmpty == true {
          lines[user] = nil
          _ = users.next()
        }
        return (member, user, left)
      }
      passed = passed ?? user
      rotate()
    }
    return nil
  }

  private mutating func rotate() {
    if let user = users.next() { users.append(user) }
  }
}
