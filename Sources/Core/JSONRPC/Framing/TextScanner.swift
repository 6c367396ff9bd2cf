internal import Localization

/// Finds the end of a JSON text byte by byte, however the text is split into reads.
///
/// It checks the structure of the grammar (which token may come next, pairs of brackets, closed strings) and leaves the inside
/// of strings, numbers and literals to the reader. So a text that lacks its end is detected at the first byte that cannot
/// belong to it, and not only when the connection closes.
struct TextScanner {
  enum Step: Equatable {
    /// The byte belongs to the text, and more must come.
    case more
    /// The byte is the text's last.
    case complete
    /// The byte cannot be part of any JSON text.
    case broken
    /// The byte opens one container more than the limit allows.
    case tooDeep
  }

  private enum Expecting { case value, elementOrEnd, memberOrEnd, member, colon, separatorOrEnd }
  private enum Token { case none, string, escape, scalar }

  private let maximumDepth: Int
  /// The open containers, innermost last: true for an object.
  private var open: [Bool] = []
  private var expecting = Expecting.value
  private var token = Token.none
  private var isName = false

  init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

  /// Resets the scanner for a new text.
  mutating func reset() {
    open.removeAll(keepingCapacity: true)
    expecting = .value
    token = .none
    isName = false
  }

  var depth: Int { open.count }

  /// Whether the byte is a closing bracket of the wrong kind for the innermost open container.
  func isMismatch(_ byte: UInt8) -> Bool {
    guard let isObject = open.last, !isInString else { return false }
    return byte == UInt8(ascii: isObject ? "]" : "}")
  }

  /// How many bytes from `position` on are surely plain bytes inside a string, so that `step` can skip them. Tests
  /// eight bytes at a time, because most of a long text is such bytes. The result is a multiple of eight.
  func plainRun(_ bytes: UnsafeRawBufferPointer, from position: Int) -> Int {
    guard token == .string else { return 0 }
    var end = position
    if let text = bytes.baseAddress {
      while end &+ 8 <= bytes.count, EightBytes(text, at: end).special == 0 { end &+= 8 }
    }
    return end &- position
  }

  /// The kind of JSON that the grammar requires instead of the byte for which `step` has returned `broken`.
  var expected: JSONMessageKey {
    if isInString { return .escapedControl }
    return switch expecting {
    case .value: .value
    case .elementOrEnd: .valueOrBracket
    case .memberOrEnd: .nameOrBrace
    case .member: .name
    case .colon: .colon
    case .separatorOrEnd: open.last == true ? .commaOrBrace : .commaOrBracket
    }
  }

  var isInString: Bool { token == .string || token == .escape }

  mutating func step(_ byte: UInt8) -> Step {
    switch token {
    case .string: return insideString(byte)
    case .escape:
      token = .string
      return byte < 0x20 ? .broken : .more
    case .scalar:
      if Self.isScalar(byte) { return .more }
      token = .none
      expecting = .separatorOrEnd
    case .none: break
    }
    return JSONBytes.isWhiteSpace(byte) ? .more : structural(byte)
  }

  private mutating func insideString(_ byte: UInt8) -> Step {
    switch byte {
    case UInt8(ascii: "\""):
      token = .none
      expecting = isName ? .colon : .separatorOrEnd
      isName = false
    case UInt8(ascii: "\\"): token = .escape
    case ..<0x20: return .broken
    default: break
    }
    return .more
  }

  private mutating func structural(_ byte: UInt8) -> Step {
    switch (expecting, byte) {
    case (.colon, UInt8(ascii: ":")):
      expecting = .value
    case (.separatorOrEnd, UInt8(ascii: ",")):
      expecting = open[open.count - 1] ? .member : .value
    case (.separatorOrEnd, UInt8(ascii: "}")), (.memberOrEnd, UInt8(ascii: "}")):
      return close(object: true)
    case (.separatorOrEnd, UInt8(ascii: "]")), (.elementOrEnd, UInt8(ascii: "]")):
      return close(object: false)
    case (.member, UInt8(ascii: "\"")), (.memberOrEnd, UInt8(ascii: "\"")):
      token = .string
      isName = true
    case (.value, _), (.elementOrEnd, _):
      return value(byte)
    default:
      return .broken
    }
    return .more
  }

  private mutating func value(_ byte: UInt8) -> Step {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < maximumDepth else { return .tooDeep }
      let isObject = byte == UInt8(ascii: "{")
      open.append(isObject)
      expecting = isObject ? .memberOrEnd : .elementOrEnd
    case UInt8(ascii: "\""): token = .string
    default:
      guard Self.isScalar(byte) else { return .broken }
      token = .scalar
    }
    return .more
  }

  private mutating func close(object: Bool) -> Step {
    guard open[open.count - 1] == object else { return .broken }
    open.removeLast()
    expecting = .separatorOrEnd
    return open.isEmpty ? .complete : .more
  }

  /// Whether the byte can occur in a number or literal. The reader decides whether the bytes form one.
  private static func isScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
