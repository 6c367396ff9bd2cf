package import WireProtocols

/// One connection's conversation: turns bytes into texts and texts into replies, without any I/O. A request that takes time is
/// handed out as a `PendingReply`, and the connection passes its response to `complete`.
package struct Conversation: ~Copyable {
  /// After this many texts in a row that are not JSON, the connection is closed.
  static let maximumParseErrors = 16

  var framing: MessageFraming
  var tape = JSONTape()
  var requests: Requests
  /// The text of the batch in flight. `batchTape` is its tape.
  var batchText = SecureBuffer()
  var batchTape = JSONTape()
  /// The call that a worker thread has to answer, until `takeOffloadedCall` takes it.
  var offloadedCall: OffloadedCall?
  /// Whether an offloaded call is waiting for its answer.
  package internal(set) var isOffloading = false
  var parseErrors = 0
  /// Bytes of held text that `quota` currently counts for the user.
  var countedBytes = 0
  private(set) var isAbandoned = false
  /// Whether the conversation reads no more input. Requests in flight are still answered.
  package internal(set) var isEnding = false

  /// - Parameters:
  ///   - session: The connection, as methods see it.
  ///   - quota: Counts the resources of the server that the caller's user takes.
  ///   - limits: The limits of this conversation, or nil for those of `dispatcher`.
  ///   - isAdministrator: Whether the rate limit does not apply to the caller, or nil if the session's access class
  ///     decides.
  package init(
    _ dispatcher: Dispatcher, session: Session, quota: PeerQuota, limits: Limits? = nil, isAdministrator: Bool? = nil
  ) {
    let limits = limits ?? dispatcher.limits
    framing = MessageFraming(maximumBytes: limits.messageBytes, maximumDepth: limits.depth)
    requests = Requests(
      dispatcher, session: session, quota: quota, limits: limits,
      isAdministrator: isAdministrator ?? (session.access == .admin))
  }

  /// Makes another dispatcher answer from now on. It has the same methods in the same order.
  mutating func adopt(_ dispatcher: Dispatcher) { requests.dispatcher = dispatcher }

  /// Applies other limits from now on. A text that has begun keeps its size limit, and requests in flight end under the limits
  /// with which they began.
  ///
  /// - Parameter isAdministrator: Whether the rate limit does not apply to the caller from now on.
  package mutating func adopt(_ limits: Limits, isAdministrator: Bool) {
    requests.limits = limits
    requests.isAdministrator = isAdministrator
    framing.adopt(maximumBytes: limits.messageBytes, maximumDepth: limits.depth)
  }

  /// Requests whose reply the caller awaits. A batch counts as one request until its last item is read. After that,
  /// each item whose work has not ended counts.
  package var awaited: Int { requests.inFlight.count + (isBlocked ? 1 : 0) }

  /// The awaited requests, and those whose work continues although the caller has the reply.
  package var inFlight: Int { awaited + requests.inFlight.toldCount }

  /// Bytes of replies that are ready but wait for the rest of their batch, plus bytes of waiting notifications.
  package var waitingBytes: Int {
    requests.inFlight.bytes + (requests.batch?.bytes ?? 0) + requests.session.waitingBytes
  }

  /// Whether the requests in flight leave room for another text now. False once the conversation is ending.
  package var mayTakeMore: Bool { !isEnding && !isBlocked && requests.hasRoom }

  /// Whether a batch is waiting for the connection's next turn. `receive` continues it even if called without bytes.
  package var hasUnfinishedBatch: Bool { requests.batch != nil && !isOffloading }

  /// Whether a batch or an offloaded call has to end before another text is taken.
  @inline(__always)
  private var isBlocked: Bool { isOffloading || requests.batch != nil }

  /// Refuses every request from now on, because the server is stopping.
  package mutating func drain() { if !isEnding { requests.refusal = .draining } }

  /// Cancels the requests in flight. Requests that have not begun to commit get the error that the server is stopping.
  /// The others only stop waiting, and get their work's own reply.
  package mutating func shutDown(into output: inout JSONWriter) {
    drain()
    for pending in requests.inFlight.awaited { giveUp(pending, .shutdown, &output) }
  }

  /// Continues the batch in flight, takes the connection's next bytes, and answers at once every request that needs no
  /// waiting. If a request is too costly for the event loop, takes nothing after it (see `takeOffloadedCall`).
  ///
  /// - Parameters:
  ///   - output: Receives the replies, framed as the caller frames its requests.
  ///   - allowance: The work that this call may do. Afterwards, the part that is left.
  ///   - begin: Called with each reply that needs time. The connection ends it with `complete`.
  /// - Returns: How many bytes were taken. The connection passes the remaining bytes again later.
  package mutating func receive(
    _ bytes: UnsafeRawBufferPointer, into output: inout JSONWriter, within allowance: inout Allowance,
    begin: (PendingReply) -> Void
  ) -> Int {
    var position = 0
    let before = allowance.taken
    requests.responseBytes = min(allowance.responseBytes, requests.limits.responseBytes)
    if hasUnfinishedBatch { continueBatch(&output, &allowance, begin) }
    while position < bytes.count, !isEnding, !isBlocked {
      guard requests.hasRoom, allowance.goesOn, output.count + waitingBytes < allowance.outputBytes else { break }
      if framing.kind == .undecided, let http = framing.decide(bytes, &position) {
        take(http, &output, &allowance, begin)
        continue
      }
      if framing.isBetweenTexts {
        let taken = takeWhole(bytes, position, &output, &allowance, begin)
        position = taken.position
        if taken.isText { continue }
      }
      guard let next = framing.next(bytes, &position) else { break }
      take(next, &output, &allowance, begin)
    }
    requests.flushResults()
    limitHeldBytes(into: &output)
    // an ended conversation accepts and drops all input
    if isEnding { position = bytes.count }
    requests.quota.count(allowance.taken - before)
    return position
  }

  /// Ends the input, and answers the text that it cuts off, if there is one.
  package mutating func finish(into output: inout JSONWriter, begin: (PendingReply) -> Void) {
    guard !isEnding, !isBlocked, let last = framing.finish() else { return }
    var allowance = Allowance(requests: .max, outputBytes: .max)
    // while regd drains, regd itself has cut off the input, so the caller did not cause an unfinished text
    if let refusal = requests.refusal {
      refuse(with: refusal, into: &output)
    } else {
      take(last, &output, &allowance, begin)
      requests.flushResults()
    }
  }

  /// Sends the reply to requests that took time, and ends them.
  ///
  /// - Parameter response: The response without framing, or nil if nothing is to be sent. The response is dropped if
  ///   the caller already has a reply.
  package mutating func complete(_ pending: PendingReply, _ response: [UInt8]?, into output: inout JSONWriter) {
    let isAwaited = requests.inFlight.end(pending)
    requests.quota.end(pending.requestCount)
    requests.quota.hold(-pending.heldBytes)
    // notifications of the request go before its reply, whatever else is in flight
    writeNotifications(into: &output)
    if isAwaited, let response { send(response, &output) }
    requests.session.hasReplied()
    writeNotifications(into: &output)
  }

  /// Forgets everything, because the connection has closed: wipes all held text, which may contain passwords, and cancels the
  /// requests that have not begun to commit.
  package mutating func abandon() {
    framing.abandon()
    isAbandoned = true
    requests.batch = nil
    batchText.removeAll()
    countHeldBytes()
    requests.session.end()
    requests.inFlight.cancelAll(.disconnection)
  }

  /// Cancels a request that has reached its deadline, if it has no reply yet.
  package mutating func expire(_ number: Int, afterSeconds seconds: Int, into output: inout JSONWriter) {
    guard let pending = requests.inFlight.awaitedReply(number) else { return }
    giveUp(pending, .deadline(seconds: seconds), &output)
  }

  /// Cancels a reply's work. Sends the reply now if no request of it has begun to commit, because work that hangs in a
  /// store or an upstream may return much later. A request that may have changed something gets its work's own reply.
  private mutating func giveUp(_ pending: PendingReply, _ reason: Cancellation.Reason, _ output: inout JSONWriter) {
    pending.cancel(reason)
    guard !isAbandoned, let reply = pending.decided() else { return }
    requests.inFlight.tell(pending)
    writeNotifications(into: &output)
    if let response = reply { send(response, &output) }
  }

  /// The reply with this number, if it is still to be completed.
  package func reply(_ number: Int) -> PendingReply? { requests.inFlight.reply(number) }

  /// Writes an error with the id null, because it answers no particular request.
  package func refuse(with error: RPCError, into output: inout JSONWriter) {
    let start = beginReply(output)
    Response.write(error, id: RequestID.null.source, in: requests.session.language(), to: &output)
    endReply(start, &output)
  }

  /// Ends the conversation: reads nothing more, and answers all items of a batch in flight that have no response with the
  /// error, because their work has not begun.
  ///
  /// - Parameters:
  ///   - error: The reason.
  ///   - isTold: Whether the caller also gets the reason by itself, with a null id.
  package mutating func end(with error: RPCError, isTold: Bool = true, into output: inout JSONWriter) {
    if isTold, framing.kind == .http {
      output.append(HTTPRefusal.text(in: requests.session.language()))
    } else if isTold {
      refuse(with: error, into: &output)
    }
    requests.end(with: error)
    isEnding = true
  }

  /// Detects how the caller of a refused connection frames texts, so that regd frames the refusal in the same way.
  /// Takes no text.
  ///
  /// - Returns: Whether the framing is known now.
  package mutating func detectFraming(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    _ = framing.decide(bytes, &position)
    return framing.kind != .undecided
  }

  // MARK: Replies

  func send(_ text: [UInt8], _ output: inout JSONWriter) {
    let start = beginReply(output)
    text.withUnsafeBytes { output.append($0) }
    endReply(start, &output)
  }

  @inline(__always)
  func beginReply(_ output: borrowing JSONWriter) -> Int { output.count }

  @inline(__always)
  func endReply(_ start: Int, _ output: inout JSONWriter) {
    if framing.kind == .headers {
      output.insert("Content-Length: \(output.count - start)\r\n\r\n", at: start)
    } else {
      output.append(UInt8(ascii: "\n"))
    }
    output.beginText()
  }
}

/// Continues work that outlasts one turn of the connection on the event loop: a long batch, and a call on a worker
/// thread.
extension Conversation {
  mutating func continueBatch(
    _ output: inout JSONWriter, _ allowance: inout Allowance, _ begin: (PendingReply) -> Void
  ) {
    let start = beginReply(output)
    let outcome = requests.goOn(with: JSONView(batchText.bytes, batchTape), &output, &allowance)
    end(outcome, start, &output, begin)
    if requests.batch == nil {
      batchText.removeAll()
      batchTape.shrink()
    }
    if requests.session.isWaiting { sendNotifications(into: &output) }
  }

  /// Takes the call that `receive` left for a worker thread. Returns nil if no call was left. The connection passes
  /// the thread's answer to `resume`.
  package mutating func takeOffloadedCall() -> OffloadedCall? { offloadedCall.take() }

  /// Continues with the answer to an offloaded call.
  package mutating func resume(
    _ call: OffloadedCall, with answer: OffloadedCall.Answer, into output: inout JSONWriter,
    begin: (PendingReply) -> Void
  ) {
    guard isOffloading else { return }
    isOffloading = false
    if isAbandoned {
      // the connection has closed: work that the answer would begin does not begin
      requests.quota.end(1)
    } else if requests.batch != nil {
      requests.takeItem(answer, to: call)
    } else {
      let start = beginReply(output)
      let outcome = requests.take(answer, to: call, &output)
      end(outcome, start, &output, begin)
    }
    requests.flushResults()
    if requests.session.isWaiting { sendNotifications(into: &output) }
  }
}

/// Sends notifications of methods to the caller (JSON-RPC 2.0 §4.1). Most report a state that a reply also reports, and are
/// sent after that reply.
extension Conversation {
  /// Whether notifications are waiting that can be sent now. None is sent while a worker thread answers a call. While a
  /// batch is in flight, they are sent only once they fill the room that the batch needs to continue.
  ///
  /// - Parameter room: The most bytes of notifications that may wait.
  package func hasNotifications(within room: Int) -> Bool {
    let session = requests.session
    guard session.isWaiting, !isOffloading else { return false }
    return requests.batch == nil || session.waitingBytes >= room
  }

  /// Whether the batch in flight may continue. It may not while notifications wait that, together with `bytes` of
  /// output, reach `room` bytes, unless its other items are refused.
  package func batchHasRoom(besides bytes: Int, within room: Int) -> Bool {
    requests.isRefusing || !requests.session.isWaiting || bytes + requests.session.waitingBytes < room
  }

  /// Sends the waiting notifications, unless a batch or an offloaded call is in flight.
  @inline(never)
  package func sendNotifications(into output: inout JSONWriter) {
    guard !isOffloading, requests.batch == nil else { return }
    writeNotifications(into: &output)
  }

  /// Sends the waiting notifications, whatever is in flight.
  package func writeNotifications(into output: inout JSONWriter) {
    for text in requests.session.takeTexts() { send(text, &output) }
  }
}

/// Limits the bytes that regd holds for one user: here those of the unfinished text and of the batch in flight.
extension Conversation {
  /// Bytes of unfinished text that each connection may always have, however much regd holds for its user.
  private static let shareOfHeldBytes = 16_384

  /// Refuses the unfinished text if it is long and regd holds more than the limit for its user.
  mutating func limitHeldBytes(into output: inout JSONWriter) {
    countHeldBytes()
    let limit = requests.limits.heldBytesPerUID
    guard requests.quota.heldBytes > limit, framing.heldBytes > Self.shareOfHeldBytes else { return }
    framing.giveUpText()
    countHeldBytes()
    refuse(with: .tooMuchHeld(limit: limit), into: &output)
  }

  /// Whether a text has begun and not yet ended.
  var hasBegunText: Bool { framing.heldBytes > 0 }

  mutating func countHeldBytes() {
    let now = framing.heldBytes + batchText.bytes.count
    if now != countedBytes { requests.quota.hold(now - countedBytes) }
    countedBytes = now
  }
}
