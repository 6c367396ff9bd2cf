package import Dialogues

/// Callers that leave a protocol's dialogue after every byte and at every stage. Simulates the connection in memory,
/// and finds the resources that such a caller leaves allocated to its user: requests in flight, held bytes, deadlines.
package struct LeavingCallers: Sendable {
  /// What happens between the caller's last byte and its end.
  package enum Stage: String, CaseIterable, Sendable {
    /// Nothing: the caller leaves before any answer.
    case unanswered
    /// One answer comes.
    case answeredOnce
    /// All answers come, and the caller has read them.
    case answered
    /// All answers come, and the caller has read nothing.
    case unread
    /// The caller ends its input.
    case halfClosed
    /// The caller ends its input, and all answers come.
    case halfClosedAndAnswered
    /// The deadlines of all requests pass.
    case expired
    /// The deadlines of all requests pass, and the caller sends the rest of its bytes.
    case expiredAndContinued
    /// regd stops, and its time for stopping has ended.
    case stopped

    /// Whether the stage ends even if no work ever ends.
    fileprivate var needsNoAnswer: Bool {
      switch self {
      case .unanswered, .halfClosed, .expired, .expiredAndContinued, .stopped: true
      case .answeredOnce, .answered, .unread, .halfClosedAndAnswered: false
      }
    }
  }

  private let wire: any WireProtocol
  private let limits: Limits
  /// Whether work ends only when it is cancelled.
  private let isSilent: Bool

  /// - Parameter isSilent: Whether the protocol's work waits until it is cancelled, as hashes in a long queue do.
  package init(_ wire: any WireProtocol, _ limits: Limits = Limits(), isSilent: Bool = false) {
    (self.wire, self.limits, self.isSilent) = (wire, limits, isSilent)
  }

  /// Lets a caller leave after each prefix of the text, at each stage.
  ///
  /// - Returns: The resources that were not released, each with the stage and the number of bytes sent. Empty if all
  ///   were released.
  package func leave(after text: [UInt8]) async -> [String] {
    var faults: [String] = []
    var asked = 0
    for stage in Stage.allCases where !isSilent || stage.needsNoAnswer {
      for count in 0...text.count {
        let (fault, questions) = await leave(after: text, count, at: stage)
        asked += questions
        if let fault { faults.append("\(wire.name), \(stage) after \(count) bytes: \(fault)") }
      }
    }
    if asked == 0 { faults.append("\(wire.name): nothing was asked, so that nothing was tested") }
    return faults
  }

  private func leave(after text: [UInt8], _ count: Int, at stage: Stage) async -> (fault: String?, questions: Int) {
    let connection = PlayedConnection(wire, limits)
    connection.send(text[..<count])
    if isSilent { connection.startAll() }
    switch stage {
    case .unanswered: break
    case .answeredOnce: await connection.answerFirst()
    case .answered:
      await connection.answerAll()
      connection.read()
    case .unread: await connection.answerAll()
    case .halfClosed: connection.finishSending()
    case .halfClosedAndAnswered:
      connection.finishSending()
      await connection.answerAll()
    case .expired: connection.expireAll()
    case .expiredAndContinued:
      connection.expireAll()
      connection.send(text[count...])
      if isSilent { connection.startAll() }
    case .stopped: connection.stop()
    }
    connection.close()
    // a closed connection keeps its deadlines, because work that commits is not cancelled by a caller that leaves
    connection.expireAll()
    await connection.answerAll()
    return (connection.fault, connection.questionCount)
  }
}

/// A dialogue with a simulated connection of `UnixSocket`. As in `UnixSocket`, an answer to a connection that has
/// closed and has nothing in flight is dropped.
private final class PlayedConnection {
  private static let room = Room(output: 1 << 20, response: 1 << 20)

  private let dialogue: any Dialogue
  private let usage = PeerUsage(uid: 7, requestsPerSecond: 0)
  private var untaken: [UInt8] = []
  private var questions: [(question: Question, task: Task<any Sendable, Never>?)] = []
  /// The numbers of all questions that have had a deadline.
  private var numbers: Set<Int> = []
  private var repeated: Set<Int> = []
  private(set) var questionCount = 0
  private var isHalfClosed = false
  private var isClosed = false
  private var isForgotten = false

  init(_ wire: any WireProtocol, _ limits: Limits) {
    dialogue = wire.dialogue(with: Caller(uid: 7, gid: 7, pid: 9), usage, wire.limits(limits)) {}
    dialogue.greet()
  }

  /// The resources that are still allocated, or nil if all are released.
  var fault: String? {
    var faults: [String] = []
    func expectZero(_ what: String, _ count: Int) { if count != 0 { faults.append("\(what) \(count)") } }
    expectZero("requests in flight", usage.inFlight)
    expectZero("held bytes", usage.heldBytes)
    expectZero("questions of the dialogue", dialogue.inFlight)
    expectZero("bytes of output", dialogue.pendingBytes)
    if !isForgotten { faults.append("the connection is never forgotten") }
    if !repeated.isEmpty { faults.append("later questions get the deadlines of \(repeated.sorted())") }
    return faults.isEmpty ? nil : faults.joined(separator: ", ")
  }

  func send(_ bytes: ArraySlice<UInt8>) {
    untaken += bytes
    go()
  }

  private func go() {
    while !isClosed {
      let standing = dialogue.standing(within: Self.room.output)
      let mayTake = !untaken.isEmpty && (standing.isEnding || standing.takesInput)
      switch standing.unfinished {
      case .ready: break
      case .blocked: return
      case .nothing: guard mayTake else { return finishIfPossible(standing) }
      }
      let progress = untaken.withUnsafeBytes { dialogue.receive($0, within: Self.room) { begin($0) } }
      untaken.removeFirst(progress.bytes)
    }
  }

  private func finishIfPossible(_ standing: Standing) {
    guard isHalfClosed, untaken.isEmpty, standing.takesInput, !standing.isEnding else { return }
    isHalfClosed = false
    dialogue.finish { begin($0) }
  }

  private func begin(_ question: Question) {
    questionCount += 1
    questions.append((question, nil))
    // work on a worker thread has no deadline
    if case .computing = question.work { return }
    if !numbers.insert(question.number).inserted { repeated.insert(question.number) }
  }

  /// Begins the work of all questions, each in a task, as an event loop does.
  func startAll() {
    for index in questions.indices where questions[index].task == nil {
      questions[index].task = Self.start(questions[index].question)
    }
  }

  private static func start(_ question: Question) -> Task<any Sendable, Never> {
    let work = question.work
    return Task {
      switch work {
      case .computing(let compute): compute()
      case .waiting(let work), .lookingUp(let work): await work {}
      }
    }
  }

  func answerFirst() async {
    guard !questions.isEmpty else { return }
    let (question, task) = questions.removeFirst()
    let answer = await (task ?? Self.start(question)).value
    guard !isForgotten else { return }
    dialogue.take(answer, to: question.number) { begin($0) }
    guard isClosed else { return go() }
    dialogue.removeOutput()
    forgetIfDone()
  }

  func answerAll() async { while !questions.isEmpty { await answerFirst() } }

  func read() { dialogue.removeOutput() }

  func finishSending() {
    isHalfClosed = true
    go()
  }

  func expireAll() {
    guard !isForgotten else { return }
    for (question, _) in questions {
      if case .computing = question.work { continue }
      dialogue.expire(question.number, afterSeconds: 8)
    }
    go()
  }

  func stop() {
    dialogue.drain()
    go()
    dialogue.shutDown()
    go()
  }

  func close() {
    isClosed = true
    dialogue.abandon()
    untaken = []
    dialogue.removeOutput()
    forgetIfDone()
  }

  private func forgetIfDone() { if dialogue.inFlight == 0 { isForgotten = true } }
}
