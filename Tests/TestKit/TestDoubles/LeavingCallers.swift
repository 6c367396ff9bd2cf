package import WireProtocols

/// Callers that leave a protocol's session after every byte and at every stage. Simulates the connection in memory,
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
    return (connection.fault, connection.deferredCount)
  }
}

/// A session with a simulated connection of `UnixSocket`. As in `UnixSocket`, an answer to a connection that has
/// closed and has nothing in flight is dropped.
private final class PlayedConnection {
  private static let room = OutputBudget(output: 1 << 20, response: 1 << 20)

  private let session: any ProtocolSession
  private let quota = PeerQuota(uid: 7, requestsPerSecond: 0)
  private var untaken: [UInt8] = []
  private var deferredWork: [(deferred: DeferredWork, task: Task<any Sendable, Never>?)] = []
  /// The numbers of all deferred work that has had a deadline.
  private var numbers: Set<Int> = []
  private var repeated: Set<Int> = []
  private(set) var deferredCount = 0
  private var isHalfClosed = false
  private var isClosed = false
  private var isForgotten = false

  init(_ wire: any WireProtocol, _ limits: Limits) {
    session = wire.session(with: Peer(uid: 7, gid: 7, pid: 9), quota, wire.limits(limits)) {}
    session.greet()
  }

  /// The resources that are still allocated, or nil if all are released.
  var fault: String? {
    var faults: [String] = []
    func expectZero(_ what: String, _ count: Int) { if count != 0 { faults.append("\(what) \(count)") } }
    expectZero("requests in flight", quota.inFlight)
    expectZero("held bytes", quota.heldBytes)
    expectZero("deferred work of the session", session.inFlight)
    expectZero("bytes of output", session.pendingBytes)
    if !isForgotten { faults.append("the connection is never forgotten") }
    if !repeated.isEmpty { faults.append("later work gets the deadlines of \(repeated.sorted())") }
    return faults.isEmpty ? nil : faults.joined(separator: ", ")
  }

  func send(_ bytes: ArraySlice<UInt8>) {
    untaken += bytes
    go()
  }

  private func go() {
    while !isClosed {
      let readiness = session.readiness(within: Self.room.output)
      let mayTake = !untaken.isEmpty && (readiness.isEnding || readiness.takesInput)
      switch readiness.unfinished {
      case .ready: break
      case .blocked: return
      case .nothing: guard mayTake else { return finishIfPossible(readiness) }
      }
      let progress = untaken.withUnsafeBytes { session.receive($0, within: Self.room) { begin($0) } }
      untaken.removeFirst(progress.bytes)
    }
  }

  private func finishIfPossible(_ readiness: SessionReadiness) {
    guard isHalfClosed, untaken.isEmpty, readiness.takesInput, !readiness.isEnding else { return }
    isHalfClosed = false
    session.finish { begin($0) }
  }

  private func begin(_ deferred: DeferredWork) {
    deferredCount += 1
    deferredWork.append((deferred, nil))
    // work on a worker thread has no deadline
    if case .computing = deferred.kind { return }
    if !numbers.insert(deferred.number).inserted { repeated.insert(deferred.number) }
  }

  /// Begins all deferred work, each piece in a task, as an event loop does.
  func startAll() {
    for index in deferredWork.indices where deferredWork[index].task == nil {
      deferredWork[index].task = Self.start(deferredWork[index].deferred)
    }
  }

  private static func start(_ deferred: DeferredWork) -> Task<any Sendable, Never> {
    let work = deferred.kind
    return Task {
      switch work {
      case .computing(let compute): compute()
      case .waiting(let work), .lookingUp(let work): await work {}
      }
    }
  }

  func answerFirst() async {
    guard !deferredWork.isEmpty else { return }
    let (deferred, task) = deferredWork.removeFirst()
    let answer = await (task ?? Self.start(deferred)).value
    guard !isForgotten else { return }
    session.take(answer, to: deferred.number) { begin($0) }
    guard isClosed else { return go() }
    session.removeOutput()
    forgetIfDone()
  }

  func answerAll() async { while !deferredWork.isEmpty { await answerFirst() } }

  func read() { session.removeOutput() }

  func finishSending() {
    isHalfClosed = true
    go()
  }

  func expireAll() {
    guard !isForgotten else { return }
    for (deferred, _) in deferredWork {
      if case .computing = deferred.kind { continue }
      session.expire(deferred.number, afterSeconds: 8)
    }
    go()
  }

  func stop() {
    session.drain()
    go()
    session.shutDown()
    go()
  }

  func close() {
    isClosed = true
    session.abandon()
    untaken = []
    session.removeOutput()
    forgetIfDone()
  }

  private func forgetIfDone() { if session.inFlight == 0 { isForgotten = true } }
}
