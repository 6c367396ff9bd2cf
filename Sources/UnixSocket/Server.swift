internal import Glibc
package import JSONRPC
internal import NIOCore
internal import NIOPosix

/// Serves a listening socket: bytes to texts to replies to bytes, until it is told to drain.
package struct Server: Sendable {
  private let socket: ListeningSocket
  private let dispatcher: Dispatcher
  private let limits: Limits
  private let connections: Connections
  private let work = WorkQueue()

  package init(_ socket: ListeningSocket, dispatcher: Dispatcher, limits: Limits) {
    self.socket = socket
    self.dispatcher = dispatcher
    self.limits = limits
    connections = Connections(limit: limits.connections)
  }

  /// Accepts and serves; returns after `drain`, when every connection is done and the socket is gone.
  ///
  /// - Parameter ready: Called once connections are accepted.
  package func run(ready: @Sendable () async -> Void) async throws {
    let loops = MultiThreadedEventLoopGroup(numberOfThreads: min(4, System.coreCount))
    let result: Result<Void, any Error>
    do {
      try await serve(on: loops, ready)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    socket.release()
    try await loops.shutdownGracefully()
    try result.get()
  }

  /// Somebody or something has closed the listening socket.
  package struct ListeningEnded: Error {}

  private func serve(on loops: MultiThreadedEventLoopGroup, _ ready: @Sendable () async -> Void) async throws {
    let listening = try await listen(on: loops)
    // NIO listens with a queue of its own size first; the last call counts
    Glibc.listen(socket.descriptor, ListeningSocket.backlog)
    connections.began(listening)
    listening.closeFuture.whenComplete { [connections, work] _ in
      if !connections.isDraining { work.close(by: .now) }
    }
    await ready()
    await work.run()
    guard connections.isDraining else { throw ListeningEnded() }
  }

  /// Stops accepting, lets what is in flight finish, refuses what comes, and closes; after `grace` by force.
  package func drain(within grace: Duration) async {
    let deadline = ContinuousClock.now + grace
    await connections.drain(within: grace)
    work.close(by: deadline)
    connections.closeAll()
  }

  private func listen(on loops: MultiThreadedEventLoopGroup) async throws -> any Channel {
    let (dispatcher, limits, connections, work) = (dispatcher, limits, connections, work)
    return try await ServerBootstrap(group: loops)
      // without descriptors to accept with, try again in a second and not at once
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let refusal = connections.admit(channel)
          try channel.pipeline.syncOperations.addHandler(
            ConnectionHandler(dispatcher: dispatcher, limits: limits, work: work, refusal: refusal))
        }
      }
      .withBoundSocket(socket.descriptor)
      .get()
  }
}
