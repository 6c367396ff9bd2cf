internal import Localization
internal import Reasons
internal import WireProtocols

/// Turns texts into replies, whether they arrive whole or in pieces.
extension Conversation {
  /// The hot path: reads a text without first searching for its end. Succeeds if the whole text has arrived. Otherwise
  /// takes nothing, and the framing waits for more bytes or finds the reason to refuse the text.
  @inline(__always)
  mutating func takeWhole(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ output: inout JSONWriter, _ allowance: inout Allowance,
    _ begin: (PendingReply) -> Void
  ) -> (position: Int, isText: Bool) {
    let position = JSONBytes.whiteSpaceEnd(in: bytes, from: start)
    guard position < bytes.count, bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "[") else {
      return (position, false)
    }
    let limits = requests.limits
    let end = min(bytes.count, position &+ limits.messageBytes)
    let rest = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
    defer { tape.shrink() }
    guard let length = try? JSONReader.readFirst(of: rest, maximumDepth: limits.depth, into: &tape) else {
      return (position, false)
    }
    parseErrors = 0
    answer(UnsafeRawBufferPointer(rebasing: rest[..<length]), &output, &allowance, begin)
    // skips the line feed after the text, usually the last byte of the read
    return (JSONBytes.whiteSpaceEnd(in: bytes, from: position &+ length), true)
  }

  mutating func take(
    _ next: MessageFraming.Output, _ output: inout JSONWriter, _ allowance: inout Allowance,
    _ begin: (PendingReply) -> Void
  ) {
    switch next {
    case .http:
      output.append(HTTPRefusal.text(in: requests.session.language()))
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
        try JSONReader.read(text, maximumDepth: requests.limits.depth, into: &tape)
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
    case .offloaded(let call):
      output.truncate(to: start)
      (offloadedCall, isOffloading) = (call, true)
    }
  }

  /// Refuses a whole text. Ends the conversation once too many texts in a row were not JSON.
  private mutating func refuseText(_ error: RPCError, _ output: inout JSONWriter) {
    requests.dispatcher.observer?.refused(nil, error.reason, by: requests.session.caller)
    guard error.reason == .parse else { return refuse(with: error, into: &output) }
    parseErrors += 1
    guard parseErrors < Self.maximumParseErrors else {
      var last = error
      last.sentence = last.sentence.followed(
        by: LocalizedMessage(RPCMessageKey.parseLast, ["count": .number(parseErrors)]))
      return end(with: last, into: &output)
    }
    refuse(with: error, into: &output)
  }
}

extension Conversation {
  /// The work that one call of `receive` may do. A connection makes several such calls in its turn on the event loop,
  /// and looks at the clock after each.
  package struct Allowance {
    /// The number of texts and items of batches between two looks at the clock.
    package static let step = 32
    /// This many bytes of a text count as one more request, because a long text is as much work as many short ones.
    private static let bytesOfOne = 4096

    /// Texts that the call may still take. Each item of a batch counts as one. The call returns once this is 0 or less.
    package private(set) var requests: Int
    /// Texts that the call has taken. Each item of a batch counts as one.
    package private(set) var taken = 0
    /// The call takes no more texts once the output and `Conversation.waitingBytes` together reach this many bytes.
    package var outputBytes: Int
    /// The most bytes of one result, and of all results of a batch together. `Limits.responseBytes` also applies.
    package var responseBytes: Int

    package init(requests: Int = step, outputBytes: Int, responseBytes: Int = .max) {
      self.requests = requests
      self.outputBytes = outputBytes
      self.responseBytes = responseBytes
    }

    @inline(__always)
    mutating func take(_ count: Int) {
      requests &-= count
      taken &+= count
    }

    /// Charges for the length of a text, in addition to the charge for the text itself.
    @inline(__always)
    mutating func take(bytes: Int) { requests &-= bytes / Self.bytesOfOne }

    /// Whether the call may take another text.
    @inline(__always)
    var goesOn: Bool { requests > 0 }
  }
}
