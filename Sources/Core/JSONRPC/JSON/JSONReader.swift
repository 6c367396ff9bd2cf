internal import Localization

/// Reads one JSON text strictly by RFC 8259, in one pass and without recursion.
///
/// The reader also refuses three things that the grammar allows: invalid UTF-8 (§8.1), lone surrogates (§8.2), and two members
/// of one object with the same name (§4 leaves the meaning open, and programs that disagree about it let attackers bypass
/// filters). Numbers are checked but never converted: a 20-digit id keeps its 20 digits.
///
/// `JSONGrammar.whole` admits what the grammar allows: lone surrogates in escapes, and repeated names.
struct JSONReader {
  private let text: UnsafePointer<UInt8>
  private let count: Int
  private let maximumDepth: Int
  private let grammar: JSONGrammar
  private var position = 0
  private var depth = 0
  /// The tape index of the innermost open container. Meaningless while `depth` is 0.
  private var container = 0

  private enum Expecting {
    case value, elementOrEnd, memberOrEnd, member, separatorOrEnd
  }

  private init(text: UnsafeRawBufferPointer, maximumDepth: Int, _ grammar: JSONGrammar) {
    // An empty buffer may have no address. `nothing` replaces it and is never read.
    self.text = text.bindMemory(to: UInt8.self).baseAddress ?? Self.nothing.utf8Start
    count = text.count
    self.maximumDepth = maximumDepth
    self.grammar = grammar
  }

  private static let nothing: StaticString = " "

  /// Indexes `text` into `tape`, replacing the tape's former content.
  ///
  /// - Parameters:
  ///   - text: One value with optional white space around it, at most 4 GiB.
  ///   - maximumDepth: How many arrays and objects may be open at once, 1 or more.
  /// - Throws: `JSONReadError` at the first invalid byte.
  static func read(
    _ text: UnsafeRawBufferPointer, maximumDepth: Int, _ grammar: JSONGrammar = .strict, into tape: inout JSONTape
  ) throws(JSONReadError) {
    tape.removeAll()
    var reader = JSONReader(text: text, maximumDepth: maximumDepth, grammar)
    try reader.run(&tape)
    reader.skipWhiteSpace()
    guard reader.position == reader.count else { throw reader.failure(.endOfText) }
  }

  /// Indexes the first value of `text`, and reads nothing after that value.
  ///
  /// - Returns: The position after the value's last byte.
  static func readFirst(
    of text: UnsafeRawBufferPointer, maximumDepth: Int, into tape: inout JSONTape
  ) throws(JSONReadError) -> Int {
    tape.removeAll()
    var reader = JSONReader(text: text, maximumDepth: maximumDepth, .strict)
    try reader.run(&tape)
    return reader.position
  }

  private mutating func run(_ tape: inout JSONTape) throws(JSONReadError) {
    var expecting = Expecting.value
    repeat {
      skipWhiteSpace()
      guard position < count else { throw failure(describe(expecting)) }
      let byte = text[position]
      switch expecting {
      case .separatorOrEnd:
        let isObject = tape[container].kind == .object
        if byte == UInt8(ascii: ",") {
          position &+= 1
          expecting = isObject ? .member : .value
        } else if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          try close(&tape)
        } else {
          throw failure(isObject ? .commaOrBrace : .commaOrBracket)
        }
      case .member, .memberOrEnd:
        if byte == UInt8(ascii: "\"") {
          try string(&tape)
          skipWhiteSpace()
          guard position < count, text[position] == UInt8(ascii: ":") else { throw failure(.colon) }
          position &+= 1
          expecting = .value
          // shortcut for most members, whose value is a string without white space around it
          guard position < count, text[position] == UInt8(ascii: "\"") else { break }
          try string(&tape)
          expecting = .separatorOrEnd
          guard position < count, text[position] == UInt8(ascii: ",") else { break }
          position &+= 1
          expecting = .member
        } else if expecting == .memberOrEnd, byte == UInt8(ascii: "}") {
          try close(&tape)
          expecting = .separatorOrEnd
        } else {
          throw failure(describe(expecting))
        }
      case .value, .elementOrEnd:
        if expecting == .elementOrEnd, byte == UInt8(ascii: "]") {
          try close(&tape)
          expecting = .separatorOrEnd
        } else {
          expecting = try value(byte, expecting, &tape)
        }
      }
    } while depth > 0
  }

  @inline(__always)
  private mutating func value(
    _ byte: UInt8, _ expecting: Expecting, _ tape: inout JSONTape
  ) throws(JSONReadError) -> Expecting {
    switch byte {
    case UInt8(ascii: "\""): try string(&tape)
    case UInt8(ascii: "{"):
      try open(.object, &tape)
      return .memberOrEnd
    case UInt8(ascii: "["):
      try open(.array, &tape)
      return .elementOrEnd
    case UInt8(ascii: "t"): try literal("true", .true, &tape)
    case UInt8(ascii: "f"): try literal("false", .false, &tape)
    case UInt8(ascii: "n"): try literal("null", .null, &tape)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(&tape)
    default: throw failure(describe(expecting))
    }
    return .separatorOrEnd
  }

  @inline(__always)
  private mutating func open(_ kind: JSONKind, _ tape: inout JSONTape) throws(JSONReadError) {
    guard depth < maximumDepth else { throw JSONReadError(reason: .tooDeep(limit: maximumDepth), offset: position) }
    depth &+= 1
    let around = container
    container = tape.count
    tape.append(JSONNode(kind: kind, start: UInt32(truncatingIfNeeded: position), end: 0, next: UInt32(around)))
    position &+= 1
  }

  @inline(__always)
  private mutating func close(_ tape: inout JSONTape) throws(JSONReadError) {
    position &+= 1
    depth &-= 1
    let closed = container
    var node = tape[closed]
    container = Int(node.next)
    node.end = UInt32(truncatingIfNeeded: position)
    node.next = UInt32(truncatingIfNeeded: tape.count)
    tape[closed] = node
    if node.kind == .object, grammar == .strict, let twice = JSONMemberNames.firstDuplicate(of: closed, tape, text) {
      throw JSONReadError(
        reason: .syntax(expected: .nameOnce), offset: Int(tape[twice].start))
    }
  }

  private mutating func literal(_ word: StaticString, _ kind: JSONKind, _ tape: inout JSONTape) throws(JSONReadError) {
    let start = position
    for offset in 0..<word.utf8CodeUnitCount {
      guard position < count, text[position] == word.utf8Start[offset] else {
        throw failure(kind == .true ? .literalTrue : kind == .false ? .literalFalse : .literalNull)
      }
      position += 1
    }
    append(kind, from: start, &tape)
  }

  /// Reads a number by RFC 8259 §6: no leading zeros, no bare point, no leading plus sign.
  @inline(__always)
  private mutating func number(_ tape: inout JSONTape) throws(JSONReadError) {
    let start = position
    if text[position] == UInt8(ascii: "-") { position += 1 }
    if position < count, text[position] == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if position < count, text[position] == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if position < count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
        position += 1
      }
      try digits()
    }
    append(.number, from: start, &tape)
  }

  @inline(__always)
  private mutating func digits() throws(JSONReadError) {
    let start = position
    while position < count, text[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
    if position == start { throw failure(.digit) }
  }

  @inline(__always)
  private mutating func string(_ tape: inout JSONTape) throws(JSONReadError) {
    var scanner = JSONStringScanner(text: text, count: count, position: position &+ 1, grammar)
    let start = position &+ 1
    try scanner.scan()
    position = scanner.position
    tape.append(
      JSONNode(
        kind: .string, escaped: scanner.escaped, start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: position &- 1), next: UInt32(truncatingIfNeeded: tape.count &+ 1)))
  }

  private func append(_ kind: JSONKind, from start: Int, _ tape: inout JSONTape) {
    tape.append(
      JSONNode(
        kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position),
        next: UInt32(truncatingIfNeeded: tape.count &+ 1)))
  }

  @inline(__always)
  private mutating func skipWhiteSpace() {
    while position < count, JSONBytes.isWhiteSpace(text[position]) { position &+= 1 }
  }

  private func failure(_ expected: JSONMessageKey) -> JSONReadError {
    JSONReadError(reason: .syntax(expected: expected), offset: position)
  }

  private func describe(_ expecting: Expecting) -> JSONMessageKey {
    switch expecting {
    case .value: .value
    case .elementOrEnd: .valueOrBracket
    case .memberOrEnd: .nameOrBrace
    case .member: .name
    case .separatorOrEnd: .separatorOrEnd
    }
  }
}
