internal import WireProtocols

/// Cuts a stream into JSON texts, which may be newline-ended, concatenated or pretty-printed.
///
/// However the bytes are split over calls, the texts and refusals are the same. A text that arrives whole in one call is handed
/// on in place. Only a split text is copied, and the copy is wiped when the text has been used (`letGo`), because texts contain
/// passwords.
struct TextFraming: ~Copyable {
  private enum State {
    case between
    /// Within a text that began with a bracket.
    case structured
    /// Within a text that began with another character, and so ends with its line.
    case line
    case recovering
  }

  private var maximumBytes: Int
  private var maximumDepth: Int
  private var state = State.between
  private var scanner: TextScanner
  private var recovery = TextRecovery(depth: 0, isInString: false, patience: 0)
  /// The bytes of the text in progress from earlier calls. Remains empty once `isOverLimit`.
  private var held = SecureBuffer()
  /// Whether `held` is a whole text, which was returned and which `letGo` has to wipe.
  private var isHandedOn = false
  /// Bytes of the text in progress, whether held or dropped.
  private var length = 0
  private var isOverLimit = false
  private var isAfterLineFeed = false

  init(maximumBytes: Int, maximumDepth: Int) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = maximumDepth
    scanner = TextScanner(maximumDepth: maximumDepth)
  }

  /// Changes the limits. Call it only between texts, because the limits of a text that has begun must not change.
  mutating func adopt(maximumBytes: Int, maximumDepth: Int) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = maximumDepth
    scanner = TextScanner(maximumDepth: maximumDepth)
  }

  /// Whether the next byte other than white space begins a text.
  var isBetweenTexts: Bool { state == .between }

  /// Takes bytes from `position` on, up to the end of a text, or to the byte that makes the framing refuse the text.
  ///
  /// - Returns: Nil when all bytes have been taken.
  mutating func next(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> MessageFraming
    .Output?
  {
    letGo()
    /// The start of the text in progress within `bytes`; the first position of this call if the text began in an
    /// earlier call.
    var start = position
    while position < bytes.count {
      let byte = bytes[position]
      switch state {
      case .between:
        guard !JSONBytes.isWhiteSpace(byte) else {
          position += 1
          continue
        }
        start = position
        state = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? .structured : .line
      case .structured:
        if let output = takeStructured(bytes, &position, from: start) { return output }
      case .line:
        if let output = takeLine(bytes, &position, from: start) { return output }
      case .recovering:
        let step = recovery.step(byte)
        if step != .end { position += 1 }
        if step != .skip { state = .between }
      }
    }
    switch state {
    case .structured, .line:
      if !isOverLimit { held.append(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
    case .between, .recovering: break
    }
    return nil
  }

  private mutating func takeStructured(
    _ bytes: UnsafeRawBufferPointer, _ position: inout Int, from start: Int
  ) -> MessageFraming.Output? {
    if isFirstOverLimit { return refuseTooLarge() }
    let run = scanner.plainRun(bytes, from: position)
    let taken = isOverLimit ? run : min(run, maximumBytes - length)
    if taken > 0 {
      length += taken
      isAfterLineFeed = false
      position += taken
      return nil
    }
    let byte = bytes[position]
    switch scanner.step(byte) {
    case .more:
      take(byte)
      position += 1
      return nil
    case .complete:
      position += 1
      return complete(bytes, start..<position)
    case .broken:
      let refusal = refusal(.notJSON(offset: length, expected: scanner.expected))
      if isAfterLineFeed, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        // the text lacks its end: a bracket at the start of a line begins the next text
        reset()
      } else {
        let isMismatch = scanner.isMismatch(byte)
        if isMismatch { position += 1 }  // it closes nothing that is open
        recover(depth: scanner.depth, isInString: scanner.isInString, isBehindCloser: isMismatch)
      }
      return refusal
    case .tooDeep:
      let refusal = refusal(.tooDeep(limit: maximumDepth))
      recover(depth: scanner.depth, isInString: false)
      return refusal
    }
  }

  private mutating func takeLine(
    _ bytes: UnsafeRawBufferPointer, _ position: inout Int, from start: Int
  ) -> MessageFraming.Output? {
    if bytes[position] == UInt8(ascii: "\n") {
      position += 1
      return complete(bytes, start..<position - 1)
    }
    if isFirstOverLimit { return refuseTooLarge() }
    let end = JSONBytes.lineEnd(in: bytes, from: position)
    let taken = isOverLimit ? end - position : min(end - position, maximumBytes - length)
    length += taken
    position += taken
    return nil
  }

  /// Returns the text in progress as it is, because the input has ended, or nil if no text is in progress.
  mutating func finish() -> MessageFraming.Output? {
    letGo()
    switch state {
    case .structured, .line: return complete(UnsafeRawBufferPointer(start: nil, count: 0), 0..<0)
    case .between, .recovering: return nil
    }
  }

  /// Forgets the text in progress and wipes the held part of it.
  mutating func reset() {
    state = .between
    scanner.reset()
    length = 0
    isOverLimit = false
    isAfterLineFeed = false
    isHandedOn = false
    held.removeAll()
  }

  /// Wipes the copy of the text that was last returned, if the framing held one.
  mutating func letGo() {
    if isHandedOn { reset() }
  }

  var heldBytes: Int { held.count }

  /// Gives up the text in progress, because the conversation has refused it: wipes its held part and skips the rest.
  mutating func giveUp() {
    isOverLimit = true
    held.removeAll()
  }

  private mutating func take(_ byte: UInt8) {
    length += 1
    isAfterLineFeed = byte == UInt8(ascii: "\n")
  }

  /// Whether the current byte is the first one beyond the limit.
  private var isFirstOverLimit: Bool { length == maximumBytes && !isOverLimit }

  private mutating func refuseTooLarge() -> MessageFraming.Output {
    isOverLimit = true
    held.removeAll()
    return .refused(.tooLarge(limit: maximumBytes))
  }

  /// The refusal, or nil if the text was already refused for its size, because each text gets one refusal only.
  private func refusal(_ refusal: MessageFraming.Refusal) -> MessageFraming.Output? {
    isOverLimit ? nil : .refused(refusal)
  }

  private mutating func complete(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>)
    -> MessageFraming.Output?
  {
    guard !isOverLimit else {
      reset()
      return nil
    }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[range])
    if held.isEmpty {
      reset()
      return .text(rest)
    }
    held.append(rest)
    isHandedOn = true
    return .text(held.bytes)
  }

  private mutating func recover(depth: Int, isInString: Bool, isBehindCloser: Bool = false) {
    reset()
    recovery = TextRecovery(
      depth: depth, isInString: isInString, isBehindCloser: isBehindCloser, patience: maximumBytes)
    state = .recovering
  }
}
