internal import JSONRPC
internal import NIOCore
internal import Synchronization

/// Sent to every connection when the server stops.
enum DrainEvent: Sendable {
  /// New requests are refused; those in flight go on.
  case drain
  /// The time for that is over.
  case shutDown
}

/// The connections that are open, and the listening channel.
final class Connections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var listening: (any Channel)?
    var late: @Sendable () async -> Void = {}
    var isDraining = false
    /// Refused connections that are still being told so, by user.
    var lingering: [UInt32: Int] = [:]
    var whenEmpty: EventLoopPromise<Void>?
  }

  private let state = Mutex(State())

  /// - Parameter late: Accepts the callers that still wait for it, when the channel has closed.
  func began(_ listening: any Channel, late: @escaping @Sendable () async -> Void) {
    state.withLock { ($0.listening, $0.late) = (listening, late) }
  }

  var isDraining: Bool { state.withLock { $0.isDraining } }

  /// Counts a connection until it closes.
  ///
  /// - Returns: The error to send before closing, if there is no room for it; it is not counted then.
  func admit(
    _ channel: any Channel, _ usage: PeerUsage, by limits: Limits, isAdministrator: Bool
  ) -> ConnectionHandler.Refusal? {
    let id = ObjectIdentifier(channel)
    let error: RPCError? = state.withLock { state in
      let taken = state.channels.count
      guard taken < limits.connections else {
        return Self.full("regd serves \(limits.connections) connections at once and has that many.", limits.connections)
      }
      guard usage.connections < limits.connectionsPerUID else {
        let limit = limits.connectionsPerUID
        return Self.full("A user may have \(limit) connections, and uid \(usage.uid) has that many.", limit)
      }
      let shared = limits.connections - Self.reserve(of: limits)
      guard isAdministrator || ConnectionShare.hasRoom(own: usage.connections, taken: taken, limit: shared) else {
        return Self.full(
          "Of \(limits.connections) connections uid \(usage.uid) has \(usage.connections), and what is left is for other users.",
          limits.connections)
      }
      usage.connect()
      state.channels[id] = channel
      return nil
    }
    if let error { return refuse(channel, error, usage.uid) }
    channel.closeFuture.whenComplete { [self] _ in remove(id, usage) }
    return nil
  }

  /// Connections that only administrators may have: a sixteenth, and 64 at the most.
  private static func reserve(of limits: Limits) -> Int {
    limits.connections < 4 ? 0 : min(64, max(1, limits.connections / 16))
  }

  /// Refused connections that may linger at once: each has a descriptor, which others need.
  private static let mostLingering = 64

  private func refuse(_ channel: any Channel, _ error: RPCError, _ user: UInt32) -> ConnectionHandler.Refusal {
    let lingers = state.withLock { state in
      let all = state.lingering.values.reduce(0, +)
      guard ConnectionShare.hasRoom(own: state.lingering[user, default: 0], taken: all, limit: Self.mostLingering)
      else {
        return false
      }
      state.lingering[user, default: 0] += 1
      return true
    }
    if lingers {
      channel.closeFuture.whenComplete { [self] _ in
        state.withLock { state in
          let left = state.lingering[user, default: 1] - 1
          state.lingering[user] = left > 0 ? left : nil
        }
      }
    }
    return ConnectionHandler.Refusal(error: error, lingers: lingers)
  }

  private static func full(_ message: String, _ limit: Int) -> RPCError {
    RPCError.busy(message, retryAfter: 1, limit: limit)
  }

  private func remove(_ id: ObjectIdentifier, _ usage: PeerUsage) {
    usage.disconnect()
    let isLast = state.withLock { state in
      state.channels[id] = nil
      return state.channels.isEmpty ? state.whenEmpty.take() : nil
    }
    isLast?.succeed()
  }

  /// Sends rules to all connections, and returns when they have them.
  func tell(_ rules: ServerRules) async {
    let channels = state.withLock { Array($0.channels.values) }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(rules) }
    // a loop does what it is given in that order
    let loops = Dictionary(channels.map { (ObjectIdentifier($0.eventLoop), $0.eventLoop) }) { first, _ in first }
    for loop in loops.values { try? await loop.submit {}.get() }
  }

  /// Closes the listening channel, drains all connections, and waits for them. After `grace` they are shut down, and have
  /// a second more to say so.
  func drain(within grace: Duration) async {
    let (begun, late) = state.withLock { state in
      state.isDraining = true
      return (state.listening, state.late)
    }
    guard let listening = begun else { return }
    try? await listening.close()
    await late()
    let done = listening.eventLoop.makePromise(of: Void.self)
    let channels = state.withLock { state in
      if !state.channels.isEmpty { state.whenEmpty = done }
      return Array(state.channels.values)
    }
    if channels.isEmpty { done.succeed() }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(DrainEvent.drain) }
    let timeout = listening.eventLoop.scheduleTask(in: TimeAmount(grace)) { [self] in shutDown() }
    let end = listening.eventLoop.scheduleTask(in: TimeAmount(grace) + Self.lastMoment) { [self] in
      state.withLock { $0.whenEmpty.take() }?.succeed()
    }
    try? await done.futureResult.get()
    timeout.cancel()
    end.cancel()
  }

  /// The time that connections have after they were shut down to send the last replies.
  static let lastMoment = TimeAmount.seconds(1)

  private func shutDown() {
    for channel in state.withLock({ Array($0.channels.values) }) {
      channel.pipeline.fireUserInboundEventTriggered(DrainEvent.shutDown)
    }
  }

  /// Closes what is still open, finished or not.
  func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }
}
