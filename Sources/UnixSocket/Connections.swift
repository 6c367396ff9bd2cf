internal import JSONRPC
internal import NIOCore
internal import Synchronization

/// Tells a connection that the server drains.
enum DrainEvent: Sendable {
  case drain
  /// The time for that is over.
  case hurry
}

/// The connections that are open, and the listening channel.
final class Connections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var listening: (any Channel)?
    var isDraining = false
    /// Refused connections that are still being told so.
    var lingering = 0
    var whenEmpty: EventLoopPromise<Void>?
  }

  private let limits: Limits
  private let state = Mutex(State())

  init(_ limits: Limits) { self.limits = limits }

  func began(_ listening: any Channel) { state.withLock { $0.listening = listening } }

  var isDraining: Bool { state.withLock { $0.isDraining } }

  /// Notes a connection until it closes.
  ///
  /// - Returns: The error to send and close with, where there is no room for it.
  func admit(_ channel: any Channel, _ account: PeerAccount) -> ConnectionHandler.Refusal? {
    let id = ObjectIdentifier(channel)
    let error: RPCError? = state.withLock { state in
      if state.isDraining { return .draining }
      guard state.channels.count < limits.connections else {
        return Self.full("regd serves \(limits.connections) connections at once and has that many.", limits.connections)
      }
      guard account.connections < limits.connectionsPerUID else {
        let limit = limits.connectionsPerUID
        return Self.full("A user may have \(limit) connections, and uid \(account.uid) has that many.", limit)
      }
      account.connect()
      state.channels[id] = channel
      return nil
    }
    if let error { return refuse(channel, error) }
    channel.closeFuture.whenComplete { [self] _ in remove(id, account) }
    return nil
  }

  /// Refused connections that may take their time at once: each has a descriptor, which others need.
  private static let mostLingering = 64

  private func refuse(_ channel: any Channel, _ error: RPCError) -> ConnectionHandler.Refusal {
    let lingers = state.withLock { state in
      guard state.lingering < Self.mostLingering else { return false }
      state.lingering += 1
      return true
    }
    if lingers { channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.lingering -= 1 } } }
    return ConnectionHandler.Refusal(error: error, lingers: lingers)
  }

  private static func full(_ message: String, _ limit: Int) -> RPCError {
    var error = RPCError.busy(message, retryAfter: 1)
    error.limit = limit
    return error
  }

  private func remove(_ id: ObjectIdentifier, _ account: PeerAccount) {
    account.disconnect()
    let isLast = state.withLock { state in
      state.channels[id] = nil
      return state.channels.isEmpty ? state.whenEmpty.take() : nil
    }
    isLast?.succeed()
  }

  /// Closes the listening channel, drains all connections, and waits for them; after `grace` they are to end what they
  /// do, and to say so.
  func drain(within grace: Duration) async {
    let begun = state.withLock { state in
      state.isDraining = true
      return state.listening
    }
    guard let listening = begun else { return }
    try? await listening.close()
    let done = listening.eventLoop.makePromise(of: Void.self)
    let channels = state.withLock { state in
      if !state.channels.isEmpty { state.whenEmpty = done }
      return Array(state.channels.values)
    }
    if channels.isEmpty { done.succeed() }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(DrainEvent.drain) }
    let timeout = listening.eventLoop.scheduleTask(in: TimeAmount(grace)) { [self] in hurry() }
    let end = listening.eventLoop.scheduleTask(in: TimeAmount(grace) + Self.lastMoment) { [self] in
      state.withLock { $0.whenEmpty.take() }?.succeed()
    }
    try? await done.futureResult.get()
    timeout.cancel()
    end.cancel()
  }

  /// What connections have, after the time to drain is over, to send what has become of their requests.
  static let lastMoment = TimeAmount.seconds(1)

  private func hurry() {
    for channel in state.withLock({ Array($0.channels.values) }) {
      channel.pipeline.fireUserInboundEventTriggered(DrainEvent.hurry)
    }
  }

  /// Closes what is still open, finished or not.
  func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }
}
