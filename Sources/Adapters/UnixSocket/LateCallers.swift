internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Callers who have connected and were not accepted before regd began to stop: closing the socket would reset them without
/// a word.
enum LateCallers {
  /// Accepts all of them, and lets nobody connect any more.
  ///
  /// - Parameter greet: Makes connections of them, on their event loops.
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
