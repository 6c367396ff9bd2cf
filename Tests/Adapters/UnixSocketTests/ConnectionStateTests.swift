import Testing

@testable import UnixSocket

/// Scripted dialogues: each line is an event, the work that is possible then, and the expected action.
@Suite("The states of a connection")
struct ConnectionStateTests {
  private typealias Line = (ConnectionState.Event, ConnectionState.Work, ConnectionState.Action)

  /// The phase and all phases that it can lead to. One event may pass through several.
  private func following(_ phase: ConnectionState.Phase) -> Set<ConnectionState.Phase> {
    var reached: Set = [phase]
    while case let more = reached.flatMap(\.successors), !reached.isSuperset(of: more) { reached.formUnion(more) }
    return reached
  }

  /// Runs the lines, and checks that each phase can follow from the phase before.
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

  @Test("a connection that cannot be read or written is closed at once")
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

  @Test("a connection reads and answers a request, and reads on only if there may be more")
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

  @Test("a connection reads the end behind a boundary even if the previous read brought less than it could")
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

  @Test("remaining work waits for one turn, and continues before the connection reads more")
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

  @Test("past a limit the connection reads nothing, and it reads the waiting bytes when there is room again")
  func limits() {
    play(
      ConnectionState(),
      [
        (.happened(.input), [.time, .inFlight], .rest), (.happened(.input), [.time, .inFlight], .rest),
        (.changed, [.inFlight, .mayRead, .mayFinish], .awaitTurn), (.turn, free, .read), (.read(.nothing), free, .rest),
      ], to: .open)
  }

  @Test("replies and notifications wait until the kernel accepts more output")
  func backPressure() {
    play(
      ConnectionState(),
      [
        (.changed, [.time, .output], .send), (.sent(isAll: false), [.time, .output], .rest),
        (.changed, [.time, .output, .notifications], .notify), (.changed, [.time, .output], .rest),
        (.happened(.output), [.time, .output], .send), (.sent(isAll: true), free, .rest),
      ], to: .open)
  }

  @Test("after a half-close the connection takes the last message, sends every reply and then closes")
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

  @Test("an ending connection sends all its output, then leaves its peer a moment to read and drops any input")
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

  @Test("a refused caller gets the refusal when its framing is known, when it ends, or after a moment")
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

  @Test("after its caller has left, a connection closes when all input is taken or none can be taken now")
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

  @Test("every phase leads to the closed phase, and no phase follows it")
  func phases() {
    for phase in ConnectionState.Phase.allCases { #expect(following(phase).contains(.closed)) }
    #expect(ConnectionState.Phase.closed.successors.isEmpty)
  }
}
