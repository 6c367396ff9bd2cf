/// Reads a catalogue as most are written, each key with its text on a line of its own, without libyaml and a value for each of its events:
/// a start reads all catalogues.
///
/// What may mean anything else in YAML than it seems to is left to libyaml, errors included; a test holds the two against each other.
struct PlainLines {
  private let bytes: ContiguousArray<UInt8>
  private var place = 0
  private var line = 1
  private var entries: [(key: String, text: String, line: Int)] = []

  /// The keys with their texts and lines; nil where libyaml is to read them.
  static func read(_ text: String) -> [(key: String, text: String, line: Int)]? {
    var reader = PlainLines(bytes: ContiguousArray(text.utf8))
    guard reader.isHarmless else { return nil }
    while reader.place < reader.bytes.count {
      guard reader.readLine() else { return nil }
    }
    return Set(reader.entries.lazy.map(\.key)).count == reader.entries.count ? reader.entries : nil
  }

  private init(bytes: ContiguousArray<UInt8>) { self.bytes = bytes }

  /// Whether there is no character that YAML takes for a line break, or for none at all: controls, NEL, U+2028, U+2029, U+FEFF, U+FFFE and
  /// U+FFFF. Some others that begin alike are left to libyaml with them.
  private var isHarmless: Bool {
    for (index, byte) in bytes.enumerated() {
      if byte < 0x20 && byte != UInt8(ascii: "\n") || byte == 0x7F { return false }
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

  /// A line with its end.
  private mutating func readLine() -> Bool {
    let begin = place
    guard let first = byte(place), first != UInt8(ascii: "\n") else { return endLine() }
    if first == UInt8(ascii: "#") { return endLine() }
    while let next = byte(place), (next | 0x20) &- 0x61 < 26 || next &- 0x30 < 10 || next == UInt8(ascii: ".") {
      place += 1
    }
    let key = begin..<place
    guard (1...200).contains(key.count), byte(key.lowerBound)! | 0x20 >= 0x61, byte(place) == UInt8(ascii: ":"),
      byte(place + 1) == UInt8(ascii: " ")
    else { return false }
    place += 2
    skipSpaces()
    let text: String? =
      switch byte(place) {
      case UInt8(ascii: "\""): doubleQuoted()
      case UInt8(ascii: "'"): singleQuoted()
      default: nil
      }
    guard let text, endsHere else { return false }
    entries.append((String(decoding: bytes[key], as: UTF8.self), text, line))
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
    while let next = byte(place), next != UInt8(ascii: "\n") { place += 1 }
    place += 1
    line += 1
    return true
  }

  /// What stands between double quotes, with the escapes that catalogues have.
  private mutating func doubleQuoted() -> String? {
    place += 1
    var text: ContiguousArray<UInt8> = []
    while let next = byte(place), next != UInt8(ascii: "\n") {
      place += 1
      switch next {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        switch byte(place) {
        case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "u"):
          guard let scalar = hexadecimal else { return nil }
          text.append(contentsOf: Character(scalar).utf8)
          place += 4
        default: return nil
        }
        place += 1
      default: text.append(next)
      }
    }
    return nil
  }

  /// The character of the four digits behind `\u`, if it is none that YAML or a terminal would take for more than a character.
  private var hexadecimal: Unicode.Scalar? {
    guard place + 4 < bytes.count,
      let value = UInt32(String(decoding: bytes[place + 1...place + 4], as: UTF8.self), radix: 16), value >= 0xA0
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
      return String(decoding: bytes[begin..<place - 1], as: UTF8.self)
    }
    return nil
  }
}
