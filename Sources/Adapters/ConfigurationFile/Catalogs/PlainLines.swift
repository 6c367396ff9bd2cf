internal import Localization

/// Reads a catalogue in its common form, one key and quoted text per line, without libyaml's cost per event, because
/// each start reads all catalogues.
///
/// Leaves everything to libyaml that YAML might read differently, including errors. A test compares the two readers.
struct PlainLines: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  private var line = 1
  private var entries: [CatalogEntry] = []

  /// The keys with their texts and lines, or nil if libyaml must read the text.
  static func read(_ text: String) -> [CatalogEntry]? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = PlainLines(bytes: bytes)
      guard reader.isHarmless else { return nil }
      while reader.place < bytes.count {
        guard reader.readLine() else { return nil }
      }
      return Set(reader.entries.lazy.map(\.key)).count == reader.entries.count ? reader.entries : nil
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    // enough for the shipped catalogues, which have 80 bytes per line
    entries.reserveCapacity(bytes.count / 64)
  }

  /// Whether the text is free of characters that YAML forbids or takes for a line break: control characters (other than
  /// line feeds), NEL, U+2028, U+2029, U+FEFF, U+FFFE and U+FFFF.
  private var isHarmless: Bool {
    for (index, byte) in bytes.enumerated() {
      if 0x20..<0x7F ~= byte { continue }
      if byte < 0x80 && byte != UInt8(ascii: "\n") { return false }
      guard byte == 0xC2 || byte == 0xE2 || byte == 0xEF, let second = self.byte(index + 1) else { continue }
      let third = self.byte(index + 2) ?? 0
      switch byte {
      case 0xC2: if second < 0xA0 { return false }
      case 0xE2: if second == 0x80, third == 0xA8 || third == 0xA9 { return false }
      default: if second == 0xBB && third == 0xBF || second == 0xBF && third >= 0xBE { return false }
      }
    }
    return true
  }

  private func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// Reads a line and its line feed. Returns false if libyaml must read the text.
  private mutating func readLine() -> Bool {
    let begin = place
    guard let first = byte(place), first != UInt8(ascii: "\n") else { return endLine() }
    if first == UInt8(ascii: "#") { return endLine() }
    while let next = byte(place), (next | 0x20) &- 0x61 < 26 || next &- 0x30 < 10 || next == UInt8(ascii: ".") {
      place += 1
    }
    let key = begin..<place
    guard (1...200).contains(key.count), bytes[begin] | 0x20 >= 0x61, byte(place) == UInt8(ascii: ":"),
      byte(place + 1) == UInt8(ascii: " ")
    else { return false }
    place += 2
    skipSpaces()
    let said: String? =
      switch byte(place) {
      case UInt8(ascii: "\""): doubleQuoted()
      case UInt8(ascii: "'"): singleQuoted()
      default: nil
      }
    guard let said, endsHere else { return false }
    entries.append(CatalogEntry(key: text(key), text: said, line: line))
    return endLine()
  }

  private mutating func skipSpaces() {
    while byte(place) == UInt8(ascii: " ") { place += 1 }
  }

  /// Whether only spaces and a comment follow on this line.
  private var endsHere: Bool {
    guard let next = byte(place), next != UInt8(ascii: "\n") else { return true }
    let comment = bytes[place...].firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.count
    guard let after = byte(comment), after != UInt8(ascii: "\n") else { return true }
    return after == UInt8(ascii: "#") && comment > place
  }

  private mutating func endLine() -> Bool {
    while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
    place += 1
    line += 1
    return true
  }

  /// Reads a double-quoted text with the escapes that catalogues use. Returns nil for anything else.
  private mutating func doubleQuoted() -> String? {
    place += 1
    var said = ""
    var begin = place
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\n"): return nil
      case UInt8(ascii: "\""):
        defer { place += 1 }
        return said.isEmpty ? text(begin..<place) : said + text(begin..<place)
      case UInt8(ascii: "\\"):
        said += text(begin..<place)
        guard let scalar = escaped() else { return nil }
        said.unicodeScalars.append(scalar)
        begin = place
      default: place += 1
      }
    }
    return nil
  }

  /// Reads an escape, and moves past it. Returns nil for an unknown one.
  private mutating func escaped() -> Unicode.Scalar? {
    defer { place += 2 }
    switch byte(place + 1) {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "u"):
      defer { place += 4 }
      return hexadecimal(at: place + 2)
    default: return nil
    }
  }

  /// The character of the four digits after `\u`, or nil below U+00A0, because such a character may mean something to
  /// YAML or a terminal.
  private func hexadecimal(at place: Int) -> Unicode.Scalar? {
    guard place + 4 <= bytes.count, bytes[place..<place + 4].allSatisfy({ $0 != UInt8(ascii: "+") }),
      let value = UInt32(text(place..<place + 4), radix: 16), value >= 0xA0
    else { return nil }
    return Unicode.Scalar(value)
  }

  private mutating func singleQuoted() -> String? {
    place += 1
    let begin = place
    while let next = byte(place), next != UInt8(ascii: "\n") {
      place += 1
      guard next == UInt8(ascii: "'") else { continue }
      // Two single quotes in a row mean one, which is left to libyaml.
      guard byte(place) != UInt8(ascii: "'") else { return nil }
      return text(begin..<place - 1)
    }
    return nil
  }
}
