internal import Dialogues
internal import Synchronization
internal import Waiting

/// Counts the connections that are open, and decides whether there is room for one more.
final class Connections: Sendable {
  private struct State {
    var open = 0
    var isDraining = false
    /// Refused connections whose callers may still read the refusal, by user.
    var lingering: [UInt32: Int] = [:]
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
  /// - Parameter room: How many descriptors connections may have, refused ones included.
  /// - Returns: The refusal to tell the caller before closing, nil if there is room; and how the connection is counted.
  func admit(
    _ usage: PeerUsage, by limits: Limits, room: Int, isAdministrator: Bool
  ) -> (Connection.Refusal?, Membership) {
    let mostLingering = min(Self.mostLingering, room / 8)
    let refusal: Refusal? = state.withLock { state in
      guard state.open < limits.connections else { return .connections(limit: limits.connections) }
      guard usage.connections < limits.connectionsPerUID else {
        return .connectionsOfUser(usage.uid, limit: limits.connectionsPerUID)
      }
      // the process may have fewer descriptors than `limits.connections`; one stays free for a caller that is about to
      // be refused
      let limit = min(limits.connections, max(1, room - mostLingering - 1))
      let shared = limit - Self.reserve(of: limit)
      guard isAdministrator || ConnectionShare.hasRoom(own: usage.connections, taken: state.open, limit: shared) else {
        return .connectionsOfOthers(usage.uid, count: usage.connections, limit: limit)
      }
      usage.connect()
      state.open += 1
      return nil
    }
    return refusal.map { refuse($0, usage.uid, mostLingering) } ?? (nil, .member)
  }

  /// Connections reserved for administrators: a sixteenth of all, but at most 64.
  private static func reserve(of connections: Int) -> Int {
    connections < 4 ? 0 : min(64, max(1, connections / 16))
  }

  /// The most refused connections that may linger at once, because each holds a descriptor that others need.
  private static let mostLingering = 64

  private func refuse(
    _ reason: Refusal, _ user: UInt32, _ mostLingering: Int
  ) -> (Connection.Refusal, Membership) {
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
  func leave(_ usage: PeerUsage, _ membership: Membership) {
    switch membership {
    case .none: break
    case .lingering:
      state.withLock { state in
        let left = state.lingering[usage.uid, default: 1] - 1
        state.lingering[usage.uid] = left > 0 ? left : nil
      }
    case .member:
      usage.disconnect()
      let isLast = state.withLock { state in
        state.open -= 1
        return state.open == 0 ? state.whenEmpty.take() : nil
      }
      isLast?.fulfill(())
    }
  }

  /// - Returns: A promise, fulfilled when no connection is open; refused ones do not count.
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
