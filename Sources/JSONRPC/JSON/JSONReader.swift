/// Reads one JSON text, strictly after RFC 8259, in one pass and without recursion.
///
/// Refused besides what the grammar excludes: invalid UTF-8 (§8.1), lone surrogates (§8.2), and two members of one
/// object with the same name (§4 leaves them undefined; programs then disagree, which is how filters get passed).
/// Numbers are checked, never converted: a 20-digit id stays the 20 digits it was.
struct JSONReader {
  private let text: UnsafeRawBufferPointer
  private let maximumDepth: Int
  private var position = 0

  private enum Expecting {
    case value, elementOrEnd, memberOrEnd, member, separatorOrEnd, nothing
  }

  private init(text: UnsafeRawBufferPointer, maximumDepth: Int) {
    self.text = text
    self.maximumDepth = maximumDepth
  }

  /// Indexes `text` into `tape`, whose former content goes.
  ///
  /// - Parameters:
  ///   - text: One value with optional white space around it; at most 4 GiB.
  ///   - maximumDepth: How many arrays and objects may be open at once; 1 or more.
  /// - Throws: `JSONReadError` at the first byte that cannot be right.
  static func read(_ text: UnsafeRawBufferPointer, maximumDepth: Int, into tape: inout JSONTape) throws(JSONReadError) {
    tape.nodes.removeAll(keepingCapacity: true)
    tape.open.removeAll(keepingCapacity: true)
    var reader = JSONReader(text: text, maximumDepth: maximumDepth)
    try reader.run(&tape)
  }

  private mutating func run(_ tape: inout JSONTape) throws(JSONReadError) {
    var expecting = Expecting.value
    while true {
      skipWhiteSpace()
      guard position < text.count else {
        if expecting == .nothing { return }
        throw failure(describe(expecting))
      }
      let byte = text[position]
      switch (expecting, byte) {
      case (.nothing, _):
        throw failure("the end of the text")
      case (.elementOrEnd, UInt8(ascii: "]")), (.memberOrEnd, UInt8(ascii: "}")):
        expecting = try close(&tape)
      case (.separatorOrEnd, _):
        expecting = try separatorOrEnd(byte, &tape)
      case (.member, UInt8(ascii: "\"")), (.memberOrEnd, UInt8(ascii: "\"")):
        try string(&tape)
        skipWhiteSpace()
        guard position < text.count, text[position] == UInt8(ascii: ":") else { throw failure("a colon") }
        position += 1
        expecting = .value
      case (.member, _), (.memberOrEnd, _):
        throw failure(describe(expecting))
      case (.value, _), (.elementOrEnd, _):
        expecting = try value(byte, expecting, &tape)
      }
    }
  }

  private mutating func value(
    _ byte: UInt8, _ expecting: Expecting, _ tape: inout JSONTape
  ) throws(JSONReadError) -> Expecting {
    switch byte {
    case UInt8(ascii: "{"):
      try open(.object, &tape)
      return .memberOrEnd
    case UInt8(ascii: "["):
      try open(.array, &tape)
      return .elementOrEnd
    case UInt8(ascii: "\""): try string(&tape)
    case UInt8(ascii: "t"): try literal("true", .true, &tape)
    case UInt8(ascii: "f"): try literal("false", .false, &tape)
    case UInt8(ascii: "n"): try literal("null", .null, &tape)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(&tape)
    default: throw failure(describe(expecting))
    }
    return tape.open.isEmpty ? .nothing : .separatorOrEnd
  }

  private mutating func open(_ kind: JSONKind, _ tape: inout JSONTape) throws(JSONReadError) {
    guard tape.open.count < maximumDepth else {
      throw JSONReadError(reason: .tooDeep(limit: maximumDepth), offset: position)
    }
    tape.open.append(UInt32(tape.nodes.count))
    tape.nodes.append(JSONNode(kind: kind, start: UInt32(position), end: 0, next: 0))
    position += 1
  }

  private mutating func separatorOrEnd(_ byte: UInt8, _ tape: inout JSONTape) throws(JSONReadError) -> Expecting {
    let container = tape.nodes[Int(tape.open[tape.open.count - 1])].kind
    switch (byte, container) {
    case (UInt8(ascii: ","), .object):
      position += 1
      return .member
    case (UInt8(ascii: ","), _):
      position += 1
      return .value
    case (UInt8(ascii: "}"), .object), (UInt8(ascii: "]"), .array):
      return try close(&tape)
    default:
      throw failure(container == .object ? "a comma or a closing brace" : "a comma or a closing bracket")
    }
  }

  private mutating func close(_ tape: inout JSONTape) throws(JSONReadError) -> Expecting {
    position += 1
    let index = Int(tape.open.removeLast())
    tape.nodes[index].end = UInt32(position)
    tape.nodes[index].next = UInt32(tape.nodes.count)
    if tape.nodes[index].kind == .object, let twice = JSONMemberNames.firstDuplicate(of: index, tape, text) {
      throw JSONReadError(
        reason: .syntax(expected: "each member name only once in an object"), offset: Int(tape.nodes[twice].start))
    }
    return tape.open.isEmpty ? .nothing : .separatorOrEnd
  }

  private mutating func literal(_ word: StaticString, _ kind: JSONKind, _ tape: inout JSONTape) throws(JSONReadError) {
    let start = position
    for offset in 0..<word.utf8CodeUnitCount {
      guard position < text.count, text[position] == word.utf8Start[offset] else {
        throw failure("the literal \(word)")
      }
      position += 1
    }
    append(kind, from: start, &tape)
  }

  /// RFC 8259 §6: no leading zeros, no bare point, no plus sign in front.
  private mutating func number(_ tape: inout JSONTape) throws(JSONReadError) {
    let start = position
    if text[position] == UInt8(ascii: "-") { position += 1 }
    if position < text.count, text[position] == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
        position += 1
      }
      try digits()
    }
    append(.number, from: start, &tape)
  }

  private mutating func digits() throws(JSONReadError) {
    let start = position
    while position < text.count, text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    if position == start { throw failure("a digit") }
  }

  private mutating func string(_ tape: inout JSONTape) throws(JSONReadError) {
    var scanner = JSONStringScanner(text: text, position: position + 1)
    let start = position + 1
    try scanner.scan()
    position = scanner.position
    tape.nodes.append(
      JSONNode(
        kind: .string, escaped: scanner.escaped, start: UInt32(start), end: UInt32(position - 1),
        next: UInt32(tape.nodes.count + 1)))
  }

  private func append(_ kind: JSONKind, from start: Int, _ tape: inout JSONTape) {
    tape.nodes.append(
      JSONNode(kind: kind, start: UInt32(start), end: UInt32(position), next: UInt32(tape.nodes.count + 1)))
  }

  private mutating func skipWhiteSpace() {
    while position < text.count, JSONBytes.isWhiteSpace(text[position]) { position += 1 }
  }

  private func failure(_ expected: String) -> JSONReadError {
    JSONReadError(reason: .syntax(expected: expected), offset: position)
  }

  private func describe(_ expecting: Expecting) -> String {
    switch expecting {
    case .value: "a value"
    case .elementOrEnd: "a value or a closing bracket"
    case .memberOrEnd: "a member name or a closing brace"
    case .member: "a member name"
    case .separatorOrEnd: "a comma or the end of the array or object"
    case .nothing: "the end of the text"
    }
  }
}
