/// Finds the end of a text that is broken or too deep.
///
/// The broken text ends where its brackets close, or at the end of its line if that comes first. But while brackets are
/// open, it also includes each next line that is indented or begins with a closing bracket, as in pretty-printed JSON.
///
/// The broken text also ends at an empty line, at an opening bracket directly after a closing one (no JSON text
/// contains that), and at the size limit of a message.
struct TextRecovery {
  enum Step: Equatable {
    /// The byte belongs to the broken text.
    case skip
    /// The byte is the last of the broken text.
    case skipAndEnd
    /// The byte begins the next text.
    case end
  }

  private var depth: Int
  private var isInString: Bool
  private var isEscaped = false
  private var isAtLineStart = false
  private var isBehindCloser: Bool
  /// How many more bytes may belong to the broken text.
  private var patience: Int

  /// - Parameters:
  ///   - depth: How many brackets were open before the wrong byte.
  ///   - isInString: Whether a string was open.
  ///   - isBehindCloser: Whether the byte before the wrong one was a closing bracket.
  ///   - patience: The most bytes that may still belong to the broken text.
  init(depth: Int, isInString: Bool, isBehindCloser: Bool = false, patience: Int) {
    self.depth = depth
    self.isInString = isInString
    self.isBehindCloser = isBehindCloser
    self.patience = patience
  }

  mutating func step(_ byte: UInt8) -> Step {
    if byte == UInt8(ascii: "\n") {
      guard depth > 0, !isAtLineStart else { return .skipAndEnd }
      isAtLineStart = true
      isInString = false
      isEscaped = false
      return .skip
    }
    if isAtLineStart {
      guard continues(byte) else { return .end }
      isAtLineStart = false
    }
    guard patience > 0 else { return .end }
    patience -= 1
    return isInString ? insideString(byte) : outside(byte)
  }

  /// Whether a line that begins with the byte may continue the broken text.
  private func continues(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "}"), UInt8(ascii: "]"): true
    default: false
    }
  }

  private mutating func insideString(_ byte: UInt8) -> Step {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
    return .skip
  }

  private mutating func outside(_ byte: UInt8) -> Step {
    let wasBehindCloser = isBehindCloser
    isBehindCloser = wasBehindCloser && JSONBytes.isWhiteSpace(byte)
    switch byte {
    case UInt8(ascii: "\""): isInString = depth > 0
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if wasBehindCloser { return .end }
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      isBehindCloser = true
      guard depth > 0 else { return .skip }
      depth -= 1
      if depth == 0 { return .skipAndEnd }
    default: break
    }
    return .skip
  }
}
