/// Reads the text of a template from beginning to end. It works on bytes, because all special characters of a template are
/// ASCII, and regd reads some thousand templates at its start.
struct TemplateReader {
  /// The deepest nesting of plurals. It bounds the stack, because reading, filling and comparing recurse at each level.
  static let mostPlurals = 8

  private let bytes: ContiguousArray<UInt8>
  private var place = 0
  /// How many plurals are open.
  private var depth = 0

  init(_ text: String) { bytes = ContiguousArray(text.utf8) }

  /// Whether a text has no special characters, so that it needs no parsing.
  static func isPlain(_ text: String) -> Bool {
    var last: UInt8 = 0
    var isPlain = true
    // works on bytes, because indexing a string would cost ten times as much
    var text = text
    text.withUTF8 { bytes in
      for byte in bytes {
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "'") && last == byte {
          isPlain = false
          return
        }
        last = byte
      }
    }
    return isPlain
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take() -> UInt8? {
    guard let next else { return nil }
    place += 1
    return next
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// - Parameter inForm: Whether the parts belong to a plural's form, which a closing brace ends.
  mutating func parts(inForm: Bool) throws(Template.Fault) -> [Template.Part] {
    var parts: [Template.Part] = []
    var text = ""
    var begin = place
    func flush() {
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
    }
    while let byte = take() {
      switch byte {
      case UInt8(ascii: "{"):
        text += self.text(begin..<place - 1)
        flush()
        parts.append(try self.part())
        begin = place
      case UInt8(ascii: "}"):
        guard inForm else { throw .unbalanced }
        text += self.text(begin..<place - 1)
        flush()
        return parts
      case UInt8(ascii: "#") where inForm:
        text += self.text(begin..<place - 1)
        flush()
        parts.append(.number)
        begin = place
      case UInt8(ascii: "'") where next == UInt8(ascii: "'"):
        // two apostrophes mean one
        text += self.text(begin..<place)
        place += 1
        begin = place
      case UInt8(ascii: "'") where next == UInt8(ascii: "{") || next == UInt8(ascii: "}"):
        text += self.text(begin..<place - 1)
        text += try quoted()
        begin = place
      default: break
      }
    }
    guard !inForm else { throw .unbalanced }
    text += self.text(begin..<place)
    flush()
    return parts
  }

  private mutating func quoted() throws(Template.Fault) -> String {
    guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "'")) else { throw .unbalanced }
    defer { place = end + 1 }
    return text(place..<end)
  }

  /// Reads the part after an opening brace, up to its closing brace.
  private mutating func part() throws(Template.Fault) -> Template.Part {
    let name = word()
    guard !name.isEmpty else { throw .place(String(text(place..<bytes.count).prefix(16))) }
    switch take() {
    case UInt8(ascii: "}"): return .place(name)
    case UInt8(ascii: ","):
      guard word() == "plural", take() == UInt8(ascii: ",") else { throw .place(name) }
      guard depth < Self.mostPlurals else { throw .tooDeep }
      depth += 1
      defer { depth -= 1 }
      return .plural(name, forms: try forms(of: name))
    case nil: throw .unbalanced
    default: throw .place(name)
    }
  }

  private mutating func forms(of name: String) throws(Template.Fault) -> [Template.Form] {
    var forms: [Template.Form] = []
    while true {
      let selector = word()
      guard !selector.isEmpty else { break }
      guard Self.isSelector(selector), !forms.contains(where: { $0.selector == selector }) else {
        throw .form(selector)
      }
      guard take() == UInt8(ascii: "{") else { throw .unbalanced }
      forms.append(Template.Form(selector: selector, parts: try parts(inForm: true)))
    }
    guard take() == UInt8(ascii: "}") else { throw .unbalanced }
    guard forms.contains(where: { $0.selector == "other" }) else { throw .withoutOther(name) }
    return forms
  }

  private static func isSelector(_ word: String) -> Bool {
    PluralCategory(rawValue: word) != nil || (word.first == "=" && Int(word.dropFirst()) != nil)
  }

  /// Reads ASCII letters, digits and =, and skips white space around them.
  private mutating func word() -> String {
    skipSpace()
    let begin = place
    while let next, (next | 0x20) &- 0x61 < 26 || next &- 0x30 < 10 || next == UInt8(ascii: "=") { place += 1 }
    defer { skipSpace() }
    return text(begin..<place)
  }

  private mutating func skipSpace() {
    while let next, next == 0x20 || 0x09...0x0D ~= next { place += 1 }
  }
}
