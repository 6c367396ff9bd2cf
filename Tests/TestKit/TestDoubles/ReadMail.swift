internal import WireFormats

/// A mail as a mail program reads it (RFC 5322, RFC 2045, RFC 2047): headers unfolded and decoded, the text in UTF-8.
package struct ReadMail {
  /// The lines as they came, without their ends.
  package let lines: [String]
  /// Names and values, in order, with folded lines as one line.
  package private(set) var fields: [(name: String, value: String)] = []
  /// The text, decoded. Its lines end with "\n".
  package private(set) var body = ""

  /// - Parameter bytes: Lines end with "\r\n" or "\n".
  /// - Returns: Nil if it is not a mail of one part: a header without a name, another charset, an encoding that is
  ///   broken.
  package init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), bytes.last == 10 else { return nil }
    let ends = bytes.contains(13) ? "\r\n" : "\n"
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      String(ends == "\r\n" && line.last == "\r" ? line.dropLast() : line)
    }
    // nil if the lines do not all end in the same way
    guard bytes.count == lines.reduce(0, { $0 + $1.utf8.count + ends.utf8.count }) else { return nil }
    guard let end = lines.firstIndex(of: "") else { return nil }
    for line in lines[..<end] {
      if line.hasPrefix(" "), !fields.isEmpty {
        fields[fields.count - 1].value += line
      } else {
        guard let colon = line.firstIndex(of: ":"), !line[..<colon].contains(" ") else { return nil }
        fields.append((String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " })))
      }
    }
    guard let body = decodedBody(Array(lines[(end + 1)...])) else { return nil }
    self.body = body
  }

  /// The value of the header with this name, or nil if there is no such header, or several.
  package subscript(name: String) -> String? {
    let found = fields.filter { $0.name.lowercased() == name.lowercased() }
    return found.count == 1 ? Self.decodedWords(found[0].value) : nil
  }

  private func decodedBody(_ lines: [String]) -> String? {
    guard self["Content-Type"] == "text/plain; charset=utf-8" else { return nil }
    switch self["Content-Transfer-Encoding"] {
    case "7bit": return lines.map { $0 + "\n" }.joined()
    case "base64":
      return Base64.decoded(lines.joined().utf8).flatMap { String(validating: $0, as: UTF8.self) }?
        .unicodeScalars.filter { $0 != "\r" }.map(String.init).joined()
    case "quoted-printable":
      var bytes: [UInt8] = []
      for line in lines {
        let isSoft = line.utf8.last == UInt8(ascii: "=")
        guard let some = Self.quoted(isSoft ? String(line.dropLast()) : line, escape: "=") else { return nil }
        bytes += some + (isSoft ? [] : [10])
      }
      return String(validating: bytes, as: UTF8.self)
    default: return nil
    }
  }

  private static func quoted(_ text: String, escape: Character) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == escape else {
        bytes += Array(String(character).utf8)
        continue
      }
      guard rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// Decodes encoded words of UTF-8 in base64 (RFC 2047). Drops the white space between them. Does not change words after
  /// them.
  private static func decodedWords(_ value: String) -> String {
    guard value.hasPrefix("=?utf-8?B?") else { return value }
    var text = ""
    var words = value.split(separator: " ")[...]
    while let word = words.first, word.hasPrefix("=?utf-8?B?") {
      guard word.hasSuffix("?="), word.utf8.count <= 75,
        let bytes = Base64.decoded(word.dropFirst(10).dropLast(2).utf8),
        let part = String(validating: bytes, as: UTF8.self)
      else { return value }
      text += part
      words.removeFirst()
    }
    return ([text] + words.map(String.init)).joined(separator: " ")
  }
}
