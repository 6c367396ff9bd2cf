internal import WireProtocols

/// Cuts out texts that follow `Content-Length` header blocks.
///
/// After a block without a usable length, the framing skips the next JSON text, whose end it finds by the structure of
/// the text. So it never takes bytes inside a JSON text for a header. A length above `longestPassedOver` is also
/// unusable, because no caller sends that much.
struct HeaderFraming: ~Copyable {
  private enum State {
    case header
    /// Within a text, of which `missing` bytes are still to come.
    case body(missing: Int)
    /// Within a refused text of known length, which is skipped.
    case skipping(missing: Int)
    /// After a refused block, when the length of the text is unknown.
    case lost
  }

  /// The most bytes of one block, line ends included.
  static let maximumBlockBytes = 8192

  /// The largest length, in bytes, by which a refused text is skipped. A larger one is probably an error, so it counts
  /// as unknown.
  private static let longestPassedOver = 1 << 30

  private var maximumBytes: Int
  private var state = State.header
  private var block = HeaderBlock()
  private var line: [UInt8] = []
  private var isLineEmpty = true
  private var blockBytes = 0
  private var isRefused = false
  private var held = SecureBuffer()
  private var isHandedOn = false
  private var skipper: TextSkipper

  init(maximumBytes: Int, maximumDepth: Int) {
    self.maximumBytes = maximumBytes
    skipper = TextSkipper(maximumBytes: maximumBytes, maximumDepth: maximumDepth)
  }

  /// Whether the framing is between texts, possibly within a header block.
  var isBetweenTexts: Bool { if case .header = state { true } else { false } }

  /// Changes the limits. Call it only between texts.
  mutating func adopt(maximumBytes: Int, maximumDepth: Int) {
    self.maximumBytes = maximumBytes
    skipper = TextSkipper(maximumBytes: maximumBytes, maximumDepth: maximumDepth)
  }

  mutating func next(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> MessageFraming.Output? {
    letGo()
    while position < bytes.count {
      switch state {
      case .header:
        if let output = header(bytes[position], &position) { return output }
      case .body(let missing):
        let piece = UnsafeRawBufferPointer(rebasing: bytes[position..<min(bytes.count, position + missing)])
        position += piece.count
        if piece.count == missing { return complete(piece) }
        held.append(piece)
        state = .body(missing: missing - piece.count)
      case .skipping(let missing):
        let skipped = min(missing, bytes.count - position)
        position += skipped
        state = skipped == missing ? .header : .skipping(missing: missing - skipped)
      case .lost:
        if skipper.passOver(bytes, &position) { state = .header }
      }
    }
    return nil
  }

  mutating func finish() -> MessageFraming.Output? {
    letGo()
    switch state {
    case .body: return complete(UnsafeRawBufferPointer(start: nil, count: 0))
    case .header where !block.isEmpty || !line.isEmpty:
      let wasRefused = isRefused
      reset()
      return wasRefused ? nil : .refused(.header(.unfinished))
    case .header, .skipping, .lost: return nil
    }
  }

  mutating func reset() {
    endBlock()
    state = .header
    isHandedOn = false
    held.removeAll()
    skipper.reset()
  }

  /// Wipes the copy of the text that was last returned, if the framing held one.
  mutating func letGo() {
    if isHandedOn { reset() }
  }

  var heldBytes: Int { held.count }

  /// Gives up the text in progress, because the conversation has refused it: wipes its held part and skips the rest.
  mutating func giveUp() {
    if case .body(let missing) = state { state = .skipping(missing: missing) }
    held.removeAll()
  }

  private mutating func complete(_ rest: UnsafeRawBufferPointer) -> MessageFraming.Output {
    if held.isEmpty {
      state = .header
      return .text(rest)
    }
    held.append(rest)
    isHandedOn = true
    return .text(held.bytes)
  }

  /// Takes one byte of a header block.
  private mutating func header(_ byte: UInt8, _ position: inout Int) -> MessageFraming.Output? {
    if block.isEmpty, line.isEmpty, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
      let wasRefused = isRefused
      endBlock()
      state = .lost
      return wasRefused ? nil : .refused(.header(.lengthMissing))
    }
    position += 1
    blockBytes += 1
    guard byte == UInt8(ascii: "\n") else {
      isLineEmpty = isLineEmpty && byte == UInt8(ascii: "\r")
      guard blockBytes > Self.maximumBlockBytes else {
        line.append(byte)
        return nil
      }
      return refuseBlock()
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer {
      line.removeAll(keepingCapacity: true)
      isLineEmpty = true
    }
    if !isLineEmpty {
      guard blockBytes <= Self.maximumBlockBytes else { return refuseBlock() }
      block.add(line)
      return nil
    }
    defer { endBlock() }
    if isRefused {
      state = .lost
      return nil
    }
    // empty lines between messages are ignored
    return block.isEmpty ? nil : begin(block.verdict)
  }

  /// Refuses a block as soon as it is too large. Refuses it only once, and skips the rest of the block unread.
  private mutating func refuseBlock() -> MessageFraming.Output? {
    defer { isRefused = true }
    return isRefused ? nil : .refused(.header(.tooLarge(limit: Self.maximumBlockBytes)))
  }

  private mutating func begin(_ verdict: Result<Int, HeaderBlock.ProblemError>) -> MessageFraming.Output? {
    switch verdict {
    case .failure(let error):
      state = .lost
      return .refused(.header(error.problem))
    case .success(let length) where length > maximumBytes:
      state = length <= Self.longestPassedOver ? .skipping(missing: length) : .lost
      return .refused(.tooLarge(limit: maximumBytes))
    case .success(0):
      return .text(UnsafeRawBufferPointer(start: nil, count: 0))
    case .success(let length):
      state = .body(missing: length)
      return nil
    }
  }

  private mutating func endBlock() {
    block = HeaderBlock()
    blockBytes = 0
    isRefused = false
    line.removeAll(keepingCapacity: true)
    isLineEmpty = true
  }
}

/// Skips one JSON text of unknown length, whose end it finds by the structure of the text. Skips only white space if no
/// text begins here.
private struct TextSkipper {
  private let maximumBytes: Int
  private var scanner: TextScanner
  private var recovery: TextRecovery?
  private var isInText = false

  init(maximumBytes: Int, maximumDepth: Int) {
    self.maximumBytes = maximumBytes
    scanner = TextScanner(maximumDepth: maximumDepth)
  }

  mutating func reset() {
    scanner.reset()
    recovery = nil
    isInText = false
  }

  /// - Returns: True once the text has ended, or if no text begins here. The byte at `position` is then the first one
  ///   after the text or white space.
  mutating func passOver(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      if !isInText {
        if JSONBytes.isWhiteSpace(byte) {
          position += 1
          continue
        }
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return true }
        isInText = true
      }
      switch step(byte) {
      case .skip: position += 1
      case .skipAndEnd:
        position += 1
        reset()
        return true
      case .end:
        reset()
        return true
      }
    }
    return false
  }

  private mutating func step(_ byte: UInt8) -> TextRecovery.Step {
    if recovery == nil {
      switch scanner.step(byte) {
      case .more: return .skip
      case .complete: return .skipAndEnd
      case .broken, .tooDeep:
        recovery = TextRecovery(depth: scanner.depth, isInString: scanner.isInString, patience: maximumBytes)
      }
    }
    return recovery?.step(byte) ?? .end
  }
}
