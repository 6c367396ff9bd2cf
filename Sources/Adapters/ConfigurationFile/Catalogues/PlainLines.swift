internal import Sentences

/// Reads a catalogue as most are written, each key with its text on a line of its own, without libyaml and a value for each of its events:
/// a start reads all catalogues.
///
/// What may mean anything else in YAML than it seems to is left to libyaml, errors included; a test holds the two against each other.
struct PlainLines: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  private var line = 1
  private var entries: [CatalogueEntry] = []

  /// The keys with their texts and lines; nil where libyaml is to read them.
  static func read(_ text: String) -> [CatalogueEntry]? {
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
    // the shipped ones have 80 bytes a line
    entries.reserveCapacity(bytes.count / 64)
  }

  /// Whether there is no character that YAML takes for a line break, or for none at all: controls, NEL, U+2028, U+2029, U+FEFF, U+FFFE and
  /// U+FFFF. Some others that begin alike are left to libyaml with them.
  private var isHarmless: Bool {
    for (index, byte) in bytes.enumerated() {
      if 0x20..<0x7F ~= byte { continue }
      if byte < 0x80 && byte != UInt8(ascii: "\n") { return false }
      guard byte == 0xC2 || byte == 0xE2 || byte == 0xEF, index + 2 < bytes.count else { continue }
      let (second, third) = (bytes[index + 1], bytes[index + 2])
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

  /// A line with its end.
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
    entries.append(CatalogueEntry(key: text(key), text: said, line: line))
    return endLine()
  }

  private mutating func skipSpaces() {
    while byte(place) == UInt8(ascii: " ") { place += 1 }
  }

  /// Whether nothing but spaces and a comment follows on this line.
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

  /// What stands between double quotes, with the escapes that catalogues have.
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

  /// The character of an escape, behind which reading goes on.
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

  /// The character of the four digits behind `\u`, if it is none that YAML or a terminal would take for more than a character.
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
      // two of them are one
      guard byte(place) != UInt8(ascii: "'") else { return nil }
      return text(begin..<place - 1)
    }
    return nil
  }
}
