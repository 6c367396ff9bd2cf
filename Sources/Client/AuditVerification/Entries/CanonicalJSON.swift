internal import JSONRPC

/// Writes values in the one form that RFC 8785 gives them, so that their hash does not depend on the program that wrote them.
enum CanonicalJSON {
  struct Member {
    let name: JSONView
    let value: JSONView
  }

  /// Writes a value.
  ///
  /// - Returns: False if the value has a number other than an integer of at most 19 digits. Entries have no such numbers. RFC 8785
  ///   would round an integer beyond 2^53, but regd hashes its digits.
  static func append(_ value: JSONView, to text: inout JSONWriter) -> Bool {
    switch value.kind {
    case .null, .true, .false: text.append(value.source)
    case .number:
      guard isCanonical(value.source) else { return false }
      text.append(value.source)
    case .string: append(string: value, to: &text)
    case .array:
      var elements: [JSONView] = []
      value.forEachElement { elements.append($0) }
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        guard append(element, to: &text) else { return false }
      }
      text.append(UInt8(ascii: "]"))
    case .object:
      var members: [Member] = []
      value.forEachMember { members.append(Member(name: $0, value: $1)) }
      return append(&members, to: &text)
    }
    return true
  }

  /// Writes an object with these members, which it sorts.
  ///
  /// - Returns: Like `append` of a value.
  static func append(_ members: inout [Member], to text: inout JSONWriter) -> Bool {
    members.sort { precedes($0.name, $1.name) }
    text.append(UInt8(ascii: "{"))
    for index in members.indices {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      append(string: members[index].name, to: &text)
      text.append(UInt8(ascii: ":"))
      guard append(members[index].value, to: &text) else { return false }
    }
    text.append(UInt8(ascii: "}"))
    return true
  }

  private static func append(string: JSONView, to text: inout JSONWriter) {
    // a string without a backslash has no character that needs one
    guard string.plainUTF8 == nil else { return text.append(string.source) }
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 ?? [] { escape(byte, to: &text) }
    text.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, to text: inout JSONWriter) {
    switch byte {
    case UInt8(ascii: "\""): text.append("\\\"" as StaticString)
    case UInt8(ascii: "\\"): text.append("\\\\" as StaticString)
    case 0x08: text.append("\\b" as StaticString)
    case 0x09: text.append("\\t" as StaticString)
    case 0x0A: text.append("\\n" as StaticString)
    case 0x0C: text.append("\\f" as StaticString)
    case 0x0D: text.append("\\r" as StaticString)
    case ..<0x20:
      text.append(byte < 0x10 ? "\\u000" as StaticString : "\\u001")
      text.append(String(byte & 0xF, radix: 16))
    default: text.append(byte)
    }
  }

  /// Whether the digits are those of an integer as regd writes it.
  private static func isCanonical(_ digits: UnsafeRawBufferPointer) -> Bool {
    let magnitude = digits.first == UInt8(ascii: "-") ? digits.dropFirst() : digits[...]
    guard magnitude.count <= 19, magnitude.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return false }
    // by the grammar of JSON, no other integer begins with a zero
    return magnitude.first != UInt8(ascii: "0") || digits.count == 1
  }

  /// Whether a name comes before another one, in the order of their UTF-16 code units.
  private static func precedes(_ one: JSONView, _ other: JSONView) -> Bool {
    guard let left = one.plainUTF8, let right = other.plainUTF8 else { return precedesInUTF16(one, other) }
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      // the order of UTF-8 is another one beyond ASCII
      return left[index] | right[index] < 0x80 ? left[index] < right[index] : precedesInUTF16(one, other)
    }
    return left.count < right.count
  }

  private static func precedesInUTF16(_ one: JSONView, _ other: JSONView) -> Bool {
    (one.string ?? "").utf16.lexicographicallyPrecedes((other.string ?? "").utf16)
  }
}
