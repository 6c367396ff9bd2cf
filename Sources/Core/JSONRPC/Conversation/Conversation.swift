/// One connection's talk: bytes to texts to replies, without any I/O. What needs time leaves as a `PendingReply` and
/// comes back through `complete`.
package struct Conversation: ~Copyable {
  /// Texts in a row that are no JSON, after which the connection is given up.
  static let patience = 16

  var framing: MessageFraming
  private var tape = JSONTape()
  var requests: Requests
  /// The text of a batch that is under way, and its tape.
  var batchText = HeldBytes()
  var batchTape = JSONTape()
  /// What is to be answered elsewhere, until somebody takes it.
  var costlyText: CostlyText?
  /// A costly text has not come back.
  package internal(set) var isAway = false
  private var parseErrors = 0
  /// Bytes of unfinished text that the account has been told of.
  var notedBytes = 0
  private(set) var isAbandoned = false
  /// Nothing more is read of this connection; what is in flight is still answered.
  package private(set) var isEnding = false

  /// - Parameters:
  ///   - session: What methods know of the connection.
  ///   - account: What the caller's user takes of the server.
  package init(_ dispatcher: Dispatcher, session: Session, account: PeerAccount) {
    framing = MessageFraming(maximumBytes: dispatcher.limits.messageBytes, maximumDepth: dispatcher.limits.depth)
    requests = Requests(dispatcher, session: session, account: account)
  }

  /// Requests without a reply, a batch's counted singly; one that is under way counts as one.
  package var inFlight: Int { requests.inFlight.count + (isHeldUp ? 1 : 0) }

  /// Bytes of replies that are ready and wait for the others of their batch, and of notifications.
  package var waitingBytes: Int {
    requests.inFlight.bytes + (requests.batch?.bytes ?? 0) + requests.session.waitingBytes
  }

  /// Whether regd may read on as far as requests in flight go.
  package var mayTakeMore: Bool { !isEnding && !isHeldUp && requests.hasRoom }

  /// Whether a batch waits for its next turn: `receive` goes on with it, also without any bytes.
  package var hasUnfinishedBatch: Bool { requests.batch != nil && !isAway }

  /// Whether something has to end before another text is looked at.
  @inline(__always)
  private var isHeldUp: Bool { isAway || requests.batch != nil }

  /// Requests that come from now on are refused, for the server stops.
  package mutating func drain() { requests.refusal = .draining }

  /// What has not ended is ended: what was not begun to be committed answers that the server stops, and what was ends its
  /// waiting.
  package mutating func hurry() {
    drain()
    requests.inFlight.cancelAll(.shutdown)
  }

  /// Goes on with the batch that is under way, takes the next bytes of the connection, and answers at once what needs no
  /// waiting. Where a text is too costly for that, nothing more is taken: see `takeCostlyText`.
  ///
  /// - Parameters:
  ///   - output: Where replies go, framed as the caller frames its requests.
  ///   - allowance: What may be done in this call, and is left of it afterwards.
  ///   - begin: Is given what needs time; to be answered by `complete`.
  /// - Returns: How many bytes were taken; the rest is to be given again.
  package mutating func receive(
    _ bytes: UnsafeRawBufferPointer, into output: inout JSONWriter, within allowance: inout Allowance,
    begin: (PendingReply) -> Void
  ) -> Int {
    var position = 0
    let before = allowance.taken
    requests.responseBytes = min(allowance.responseBytes, requests.dispatcher.limits.responseBytes)
    if hasUnfinishedBatch { goOnWithBatch(&output, &allowance, begin) }
    while position < bytes.count, !isEnding, !isHeldUp {
      guard requests.hasRoom, allowance.goesOn(), output.count + waitingBytes < allowance.outputBytes else { break }
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
    requests.tellObserver()
    holdBack(into: &output)
    // an ended conversation takes what comes, and drops it
    if isEnding { position = bytes.count }
    requests.account.count(allowance.taken - before)
    return position
  }

  /// The connection has no more bytes: a text without its end is taken as it is.
  package mutating func finish(into output: inout JSONWriter, begin: (PendingReply) -> Void) {
    guard !isEnding, !isHeldUp, let last = framing.finish() else { return }
    var allowance = Allowance(requests: .max, outputBytes: .max)
    // while draining, the end of what was sent is ours, and not the caller's mistake
    if let refusal = requests.refusal {
      refuse(with: refusal, into: &output)
    } else {
      take(last, &output, &allowance, begin)
      requests.tellObserver()
    }
  }

  /// Sends what has become of a reply that needed time.
  ///
  /// - Parameter response: Without any framing; nil where nothing is to be sent.
  package mutating func complete(_ pending: PendingReply, _ response: [UInt8]?, into output: inout JSONWriter) {
    requests.inFlight.end(pending)
    requests.account.end(pending.requestCount)
    requests.account.hold(-pending.heldBytes)
    // what was told while the request worked stands before its reply, whatever else is under way
    tell(into: &output)
    if let response { send(response, &output) }
    requests.session.hasReplied()
    tell(into: &output)
  }

  /// The connection is gone: nobody waits for its replies, and no password of it stays.
  package mutating func abandon() {
    framing.abandon()
    isAbandoned = true
    requests.batch = nil
    batchText.removeAll()
    noteHeldBytes()
    requests.session.end()
    requests.inFlight.cancelAll(.disconnection)
  }

  /// The request, if it has no reply yet, has taken as long as it may.
  package func expire(_ number: Int, afterSeconds seconds: Int) {
    requests.inFlight.cancel(number, .deadline(seconds: seconds))
  }

  /// Whether the reply that `begin` was given is still to come.
  package func isInFlight(_ number: Int) -> Bool { requests.inFlight.has(number) }

  /// An error that belongs to no request.
  package func refuse(with error: RPCError, into output: inout JSONWriter) {
    let start = beginReply(output)
    Response.write(error, id: RequestID.null.source, to: &output)
    endReply(start, &output)
  }

  /// Nothing more is read; `error` says why.
  package mutating func end(with error: RPCError, into output: inout JSONWriter) {
    if framing.kind == .http { output.append(HTTPRefusal.text) } else { refuse(with: error, into: &output) }
    isEnding = true
  }

  /// Finds out how the connection frames its texts, for one that is refused anyhow.
  ///
  /// - Returns: Whether it is known now.
  package mutating func listen(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    _ = framing.decide(bytes, &position)
    return framing.kind != .undecided
  }

  // MARK: Texts

  /// Most texts lie whole where they were read: then they are read at once, and nobody looks for their end before. What
  /// the reader does not take is left to the framing, which finds out what is the matter.
  @inline(__always)
  private mutating func takeWhole(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ output: inout JSONWriter, _ allowance: inout Allowance,
    _ begin: (PendingReply) -> Void
  ) -> (position: Int, isText: Bool) {
    var position = start
    while position < bytes.count, JSONBytes.isWhiteSpace(bytes[position]) { position &+= 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "[") else {
      return (position, false)
    }
    let limits = requests.dispatcher.limits
    let end = min(bytes.count, position &+ limits.messageBytes)
    let rest = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
    defer { tape.shrink() }
    guard let length = try? JSONReader.readFirst(of: rest, maximumDepth: limits.depth, into: &tape) else {
      return (position, false)
    }
    parseErrors = 0
    answer(UnsafeRawBufferPointer(rebasing: rest[..<length]), &output, &allowance, begin)
    return (position &+ length, true)
  }

  private mutating func take(
    _ next: MessageFraming.Output, _ output: inout JSONWriter, _ allowance: inout Allowance,
    _ begin: (PendingReply) -> Void
  ) {
    switch next {
    case .http:
      output.append(HTTPRefusal.text)
      isEnding = true
    case .refused(let refusal):
      allowance.take(1)
      refuseText(RPCError(refusal), &output)
    case .text(let text):
      defer {
        tape.shrink()
        framing.letGo()
      }
      do {
        try JSONReader.read(text, maximumDepth: requests.dispatcher.limits.depth, into: &tape)
      } catch {
        allowance.take(1)
        refuseText(RPCError(error), &output)
        return
      }
      parseErrors = 0
      answer(text, &output, &allowance, begin)
    }
  }

  /// Answers the text that was read into the tape.
  @inline(__always)
  private mutating func answer(
    _ text: UnsafeRawBufferPointer, _ output: inout JSONWriter, _ allowance: inout Allowance,
    _ begin: (PendingReply) -> Void
  ) {
    let start = beginReply(output)
    allowance.take(bytes: text.count)
    let outcome = requests.answer(JSONView(text, tape), &output, &allowance)
    end(outcome, start, &output, begin)
    if requests.batch != nil {
      batchText.append(text)
      swap(&batchTape, &tape)
    }
    if requests.session.isWaiting { sendNotifications(into: &output) }
  }

  @inline(__always)
  mutating func end(
    _ outcome: Requests.Outcome, _ start: Int, _ output: inout JSONWriter, _ begin: (PendingReply) -> Void
  ) {
    switch outcome {
    case .silent, .unfinished: output.truncate(to: start)
    case .written: endReply(start, &output)
    case .later(let pending):
      output.truncate(to: start)
      begin(pending)
    case .costly(let text):
      output.truncate(to: start)
      (costlyText, isAway) = (text, true)
    }
  }

  /// A text that is refused as a whole. Who sends nothing else for long is not understood, and gets no further.
  private mutating func refuseText(_ error: RPCError, _ output: inout JSONWriter) {
    requests.dispatcher.observer?.refused(nil, error.reason)
    guard error.reason == .parse else { return refuse(with: error, into: &output) }
    parseErrors += 1
    guard parseErrors < Self.patience else {
      var last = error
      last.message += " It is the \(parseErrors)th text in a row that is not; the connection is closed."
      return end(with: last, into: &output)
    }
    refuse(with: error, into: &output)
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
  private func endReply(_ start: Int, _ output: inout JSONWriter) {
    if framing.kind == .headers {
      output.insert("Content-Length: \(output.count - start)\r\n\r\n", at: start)
    } else {
      output.append(UInt8(ascii: "\n"))
    }
    output.beginText()
  }
}
