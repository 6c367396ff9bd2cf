internal import CLinux
internal import Glibc
internal import JSONRPC
internal import NIOCore
internal import NIOPosix

/// The turns of one event loop: a connection that cannot be served where it was read waits here. Bound to the loop.
///
/// Between two rounds the loop looks at its descriptors, so that the bytes of others are seen. A task would not do: NIO runs
/// tasks until there are none, those that they add included. So the next round is called by a byte in a pipe, which is a
/// descriptor like others.
final class LoopTurns {
  /// What a user has of a round. With it a loop that is asked for all it can do takes some hundred rounds a second.
  private static let slice = Duration.milliseconds(1)
  /// How many slices are served before the loop looks at its descriptors.
  private static let slicesOfRound = 4

  private var turns = Turns<ConnectionHandler>(slice: slice)
  private let bell: Int32
  private var isCalled = false

  init(bell: Int32) { self.bell = bell }

  deinit { close(bell) }

  /// How long a connection may be served where it was read.
  func left(to user: UInt32) -> Duration { turns.left(to: user) }

  func spend(_ time: Duration, by user: UInt32) { turns.spend(time, by: user) }

  /// A connection has something to be gone on with; it is not waiting yet.
  func wait(_ connection: ConnectionHandler) {
    turns.wait(connection, of: connection.caller.uid)
    call()
  }

  func serve() {
    isCalled = false
    turns.beginRound()
    var now = ContinuousClock.now
    let end = now + Self.slice * Self.slicesOfRound
    while now < end, let next = turns.next() {
      next.member.takeTurn(until: now + next.slice)
      let after = ContinuousClock.now
      turns.spend(after - now, by: next.user)
      now = after
    }
    if !turns.isEmpty { call() }
  }

  private func call() {
    guard !isCalled else { return }
    isCalled = true
    // a pipe that nothing else is written to has room for one byte
    var byte: UInt8 = 1
    _ = write(bell, &byte, 1)
  }
}

/// Hears the bell of a loop's turns.
final class BellHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let turns: LoopTurns

  init(_ turns: LoopTurns) { self.turns = turns }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { turns.serve() }
}

/// The turns of all event loops.
struct TurnsOfLoops: Sendable {
  struct PipeFailure: Error { let errorNumber: Int32 }

  private let turns: [ObjectIdentifier: NIOLoopBound<LoopTurns>]

  init(_ loops: MultiThreadedEventLoopGroup) async throws {
    var turns: [ObjectIdentifier: NIOLoopBound<LoopTurns>] = [:]
    for loop in loops.makeIterator() { turns[ObjectIdentifier(loop)] = try await Self.turns(of: loop) }
    self.turns = turns
  }

  /// To be asked on the loop.
  func of(_ loop: any EventLoop) -> LoopTurns? { turns[ObjectIdentifier(loop)]?.value }

  private static func turns(of loop: any EventLoop) async throws -> NIOLoopBound<LoopTurns> {
    var ends: [Int32] = [-1, -1]
    guard linux_pipe(&ends) == 0 else { throw PipeFailure(errorNumber: errno) }
    let (input, bell) = (ends[0], ends[1])
    let turns = try await loop.submit { NIOLoopBound(LoopTurns(bell: bell), eventLoop: loop) }.get()
    _ = try await NIOPipeBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(BellHandler(turns.value))
        }
      }
      .takingOwnershipOfDescriptor(input: input).get()
    return turns
  }
}
