package import Heartbeat
package import JSONRPC
internal import Linux
internal import NIOCore
internal import NIOPosix
internal import WorkerThreads

/// Serves a listening socket until `drain`: bytes to texts to replies to bytes.
package struct Server: Sendable {
  private let socket: ListeningSocket
  private let dispatcher: Dispatcher
  private let rules: ServerRules.InForce
  private let usages: PeerUsages
  private let report: @Sendable (ServerEvent) -> Void
  private let connections: Connections
  private let work = WorkQueue()

  /// - Parameters:
  ///   - access: Which callers are administrators.
  ///   - usages: Counts what each user takes.
  ///   - report: Called with what an operator may want to know, on an event loop: it may not block.
  package init(
    _ socket: ListeningSocket, dispatcher: Dispatcher, limits: Limits, access: AccessRules = AccessRules(),
    usages: PeerUsages, report: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.socket = socket
    self.dispatcher = dispatcher
    rules = ServerRules.InForce(ServerRules(limits: limits, access: access))
    self.usages = usages
    self.report = report
    connections = Connections()
  }

  // hashing has threads of its own, and one loop answers more callers than a machine has: half of the cores are plenty
  private static var threads: Int { max(1, min(4, System.coreCount / 2)) }

  /// How many descriptors `run` opens beside those of its connections: six for each loop and its offload thread
  /// (epoll, an event and a timer; both ends of the wake-up pipe; an event). NIO ends the process where it gets none.
  package static var descriptors: Int { 6 * threads }

  /// Accepts and serves; returns after `drain`, when every connection is done and the socket is gone.
  ///
  /// - Parameter ready: Called once connections are accepted, with the event loops, which may be asked until `drain`.
  package func run(ready: @Sendable (_ loops: [Pulse]) async -> Void) async throws {
    let threads = Self.threads
    let loops = MultiThreadedEventLoopGroup(numberOfThreads: threads)
    let result: Result<Void, any Error>
    do {
      let offloadThreads = try OffloadThreads(threads: threads)
      let parts = ConnectionHandler.Parts(
        dispatcher: dispatcher, work: work, offloadThreads: offloadThreads, report: report)
      let schedulers = try await LoopSchedulers(loops)
      // before the loops end, which their answers go to
      defer { offloadThreads.stop() }
      try await serve(Greeting(parts: parts, schedulers: schedulers, rules: rules, usages: usages), on: loops, ready)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    socket.release()
    try await loops.shutdownGracefully()
    try result.get()
  }

  /// The listening socket was closed, but not by `drain`.
  package struct ListeningEnded: Error {}

  private func serve(
    _ greeting: Greeting, on loops: MultiThreadedEventLoopGroup, _ ready: @Sendable ([Pulse]) async -> Void
  ) async throws {
    let listening = try await listen(greeting, on: loops)
    // NIO has listened again, with a queue of its own size; the last call counts
    try? Descriptor(borrowing: socket.descriptor).listen(backlog: ListeningSocket.backlog)
    connections.began(
      listening,
      late: { [socket, connections] in
        await LateCallers.take(from: socket, on: loops) { try greeting.greet($0, connections) }
      })
    listening.closeFuture.whenComplete { [connections, work] _ in
      if !connections.isDraining { work.close(by: .now) }
    }
    await ready(
      loops.makeIterator().enumerated().map { number, loop in
        Pulse("event loop \(number + 1)") { answered in loop.execute(answered) }
      })
    await work.run()
    guard connections.isDraining else { throw ListeningEnded() }
  }

  /// Goes on by other limits and access rules; every connection has them when this returns. Requests in flight end by the
  /// limits that they began with, and no connection is closed because it is one too many now.
  package func adopt(_ limits: Limits, _ access: AccessRules) async {
    let new = ServerRules(limits: limits, access: access)
    usages.adopt(limits)
    if rules.replace(with: new) { await connections.tell(new) }
  }

  /// Stops accepting, lets requests in flight finish, refuses new ones, and closes. Requests that have not finished after
  /// `grace` answer that regd stops, or that their registration is pending; a second later all connections are closed.
  package func drain(within grace: Duration) async {
    let deadline = ContinuousClock.now + grace + Duration(Connections.lastMoment)
    await connections.drain(within: grace)
    work.close(by: deadline)
    connections.closeAll()
  }

  private func listen(_ greeting: Greeting, on loops: MultiThreadedEventLoopGroup) async throws -> any Channel {
    let (report, connections) = (report, connections)
    return try await ServerBootstrap(group: loops)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPause(report))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.recvAllocator, value: Greeting.reading)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try greeting.greet(channel, connections) }
      }
      .withBoundSocket(socket.descriptor)
      .get()
  }
}
