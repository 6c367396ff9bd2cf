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

/// The lines of one header block of the Language Server Protocol's base protocol: `Content-Length` is required, and
/// every other field is ignored. Field names may have any case (RFC 9110 §5.1), and fields any order.
package struct HeaderBlock {
  /// Why a header block gives no usable length for the text after it.
  package enum Problem: Equatable, Sendable {
    case lengthMissing
    case lengthTwice
    /// The value is not a decimal number, is negative, or has more than 63 bits.
    case lengthInvalid
    /// A line is not `Name: value`.
    case lineInvalid
    /// The block has more bytes than allowed.
    case tooLarge(limit: Int)
    /// The connection ended within the block.
    case unfinished
  }

  private(set) var isEmpty = true
  private var length: Int?
  private var problem: Problem?

  /// The length in bytes of the text after the block, or the first problem of the block.
  var verdict: Result<Int, ProblemError> {
    if let problem { return .failure(ProblemError(problem: problem)) }
    guard let length else { return .failure(ProblemError(problem: .lengthMissing)) }
    return .success(length)
  }

  struct ProblemError: Error { let problem: Problem }

  private mutating func note(_ new: Problem) {
    isEmpty = false
    problem = problem ?? new
  }

  /// - Parameter line: A line without its line end. It is not empty.
  mutating func add(_ line: [UInt8]) {
    isEmpty = false
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[..<colon].allSatisfy(Self.isToken) else {
      return note(.lineInvalid)
    }
    let name = line[..<colon].map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
    guard name.elementsEqual("content-length".utf8) else { return }
    guard length == nil else { return note(.lengthTwice) }
    let value = line[(colon + 1)...].drop(while: Self.isBlank)
    let digits = value.prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard !digits.isEmpty, value.dropFirst(digits.count).allSatisfy(Self.isBlank),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return note(.lengthInvalid) }
    length = number
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// `tchar` of RFC 9110 §5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
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
