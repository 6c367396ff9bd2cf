/// Writes compact JSON in one line, without any line feed.
///
/// It manages its memory itself, because an array's checks for sharing and bounds cost too much (as in `JSONTape`).
package struct JSONWriter: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>?
  /// Bytes written.
  package private(set) var count = 0
  private var capacity = 0
  private var needsComma = false

  package init() {}

  deinit { base?.deallocate() }

  /// The bytes written so far. Valid until the next change.
  package var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// A copy of the bytes written so far.
  package var bytes: [UInt8] { [UInt8](written) }

  /// Starts a new text, so that no comma precedes the next value.
  package mutating func beginText() { needsComma = false }

  /// Drops everything after the first `count` bytes.
  package mutating func truncate(to count: Int) {
    self.count = min(count, self.count)
    needsComma = false
  }

  /// Drops everything, and releases memory beyond 16 KiB, because many connections are idle.
  package mutating func removeAll() {
    truncate(to: 0)
    guard capacity > 16_384 else { return }
    base?.deallocate()
    (base, capacity) = (nil, 0)
  }

  // MARK: Values

  package mutating func null() { token("null") }

  package mutating func value(_ flag: Bool) { token(flag ? "true" : "false") }

  package mutating func value(_ number: some BinaryInteger) {
    separate()
    append(String(number))
    needsComma = true
  }

  package mutating func value(_ string: String) {
    separate()
    var string = string
    string.withUTF8 { quote($0) }
    needsComma = true
  }

  package mutating func value(_ string: StaticString) {
    separate()
    quote(UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
    needsComma = true
  }

  /// Writes a JSON text as a value. The text must be valid, because the writer does not check it.
  package mutating func raw(_ text: some Sequence<UInt8>) {
    separate()
    if text.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
      for byte in text { append(byte) }
    }
    needsComma = true
  }

  /// Writes a JSON text that is a constant of the program.
  package mutating func raw(_ text: StaticString) { token(text) }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    container(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    container(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  // MARK: Bytes

  /// Appends a byte as it is, without comma or quotes.
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    base.unsafelyUnwrapped[count] = byte
    count &+= 1
  }

  /// Appends bytes as they are, without comma or quotes.
  @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(base.unsafelyUnwrapped + count).copyMemory(from: start, byteCount: bytes.count)
    count &+= bytes.count
  }

  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends bytes as they are, except that ASCII capitals become lower case.
  package mutating func appendLowercased(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    let room = base.unsafelyUnwrapped + count
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      room[index] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
      index &+= 1
    }
    count &+= bytes.count
  }

  /// Inserts `text` after the first `position` bytes.
  package mutating func insert(_ text: String, at position: Int) {
    var text = text
    text.withUTF8 { bytes in
      reserve(bytes.count)
      guard let start = bytes.baseAddress, let base else { return }
      let place = UnsafeMutableRawPointer(base + position)
      (place + bytes.count).copyMemory(from: place, byteCount: count - position)
      place.copyMemory(from: start, byteCount: bytes.count)
      count += bytes.count
    }
  }

  private mutating func quote(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    if bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      for byte in bytes { escape(byte) }
    } else {
      append(UnsafeRawBufferPointer(bytes))
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      append(UInt8(ascii: "\\"))
      append(byte)
    case 0x0A: append("\\n" as StaticString)
    case 0x0D: append("\\r" as StaticString)
    case 0x09: append("\\t" as StaticString)
    case ..<0x20:
      append("\\u00" as StaticString)
      append(Self.hexadecimals[Int(byte >> 4)])
      append(Self.hexadecimals[Int(byte & 0xF)])
    default: append(byte)
    }
  }

  private static let hexadecimals = [UInt8]("0123456789abcdef".utf8)

  private mutating func token(_ word: StaticString) {
    separate()
    append(word)
    needsComma = true
  }

  private mutating func container(_ first: UInt8, _ last: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    append(first)
    needsComma = false
    body(&self)
    append(last)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { append(UInt8(ascii: ",")) }
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    let needed = max(count + more, capacity * 2, 512)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: needed)
    if let base {
      larger.update(from: base, count: count)
      base.deallocate()
    }
    (base, capacity) = (larger, needed)
  }
}

// MARK: - Members

extension JSONWriter {
  /// Writes the name of the member whose value is written next. No character of `name` may need an escape.
  package mutating func name(_ name: StaticString) {
    separate()
    append(UInt8(ascii: "\""))
    append(name)
    append("\":" as StaticString)
    needsComma = false
  }

  package mutating func name(_ name: String) {
    value(name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func member(_ name: StaticString, _ value: String) {
    self.name(name)
    self.value(value)
  }

  package mutating func member(_ name: StaticString, _ value: StaticString) {
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

  package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    self.name(name)
    object(body)
  }

  package mutating func array(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    self.name(name)
    array(body)
  }
}
