internal import JSONRPC
internal import NIOCore
internal import Synchronization

/// Tells a connection that the server drains.
struct DrainEvent: Sendable {}

/// The connections that are open, and the listening channel.
final class Connections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var listening: (any Channel)?
    var isDraining = false
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
  func admit(_ channel: any Channel, _ account: PeerAccount) -> RPCError? {
    let id = ObjectIdentifier(channel)
    let refusal: RPCError? = state.withLock { state in
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
    if refusal == nil { channel.closeFuture.whenComplete { [self] _ in remove(id, account) } }
    return refusal
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

  /// Closes the listening channel, drains all connections, and waits for them, but no longer than `grace`.
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
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(DrainEvent()) }
    let timeout = listening.eventLoop.scheduleTask(in: TimeAmount(grace)) { [self] in
      state.withLock { $0.whenEmpty.take() }?.succeed()
    }
    try? await done.futureResult.get()
    timeout.cancel()
  }

  /// Closes what is still open, finished or not.
  func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }
}
