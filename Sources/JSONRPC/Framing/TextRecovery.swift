/// Finds where to go on after a text that is broken or too deep.
///
/// The broken text ends where its brackets close, or with its line if that comes first. Indented lines and closing
/// brackets that follow are what is left of a pretty-printed text, and go with it.
struct TextRecovery {
  enum Step: Equatable {
    /// The byte goes with the broken text.
    case skip
    /// The byte goes with the broken text and is its last.
    case skipAndEnd
    /// The byte begins what comes next.
    case end
  }

  private var depth: Int
  private var isInString: Bool
  private var isEscaped = false
  /// The broken line is over and had open brackets: its tail may follow.
  private var isInTail = false
  private var isAtLineStart = false

  /// - Parameters:
  ///   - depth: How many brackets were open before the byte that was wrong.
  ///   - isInString: Whether a string was open.
  init(depth: Int, isInString: Bool) {
    self.depth = depth
    self.isInString = isInString
  }

  mutating func step(_ byte: UInt8) -> Step {
    if byte == UInt8(ascii: "\n") {
      guard depth > 0 else { return .skipAndEnd }
      isInTail = true
      isAtLineStart = true
      isInString = false
      return .skip
    }
    if isInTail {
      guard isAtLineStart else { return .skip }
      isAtLineStart = false
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "}"), UInt8(ascii: "]"): return .skip
      default: return .end
      }
    }
    return isInString ? insideString(byte) : outside(byte)
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
    switch byte {
    case UInt8(ascii: "\""): isInString = depth > 0
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard depth > 0 else { return .skip }
      depth -= 1
      if depth == 0 { return .skipAndEnd }
    default: break
    }
    return .skip
  }
}
