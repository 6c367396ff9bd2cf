/// One connection's conversation: bytes to texts to replies, without any I/O. A request that takes time leaves as a
/// `PendingReply`, whose response is given to `complete`.
package struct Conversation: ~Copyable {
  /// Texts in a row that are no JSON, after which the connection is closed.
  static let maximumParseErrors = 16

  var framing: MessageFraming
  var tape = JSONTape()
  var requests: Requests
  /// The text of a batch that is under way, and its tape.
  var batchText = HeldBytes()
  var batchTape = JSONTape()
  /// What is to be answered on a worker thread, until `takeOffloadedCall`.
  var offloadedCall: OffloadedCall?
  /// Whether an offloaded call has no answer yet.
  package internal(set) var isOffloading = false
  var parseErrors = 0
  /// Bytes of unfinished text that are counted among what the user holds.
  var countedBytes = 0
  private(set) var isAbandoned = false
  /// Nothing more is read of this connection; what is in flight is still answered.
  package internal(set) var isEnding = false

  /// - Parameters:
  ///   - session: What methods know of the connection.
  ///   - usage: What the caller's user takes of the server.
  ///   - limits: Nil for the dispatcher's.
  package init(_ dispatcher: Dispatcher, session: Session, usage: PeerUsage, limits: Limits? = nil) {
    let limits = limits ?? dispatcher.limits
    framing = MessageFraming(maximumBytes: limits.messageBytes, maximumDepth: limits.depth)
    requests = Requests(dispatcher, session: session, usage: usage, limits: limits)
  }

  /// Goes on by other limits. A text that has begun keeps the size that it may have; requests that are under way end as they
  /// would have.
  package mutating func adopt(_ limits: Limits) {
    requests.limits = limits
    framing.adopt(maximumBytes: limits.messageBytes, maximumDepth: limits.depth)
  }

  /// Requests without a reply. Those of a batch count singly once all of it has been looked at, and as one before.
  package var inFlight: Int { requests.inFlight.count + (isBlocked ? 1 : 0) }

  /// Bytes of replies that are ready and wait for the others of their batch, and of notifications.
  package var waitingBytes: Int {
    requests.inFlight.bytes + (requests.batch?.bytes ?? 0) + requests.session.waitingBytes
  }

  /// Whether the limit of requests in flight allows reading on.
  package var mayTakeMore: Bool { !isEnding && !isBlocked && requests.hasRoom }

  /// Whether a batch waits for its next turn: `receive` continues it, also without any bytes.
  package var hasUnfinishedBatch: Bool { requests.batch != nil && !isOffloading }

  /// Whether a batch or an offloaded call has to end before another text is looked at.
  @inline(__always)
  private var isBlocked: Bool { isOffloading || requests.batch != nil }

  /// Refuses requests that come from now on, because the server stops.
  package mutating func drain() { requests.refusal = .draining }

  /// Ends what has not ended: requests that have not begun to commit answer that the server stops, and the others stop
  /// waiting.
  package mutating func shutDown() {
    drain()
    requests.inFlight.cancelAll(.shutdown)
  }

  /// Continues the batch that is under way, takes the next bytes of the connection, and answers at once what needs no
  /// waiting. If a text is too costly for that, nothing more is taken: see `takeOffloadedCall`.
  ///
  /// - Parameters:
  ///   - output: Where replies go, framed as the caller frames its requests.
  ///   - allowance: What may be done in this call; what is left of it afterwards.
  ///   - begin: Called with each reply that needs time, which `complete` ends.
  /// - Returns: How many bytes were taken; the caller gives the rest again.
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
    // an ended conversation takes what comes, and drops it
    if isEnding { position = bytes.count }
    requests.usage.count(allowance.taken - before)
    return position
  }

  /// Takes the last text, whose end is the end of the connection's input.
  package mutating func finish(into output: inout JSONWriter, begin: (PendingReply) -> Void) {
    guard !isEnding, !isBlocked, let last = framing.finish() else { return }
    var allowance = Allowance(requests: .max, outputBytes: .max)
    // while draining, regd has cut off the input, not the caller
    if let refusal = requests.refusal {
      refuse(with: refusal, into: &output)
    } else {
      take(last, &output, &allowance, begin)
      requests.flushResults()
    }
  }

  /// Ends a reply that needed time.
  ///
  /// - Parameter response: Without any framing; nil where nothing is to be sent.
  package mutating func complete(_ pending: PendingReply, _ response: [UInt8]?, into output: inout JSONWriter) {
    requests.inFlight.end(pending)
    requests.usage.end(pending.requestCount)
    requests.usage.hold(-pending.heldBytes)
    // notifications that the request has sent stand before its reply, whatever else is under way
    writeNotifications(into: &output)
    if let response { send(response, &output) }
    requests.session.hasReplied()
    writeNotifications(into: &output)
  }

  /// Forgets everything, because the connection has gone: no password of it stays, and requests that have not begun to
  /// commit are cancelled.
  package mutating func abandon() {
    framing.abandon()
    isAbandoned = true
    requests.batch = nil
    batchText.removeAll()
    countHeldBytes()
    requests.session.end()
    requests.inFlight.cancelAll(.disconnection)
  }

  /// Cancels a request that has taken as long as it may, if it has no reply yet.
  package func expire(_ number: Int, afterSeconds seconds: Int) {
    requests.inFlight.cancel(number, .deadline(seconds: seconds))
  }

  /// Whether a reply that `begin` was called with has not been completed.
  package func isInFlight(_ number: Int) -> Bool { requests.inFlight.has(number) }

  /// Writes an error that belongs to no request.
  package func refuse(with error: RPCError, into output: inout JSONWriter) {
    let start = beginReply(output)
    Response.write(error, id: RequestID.null.source, in: requests.session.language(), to: &output)
    endReply(start, &output)
  }

  /// Ends the conversation: nothing more is read, and `error` says why.
  package mutating func end(with error: RPCError, into output: inout JSONWriter) {
    if framing.kind == .http {
      output.append(HTTPRefusal.text(in: requests.session.language()))
    } else {
      refuse(with: error, into: &output)
    }
    isEnding = true
  }

  /// Finds out how the connection frames its texts, without taking any: for one that is refused anyhow.
  ///
  /// - Returns: Whether it is known now.
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
