/// The users that have connections on an event loop, as small numbers: a uid is looked up once for a connection, and not
/// with each of its events.
struct LoopUsers {
  /// The number of regd itself, for what it does for all users.
  static let regd = 0

  private var numbers: [UInt32: Int] = [:]
  /// By number: the user's connections.
  private var connections = [0]
  private var free: [Int] = []

  /// Counts a connection of the user.
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

  /// A connection has gone; with the last one the number is another user's to have.
  mutating func leave(_ uid: UInt32) {
    guard let number = numbers[uid] else { return }
    connections[number] -= 1
    guard connections[number] == 0 else { return }
    numbers[uid] = nil
    free.append(number)
  }
}
