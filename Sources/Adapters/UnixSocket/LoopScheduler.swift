internal import JSONRPC
internal import Linux
internal import NIOCore
internal import NIOPosix

/// Shares one event loop's time among users. Bound to the loop.
///
/// A round is one tick of the loop: it looks at its descriptors, handles what is ready, and runs its tasks. A connection is
/// served where its bytes were read as long as its user has time left in the round; otherwise it waits here, and is served
/// in a later round, when the bytes of other users have been seen. To have the loop tick again, a byte is written to a pipe
/// that it reads (the self-pipe trick): a task would not do, for NIO runs tasks until there are none, including those that
/// they add.
final class LoopScheduler {
  /// A user's time in one round.
  private static let slice = Duration.milliseconds(1)
  /// The time of waiting connections in one round, and of a user that has it for itself. A saturated loop has some hundred
  /// rounds a second with it.
  private static let whole = slice * 4
  /// Below this much time a new round is not begun: a task in each tick would cost more than what it gives back.
  private static let negligible = slice / 8

  private let loop: any EventLoop
  private let wakeUp: Descriptor
  private var slices = TimeSlices<NIOLoopBound<ConnectionHandler>>(slice: slice, whole: whole)
  private var spent = Duration.zero
  private var isWakingUp = false
  private var isEndingRound = false

  /// - Parameter wakeUp: The end to write to of a pipe that the loop reads; owned by the scheduler.
  init(_ loop: any EventLoop, wakeUp: Int32) {
    self.loop = loop
    self.wakeUp = Descriptor(owning: wakeUp)
  }

  /// How long a connection of the user may be served where its bytes were read.
  func left(to user: UInt32) -> Duration { slices.left(to: user) }

  func spend(_ time: Duration, by user: UInt32) {
    slices.spend(time, by: user)
    spent += time
    guard spent > Self.negligible, !isEndingRound else { return }
    isEndingRound = true
    // runs when everything that was ready has been handled, and before the loop looks at its descriptors again
    loop.assumeIsolated().execute { [self] in
      (spent, isEndingRound) = (.zero, false)
      slices.beginRound()
    }
  }

  /// Queues a connection that has work left; it must not be queued already.
  func wait(_ connection: ConnectionHandler) {
    slices.wait(NIOLoopBound(connection, eventLoop: loop), of: connection.caller.uid)
    requestTick()
  }

  func serve() {
    isWakingUp = false
    var now = ContinuousClock.now
    let end = now + Self.whole
    while now < end, let next = slices.next() {
      next.connection.value.takeTurn(until: now + next.time)
      let after = ContinuousClock.now
      spend(after - now, by: next.user)
      now = after
    }
    if !slices.isEmpty { requestTick() }
  }

  private func requestTick() {
    guard !isWakingUp else { return }
    isWakingUp = true
    // the pipe is empty, and has room for one byte
    _ = withUnsafeBytes(of: UInt8(1)) { byte in try? wakeUp.write(byte) }
  }
}

/// Reads the pipe by which a loop's scheduler asks for a tick.
final class WakeUpHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let scheduler: LoopScheduler

  init(_ scheduler: LoopScheduler) { self.scheduler = scheduler }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { scheduler.serve() }
}

struct LoopSchedulers: Sendable {
  private let schedulers: [ObjectIdentifier: NIOLoopBound<LoopScheduler>]

  init(_ loops: MultiThreadedEventLoopGroup) async throws {
    var schedulers: [ObjectIdentifier: NIOLoopBound<LoopScheduler>] = [:]
    for loop in loops.makeIterator() { schedulers[ObjectIdentifier(loop)] = try await Self.scheduler(of: loop) }
    self.schedulers = schedulers
  }

  /// The scheduler of `loop`; called on that loop.
  subscript(loop: any EventLoop) -> LoopScheduler? { schedulers[ObjectIdentifier(loop)]?.value }

  private static func scheduler(of loop: any EventLoop) async throws -> NIOLoopBound<LoopScheduler> {
    let (input, output) = try pipe()
    let scheduler = try await loop.submit { NIOLoopBound(LoopScheduler(loop, wakeUp: output), eventLoop: loop) }.get()
    _ = try await NIOPipeBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(WakeUpHandler(scheduler.value))
        }
      }
      .takingOwnershipOfDescriptor(input: input).get()
    return scheduler
  }

  private static func pipe() throws(SystemError) -> (input: Int32, output: Int32) {
    let pipe = try Descriptor.pipe()
    let first = pipe.first
    let second = pipe.second
    return (first.release(), second.release())
  }
}
