internal import NIOCore
internal import NIOPosix

/// Callers that have connected and were not accepted before regd began to stop: closing the socket would reset them without
/// an answer.
enum LateCallers {
  /// Accepts all of them, and lets no caller connect any more.
  ///
  /// - Parameter greet: Sets up the connection of each, on its event loop.
  static func take(
    from socket: ListeningSocket, on loops: any EventLoopGroup,
    _ greet: @escaping @Sendable (any Channel) throws -> Void
  ) async {
    let bootstrap = ClientBootstrap(group: loops)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.recvAllocator, value: Greeting.reading)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try greet(channel) } }
    let connections = socket.takeQueue().map { bootstrap.withConnectedSocket($0) }
    for connection in connections { _ = try? await connection.get() }
  }
}
