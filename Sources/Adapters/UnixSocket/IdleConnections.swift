internal import DequeModule

/// One user's connections without a request in flight, the longest idle one first.
struct IdleConnections {
  /// Identifies one period of a connection in the queue. A connection that was busy in between gets another ticket.
  typealias Ticket = UInt64

  /// A connection, wherever it is served.
  struct Member: Sendable {
    let handle: LoopHandle
    let place: ConnectionTable.Place
  }

  private var members: [Ticket: Member] = [:]
  /// The tickets in their order. Those of connections that have left the queue remain until `tidy`.
  private var queue: Deque<Ticket> = []

  var isEmpty: Bool { members.isEmpty }

  /// - Parameter ticket: Larger than all earlier ones.
  mutating func append(_ member: Member, as ticket: Ticket) {
    members[ticket] = member
    queue.append(ticket)
    tidy()
  }

  /// - Returns: Whether the ticket was still in the queue.
  mutating func remove(_ ticket: Ticket) -> Bool { members.removeValue(forKey: ticket) != nil }

  mutating func popFirst() -> Member? {
    while let ticket = queue.popFirst() {
      if let member = members.removeValue(forKey: ticket) { return member }
    }
    return nil
  }

  /// Drops the tickets of those that have left, once they are the most.
  private mutating func tidy() {
    guard queue.count > 2 * members.count + 64 else { return }
    queue = queue.filter { members[$0] != nil }
  }
}
