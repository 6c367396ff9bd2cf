import Testing

@testable import UnixSocket

/// Dialogues: what happens, with what there is to do then, and what the connection does.
@Suite("The states of a connection")
struct ConnectionStateTests {
  private typealias Line = (ConnectionState.Event, ConnectionState.Work, ConnectionState.Action)

  /// The phase, and those that it leads to: one event may lead through several.
  private func following(_ phase: ConnectionState.Phase) -> Set<ConnectionState.Phase> {
    var reached: Set = [phase]
    while case let more = reached.flatMap(\.successors), !reached.isSuperset(of: more) { reached.formUnion(more) }
    return reached
  }

  /// Plays the lines; each phase that they lead to follows from the one before.
  private func play(
    _ start: ConnectionState, _ lines: [Line], to end: ConnectionState.Phase,
    at location: SourceLocation = #_sourceLocation
  ) {
    var state = start
    for (number, (event, work, action)) in lines.enumerated() {
      let before = state.phase
      let answer = state.handle(event, work)
      #expect(answer == action, "line \(number + 1), \(event)", sourceLocation: location)
      #expect(following(before).contains(state.phase), sourceLocation: location)
    }
    #expect(state.phase == end, sourceLocation: location)
  }

  private let free: ConnectionState.Work = [.time, .mayRead, .mayFinish]

  @Test("a peer that cannot be sent anything, and one whose connection cannot be read, is closed at once")
  func broken() {
    play(
      ConnectionState(), [(.happened(.input), free, .read), (.read(.broken), free, .close)], to: .closed)
    play(
      ConnectionState(),
      [
        (.happened(.input), free, .read), (.read(.some(isAll: true)), [.time, .output], .send), (.broken, free, .close),
      ],
      to: .closed)
    play(
      ConnectionState(), [(.expired, free, .close), (.happened(.input), free, .rest), (.turn, free, .rest)], to: .closed
    )
  }

  @Test("a request is read and answered, and read on only if there may be more")
  func request() {
    play(
      ConnectionState(),
      [
        (.happened(.input), free, .read), (.read(.some(isAll: true)), free.union(.output), .send),
        (.sent(isAll: true), free, .rest), (.changed, free, .rest),
        (.happened(.input), free, .read), (.read(.some(isAll: false)), free.union(.output), .send),
        (.sent(isAll: true), free, .read), (.read(.nothing), free, .rest),
      ], to: .open)
  }

  @Test("an end that is told while bytes wait is read, although the read before it has brought less than it could")
  func boundary() {
    play(
      ConnectionState(),
      [
        (.happened(.input), [.mayRead, .mayFinish], .awaitTurn), (.happened([.input, .boundary]), free, .read),
        (.read(.some(isAll: true)), free, .read), (.read(.end), free, .finish), (.changed, free, .close),
      ], to: .closed)
    play(
      ConnectionState(),
      [
        (.happened([.input, .boundary]), free, .read), (.read(.some(isAll: true)), free, .read),
        (.read(.nothing), free, .rest), (.happened(.input), free, .read), (.read(.some(isAll: true)), free, .rest),
      ], to: .open)
  }

  @Test("what is left waits for a turn, once, and goes on before more is read")
  func turns() {
    play(
      ConnectionState(),
      [
        (.happened(.input), [.mayRead, .mayFinish], .awaitTurn), (.happened(.input), [.mayRead, .mayFinish], .rest),
        (.turn, free, .read), (.read(.some(isAll: false)), [.left], .awaitTurn), (.changed, [.left, .time], .take),
        (.changed, [.left], .rest), (.turn, [.left, .time], .take), (.changed, free, .read),
        (.read(.nothing), free, .rest),
      ], to: .open)
  }

  @Test("past a limit nothing is read, and the bytes that wait are read when there is room")
  func limits() {
    play(
      ConnectionState(),
      [
        (.happened(.input), [.time, .inFlight], .rest), (.happened(.input), [.time, .inFlight], .rest),
        (.changed, [.inFlight, .mayRead, .mayFinish], .awaitTurn), (.turn, free, .read), (.read(.nothing), free, .rest),
      ], to: .open)
  }

  @Test("what the kernel does not take waits for it; replies and notifications behind it wait too")
  func backPressure() {
    play(
      ConnectionState(),
      [
        (.changed, [.time, .output], .send), (.sent(isAll: false), [.time, .output], .rest),
        (.changed, [.time, .output, .notifications], .notify), (.changed, [.time, .output], .rest),
        (.happened(.output), [.time, .output], .send), (.sent(isAll: true), free, .rest),
      ], to: .open)
  }

  @Test("a caller that half-closes has its last text taken and every reply, and is closed then")
  func halfClose() {
    play(
      ConnectionState(),
      [
        (.happened(.input), free, .read), (.read(.some(isAll: false)), free, .read),
        (.read(.end), [.time, .left], .take), (.changed, [.time, .inFlight], .rest),
        (.changed, free.union(.inFlight), .finish), (.changed, [.time, .inFlight], .rest),
        (.changed, [.time, .output], .send), (.sent(isAll: false), [.output], .rest),
        (.happened(.output), [.output], .send), (.sent(isAll: true), [], .close),
      ], to: .closed)
  }

  @Test("a conversation that ends is answered whole, and its peer has a moment to read; what it sends then is dropped")
  func ending() {
    play(
      ConnectionState(),
      [
        (.happened(.input), free, .read), (.read(.some(isAll: false)), [.time, .ending, .output], .send),
        (.sent(isAll: true), [.time, .ending, .inFlight], .drop), (.read(.some(isAll: false)), [.ending], .endSending),
        (.changed, [.ending], .awaitTurn), (.turn, [.time, .ending], .drop),
        (.read(.nothing), [.time, .ending], .rest),
        (.happened(.input), [.time, .ending], .drop), (.read(.end), [.time, .ending], .close),
      ], to: .closed)
    play(
      ConnectionState(),
      [(.changed, [.ending], .endSending), (.changed, [.ending], .rest), (.expired, [.ending], .close)], to: .closed)
  }

  @Test("a caller that is refused is told when its framing is known, when it ends, or after a moment")
  func refusal() {
    let refused = ConnectionState(refusedLingering: true)
    play(
      refused,
      [
        (.happened(.input), free, .readFraming), (.read(.some(isAll: true)), free, .rest),
        (.happened(.input), free, .readFraming), (.read(.some(isAll: true)), [.time, .ending, .output], .send),
        (.sent(isAll: true), [.time, .ending], .endSending), (.changed, [.ending], .rest),
      ], to: .lingering)
    play(
      refused,
      [
        (.happened(.input), free, .readFraming), (.read(.end), free, .refuse), (.changed, [.ending, .output], .send),
        (.sent(isAll: true), [.ending], .close),
      ], to: .closed)
    play(refused, [(.expired, free, .refuse), (.changed, [.ending, .output], .send)], to: .ending)
    play(
      ConnectionState(refusedLingering: false),
      [
        (.happened(.input), free, .refuse), (.changed, [.ending, .output], .send),
        (.sent(isAll: true), [.ending], .close),
      ], to: .closed)
  }

  @Test("a caller that has gone is closed when all that it has sent is taken, or cannot be now")
  func gone() {
    play(
      ConnectionState(),
      [
        (.happened([.input, .gone]), free, .read), (.read(.some(isAll: false)), [.left], .awaitTurn),
        (.turn, [.left, .time], .take), (.changed, free.union(.inFlight), .read),
        (.read(.end), [.time, .inFlight], .close),
      ], to: .closed)
    play(
      ConnectionState(), [(.happened([.input, .gone]), [.time, .inFlight], .close)], to: .closed)
    play(
      ConnectionState(), [(.changed, [.ending], .endSending), (.happened(.gone), [.ending], .close)], to: .closed)
  }

  @Test("every phase leads to the end, and from the end nothing leads on")
  func phases() {
    for phase in ConnectionState.Phase.allCases { #expect(following(phase).contains(.closed)) }
    #expect(ConnectionState.Phase.closed.successors.isEmpty)
  }
}
