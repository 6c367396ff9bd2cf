internal import AsyncPrimitives
internal import DequeModule
internal import Synchronization
internal import WireProtocols

/// Counts the connections that are open, and decides whether there is room for one more.
final class Connections: Sendable {
  private struct State {
    var open = 0
    var isDraining = false
    /// Refused connections whose callers may still read the refusal, by user.
    var lingering: [UInt32: Int] = [:]
    /// The idle connections of nameless callers, by user.
    var idle: [UInt32: IdleConnections] = [:]
    /// Never given twice, because a closing connection may still ask by its old ticket.
    var lastTicket: IdleConnections.Ticket = 0
    /// Connections that were chosen to make room for others, and are not closed yet.
    var evicted = 0
    var whenEmpty: Promise<Void>?
  }

  /// The count that includes a connection: `member` if it is open, `lingering` if it is refused but its caller may
  /// still read why.
  enum Membership: Sendable { case member, lingering, none }

  private let state = Mutex(State())

  var isDraining: Bool { state.withLock { $0.isDraining } }

  func beginDraining() { state.withLock { $0.isDraining = true } }

  /// Counts a connection until `leave`.
  ///
  /// All callers that the kernel does not name (`Peer.isNamed`) count as one user. If that user has no room, its
  /// longest idle connection is closed for the newcomer. So none of these callers can keep out the others by holding
  /// connections.
  ///
  /// - Parameter room: How many descriptors connections may have, refused ones included.
  /// - Returns: The refusal to send to the caller before closing (nil if there is room), and how the connection is
  ///   counted.
  func admit(
    _ caller: Peer, _ quota: PeerQuota, by limits: Limits, room: Int, isAdministrator: Bool
  ) -> (Connection.Refusal?, Membership) {
    let mostLingering = Self.lingering(in: room)
    let (refusal, evicted): (Refusal?, IdleConnections.Member?) = state.withLock { state in
      let refusal = Self.refusal(
        quota, by: limits, room: room - mostLingering, taken: state.open, isAdministrator: isAdministrator)
      var evicted: IdleConnections.Member?
      if refusal != nil {
        guard !caller.isNamed, state.evicted < min(Self.mostEvicted, room / 8),
          let oldest = state.idle[quota.uid]?.popFirst()
        else { return (refusal, nil) }
        state.evicted += 1
        evicted = oldest
      }
      quota.connect()
      state.open += 1
      return (nil, evicted)
    }
    if let evicted { evicted.handle.post(.evict(evicted.place)) }
    return refusal.map { refuse($0, quota.uid, room: room) } ?? (nil, .member)
  }

  private static func refusal(
    _ quota: PeerQuota, by limits: Limits, room: Int, taken: Int, isAdministrator: Bool
  ) -> Refusal? {
    guard taken < limits.connections else { return .connections(limit: limits.connections) }
    guard quota.connections < limits.connectionsPerUID else {
      return .connectionsOfUser(quota.uid, limit: limits.connectionsPerUID)
    }
    // The process may have fewer descriptors than `limits.connections`. One is reserved for a caller that is about to
    // be refused.
    let limit = min(limits.connections, max(1, room - 1))
    let shared = limit - reserve(of: limit)
    guard isAdministrator || ConnectionShare.hasRoom(own: quota.connections, taken: taken, limit: shared) else {
      return .connectionsOfOthers(quota.uid, count: quota.connections, limit: limit)
    }
    return nil
  }

  /// Notes that a nameless caller's connection has no request in flight.
  ///
  /// - Returns: The ticket for `wake`.
  func rest(_ quota: PeerQuota, _ member: IdleConnections.Member) -> IdleConnections.Ticket {
    state.withLock { state in
      state.lastTicket += 1
      state.idle[quota.uid, default: IdleConnections()].append(member, as: state.lastTicket)
      return state.lastTicket
    }
  }

  /// Notes that the connection is busy again, or closed.
  ///
  /// - Returns: False if the connection was chosen to make room for another one. It then closes soon in any case.
  func wake(_ quota: PeerQuota, _ ticket: IdleConnections.Ticket) -> Bool {
    state.withLock { state in
      guard state.idle[quota.uid]?.remove(ticket) == true else { return false }
      if state.idle[quota.uid]?.isEmpty == true { state.idle[quota.uid] = nil }
      return true
    }
  }

  /// The most connections at once that were chosen to make room for others and are not closed yet, because each holds a
  /// descriptor.
  private static let mostEvicted = 64

  /// Connections reserved for administrators: a sixteenth of all, but at most 64.
  private static func reserve(of connections: Int) -> Int {
    connections < 4 ? 0 : min(64, max(1, connections / 16))
  }

  /// The most refused connections that may linger at once, because each holds a descriptor that others need.
  private static let mostLingering = 64

  private static func lingering(in room: Int) -> Int { min(mostLingering, room / 8) }

  /// Refuses a caller, and counts its connection until `leave` if the caller may still read the reason.
  ///
  /// - Parameter room: As for `admit`.
  /// - Returns: The refusal, which is never nil, and how the connection is counted.
  func refuse(_ reason: Refusal, _ user: UInt32, room: Int) -> (Connection.Refusal?, Membership) {
    let mostLingering = Self.lingering(in: room)
    let lingers = state.withLock { state in
      let all = state.lingering.values.reduce(0, +)
      guard ConnectionShare.hasRoom(own: state.lingering[user, default: 0], taken: all, limit: mostLingering)
      else {
        return false
      }
      state.lingering[user, default: 0] += 1
      return true
    }
    return (Connection.Refusal(reason: reason, lingers: lingers), lingers ? .lingering : .none)
  }

  /// Removes a closed connection from the count in which `admit` put it.
  ///
  /// - Parameter isEvicted: Whether the connection was chosen to make room for another one.
  func leave(_ quota: PeerQuota, _ membership: Membership, isEvicted: Bool) {
    switch membership {
    case .none: break
    case .lingering:
      state.withLock { state in
        let left = state.lingering[quota.uid, default: 1] - 1
        state.lingering[quota.uid] = left > 0 ? left : nil
      }
    case .member:
      quota.disconnect()
      let isLast = state.withLock { state in
        state.open -= 1
        if isEvicted { state.evicted -= 1 }
        return state.open == 0 ? state.whenEmpty.take() : nil
      }
      isLast?.fulfill(())
    }
  }

  /// - Returns: A promise, fulfilled when no connection is open. Refused connections do not count.
  func whenEmpty() -> Promise<Void> {
    let empty = Promise<Void>()
    let isEmpty = state.withLock { state in
      if state.open > 0 { state.whenEmpty = empty }
      return state.open == 0
    }
    if isEmpty { empty.fulfill(()) }
    return empty
  }
}

/// A user's share of a limited number of connections.
///
/// A user may open one more connection while it has at most half as many as are free. So the first user gets a third of
/// all connections, and each later user a third of those that are left. A few users cannot take all.
enum ConnectionShare {
  /// The number of connections that every user may have while any is free.
  private static let always = 4

  /// - Parameters:
  ///   - own: The user's connections.
  ///   - taken: All users' connections.
  ///   - limit: The most connections at once.
  static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool {
    let free = limit - taken
    return free > 0 && (own < always || own <= free / 2)
  }
}

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
