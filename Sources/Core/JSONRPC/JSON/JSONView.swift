/// A value in a text that was read. Valid only as long as the text and its tape are unchanged.
package struct JSONView {
  private let text: UnsafePointer<UInt8>
  private let nodes: UnsafePointer<JSONNode>
  let index: Int

  /// The root of a text that was read into `tape`.
  @inline(__always)
  init(_ text: UnsafeRawBufferPointer, _ tape: borrowing JSONTape) {
    // `JSONReader` has accepted the text, so it has at least one byte, and its tape at least one node
    self.text = text.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped
    nodes = UnsafePointer(tape.nodes.unsafelyUnwrapped)
    index = 0
  }

  @inline(__always)
  private init(_ text: UnsafePointer<UInt8>, _ nodes: UnsafePointer<JSONNode>, _ index: Int) {
    self.text = text
    self.nodes = nodes
    self.index = index
  }

  @inline(__always)
  var node: JSONNode { nodes[index] }

  package var kind: JSONKind { node.kind }

  package var isNull: Bool { node.kind == .null }

  /// The bytes of the value as the caller sent them, quotes included.
  package var source: UnsafeRawBufferPointer {
    let quotes = node.kind == .string ? 1 : 0
    let start = Int(node.start) - quotes
    return UnsafeRawBufferPointer(start: text + start, count: Int(node.end) + quotes - start)
  }

  /// The UTF-8 of a string, in place, or nil for another kind and for a string with escapes.
  package var plainUTF8: UnsafeRawBufferPointer? {
    node.kind == .string && !node.escaped ? JSONStrings.raw(node, text) : nil
  }

  /// A copy of a string's UTF-8 without escapes, or nil for another kind.
  package var utf8: [UInt8]? {
    node.kind == .string ? JSONStrings.bytes(of: node, text) : nil
  }

  package var string: String? {
    guard node.kind == .string else { return nil }
    if !node.escaped { return String(decoding: JSONStrings.raw(node, text), as: UTF8.self) }
    return String(decoding: JSONStrings.bytes(of: node, text), as: UTF8.self)
  }

  /// The beginning of a string, for messages: at most 100 Unicode scalars of the caller's text.
  package var excerpt: String {
    var excerpt = ""
    excerpt.unicodeScalars.append(contentsOf: (string ?? "").unicodeScalars.prefix(100))
    return excerpt
  }

  /// The value of a number that has no fractional part, as 10, 10.0 and 1e1, and fits 64 bits, otherwise nil. The value is
  /// exact, because it is never converted to floating point.
  package var integer: Int64? {
    guard node.kind == .number else { return nil }
    let text = String(decoding: source, as: UTF8.self)
    return Int64(text) ?? JSONNumber.integer(text)
  }

  /// Whether this value is a string equal to `word`.
  @inline(__always)
  package func isString(_ word: StaticString) -> Bool {
    guard node.kind == .string else { return false }
    let count = Int(node.end &- node.start)
    if node.escaped {
      // each byte of the value takes one to six bytes here, so a string of another length cannot match and is not
      // decoded
      return count > word.utf8CodeUnitCount && count <= word.utf8CodeUnitCount &* 6 && isEscapedString(word)
    }
    return count == word.utf8CodeUnitCount && JSONBytes.areSame(text + Int(node.start), word.utf8Start, count)
  }

  @inline(never)
  private func isEscapedString(_ word: StaticString) -> Bool {
    let bytes = JSONStrings.bytes(of: node, text)
    return bytes.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// The member of an object with this name, or nil if it is missing.
  package func member(_ name: StaticString) -> JSONView? {
    var found: JSONView?
    forEachMember { candidate, value in
      if found == nil, candidate.isString(name) { found = value }
    }
    return found
  }

  /// Visits an object's members in order. Visits nothing for another kind.
  @inline(__always)
  package func forEachMember(_ visit: (_ name: JSONView, _ value: JSONView) -> Void) {
    guard node.kind == .object else { return }
    let end = Int(node.next)
    var name = index &+ 1
    while name < end {
      visit(at(name), at(name &+ 1))
      name = Int(nodes[name &+ 1].next)
    }
  }

  /// Visits an array's elements in order. Visits nothing for another kind.
  @inline(__always)
  package func forEachElement(_ visit: (JSONView) -> Void) {
    guard node.kind == .array else { return }
    let end = Int(node.next)
    var element = index &+ 1
    while element < end {
      visit(at(element))
      element = Int(nodes[element].next)
    }
  }

  @inline(__always)
  func at(_ index: Int) -> JSONView { JSONView(text, nodes, index) }
}

/// Reads a text and lends it to a closure.
package enum JSONDocument {
  /// Reads `text` and lends its root value to `body`. No view, and no buffer of a view, may leave the closure.
  ///
  /// - Throws: `JSONReadError` if the text is not JSON or nests deeper than `maximumDepth`.
  package static func read<Result>(
    _ text: UnsafeRawBufferPointer, maximumDepth: Int = 64, _ grammar: JSONGrammar = .strict, tape: inout JSONTape,
    _ body: (JSONView) -> Result
  ) throws(JSONReadError) -> Result {
    defer { tape.shrink() }
    try JSONReader.read(text, maximumDepth: maximumDepth, grammar, into: &tape)
    return body(JSONView(text, tape))
  }
}

/// How much of RFC 8259's grammar a reader accepts.
package enum JSONGrammar: Sendable {
  /// No lone surrogates, and no two members of one object with the same name. For callers, whose texts must have one
  /// meaning.
  case strict
  /// The whole grammar. For answers of other programs, of which only some members matter.
  case whole
}

/// Reads numbers that are written with a fraction or an exponent.
enum JSONNumber {
  /// The exact value of the number, or nil if it has a fractional part or does not fit 64 bits.
  ///
  /// - Parameter text: A number by the grammar of RFC 8259 section 6.
  static func integer(_ text: String) -> Int64? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
      .split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    guard let mantissa = parts.first else { return nil }
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    let (whole, fraction) = (mantissa[..<point], mantissa[point...].dropFirst())
    var digits = (Array(whole) + Array(fraction)).drop { $0 == UInt8(ascii: "0") }
    guard !digits.isEmpty else { return 0 }
    // zeros at the end belong to the exponent
    let significant = digits.lastIndex { $0 != UInt8(ascii: "0") } ?? digits.startIndex
    let zeros = digits.endIndex - 1 - significant
    digits = digits[...significant]
    // an exponent beyond 64 bits leaves no integer that fits, because a text is far shorter than 2 to the 63rd
    guard let exponent = parts.count < 2 ? 0 : Int(String(decoding: parts[1], as: UTF8.self)) else { return nil }
    let (scale, overflows) = exponent.addingReportingOverflow(zeros - fraction.count)
    // 19 digits are the most that fit
    guard !overflows, scale >= 0, scale <= 19 - digits.count else { return nil }
    let all = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    return Int64(all + String(repeating: "0", count: scale))
  }
}
