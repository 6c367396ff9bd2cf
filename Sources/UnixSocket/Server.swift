internal import Glibc
package import JSONRPC
internal import NIOCore
internal import NIOPosix

/// Serves a listening socket: bytes to texts to replies to bytes, until it is told to drain.
package struct Server: Sendable {
  private let socket: ListeningSocket
  private let dispatcher: Dispatcher
  private let limits: Limits
  private let access: AccessRules
  private let accounts: PeerAccounts
  private let report: @Sendable (ServerEvent) -> Void
  private let connections: Connections
  private let work = WorkQueue()

  /// - Parameters:
  ///   - access: Who is an administrator.
  ///   - accounts: Where what each user takes is noted.
  ///   - report: Is told what an operator may want to know, on an event loop: it may not block.
  package init(
    _ socket: ListeningSocket, dispatcher: Dispatcher, limits: Limits, access: AccessRules = AccessRules(),
    accounts: PeerAccounts, report: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.socket = socket
    self.dispatcher = dispatcher
    self.limits = limits
    self.access = access
    self.accounts = accounts
    self.report = report
    connections = Connections(limits)
  }

  /// Accepts and serves; returns after `drain`, when every connection is done and the socket is gone.
  ///
  /// - Parameter ready: Called once connections are accepted.
  package func run(ready: @Sendable () async -> Void) async throws {
    // hashing has threads of its own, and one loop answers more callers than a machine has: half of the cores are plenty
    let loops = MultiThreadedEventLoopGroup(numberOfThreads: max(1, min(4, System.coreCount / 2)))
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
    // NIO has listened again, with a queue of its own size; the last call counts
    Glibc.listen(socket.descriptor, ListeningSocket.backlog)
    connections.began(listening)
    listening.closeFuture.whenComplete { [connections, work] _ in
      if !connections.isDraining { work.close(by: .now) }
    }
    await ready()
    await work.run()
    guard connections.isDraining else { throw ListeningEnded() }
  }

  /// Stops accepting, lets what is in flight finish, refuses what comes, and closes. What has not finished after `grace` is
  /// told that regd stops, or that its registration is pending, and a second later all is closed.
  package func drain(within grace: Duration) async {
    let deadline = ContinuousClock.now + grace + Duration(Connections.lastMoment)
    await connections.drain(within: grace)
    work.close(by: deadline)
    connections.closeAll()
  }

  private func listen(on loops: MultiThreadedEventLoopGroup) async throws -> any Channel {
    let report = report
    return try await ServerBootstrap(group: loops)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPause(report))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // a connection keeps a buffer of this size; one read a turn leaves time to others
      .childChannelOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: 32_768)
      )
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try greet(channel) }
      }
      .withBoundSocket(socket.descriptor)
      .get()
  }

  private func greet(_ channel: any Channel) throws {
    var caller: Caller?
    try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      caller = PeerCredentials.caller(of: $0, access)
    }
    // who is not known is nobody: uid and gid as the kernel writes "none"
    let known = caller ?? Caller(uid: .max, gid: .max, pid: 0)
    let account = accounts.account(of: known.uid)
    let refusal = connections.admit(channel, account)
    if let refusal { report(.refused(known, refusal.error)) }
    try channel.pipeline.syncOperations.addHandler(
      ConnectionHandler(
        dispatcher, limits: limits, caller: known, account: account, work: work, refusal: refusal, report: report))
  }
}
