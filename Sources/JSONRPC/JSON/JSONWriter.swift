/// Writes compact JSON, one line, never a line feed in it.
package struct JSONWriter: Sendable {
  package var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  /// The next value begins a text of its own.
  package mutating func beginText() { needsComma = false }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    container(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    container(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  /// Names the member whose value is written next. `name` needs no escapes: it is ours.
  package mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func name(_ name: String) {
    value(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func member(_ name: StaticString, _ value: String) {
    self.name(name)
    self.value(value)
  }

  package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
    self.name(name)
    self.value(value)
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    self.value(value)
  }

  package mutating func member(_ name: StaticString, object body: (inout JSONWriter) -> Void) {
    self.name(name)
    object(body)
  }

  package mutating func member(_ name: StaticString, array body: (inout JSONWriter) -> Void) {
    self.name(name)
    array(body)
  }

  package mutating func null() { token("null") }

  package mutating func value(_ flag: Bool) { token(flag ? "true" : "false") }

  package mutating func value(_ number: some BinaryInteger) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
    needsComma = true
  }

  /// A JSON text that was written or checked before.
  package mutating func raw(_ text: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
    needsComma = true
  }

  package mutating func value(_ string: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 { escape(byte) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
    case 0x0D: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
    case 0x09: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
    case ..<0x20:
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(contentsOf: [Self.hexadecimals[Int(byte >> 4)], Self.hexadecimals[Int(byte & 0xF)]])
    default: bytes.append(byte)
    }
  }

  private static let hexadecimals = [UInt8]("0123456789abcdef".utf8)

  private mutating func token(_ word: StaticString) {
    separate()
    bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    needsComma = true
  }

  private mutating func container(_ first: UInt8, _ last: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(first)
    needsComma = false
    body(&self)
    bytes.append(last)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}
