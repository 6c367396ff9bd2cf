/// Gives small numbers to the users with connections on an event loop, so that a uid is looked up once per connection,
/// not per event.
struct LoopUsers {
  /// regd's own number, for work that it does for all users.
  static let regd = 0

  private var numbers: [UInt32: Int] = [:]
  /// How many connections each user has, indexed by the user's number.
  private var connections = [0]
  private var free: [Int] = []

  /// Counts a connection of the user, and returns the user's number.
  mutating func join(_ uid: UInt32) -> Int {
    if let number = numbers[uid] {
      connections[number] += 1
      return number
    }
    let number = free.popLast() ?? connections.count
    if number == connections.count { connections.append(0) }
    connections[number] = 1
    numbers[uid] = number
    return number
  }

  /// Uncounts a connection of the user. After the last one, another user may get the number.
  mutating func leave(_ uid: UInt32) {
    guard let number = numbers[uid] else { return }
    connections[number] -= 1
    guard connections[number] == 0 else { return }
    numbers[uid] = nil
    free.append(number)
  }
}
