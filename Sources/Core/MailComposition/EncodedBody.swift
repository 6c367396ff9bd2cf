internal import WireFormats

/// A plain text in lines that every mail server accepts: unchanged, or encoded (RFC 2045 section 6).
struct EncodedBody {
  enum Encoding: String {
    case sevenBit = "7bit"
    case quotedPrintable = "quoted-printable"
    case base64
  }

  let encoding: Encoding
  let lines: [String]

  /// - Parameter text: Each of its lines ends with "\n", the last one too.
  init(_ text: String) {
    let text = text.utf8.last == UInt8(ascii: "\n") ? Substring(text.unicodeScalars.dropLast()) : text[...]
    let plain = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if plain.allSatisfy(Self.isPlain) {
      (encoding, lines) = (.sevenBit, plain.map { String(Substring($0)) })
      return
    }
    let quoted = plain.flatMap(QuotedPrintable.lines)
    let base64 = Self.base64Lines(plain)
    // takes the shorter encoding: quoted-printable for a few accented letters, base64 for another script
    let isShorter = base64.reduce(0) { $0 + $1.utf8.count } < quoted.reduce(0) { $0 + $1.utf8.count }
    (encoding, lines) = isShorter ? (.base64, base64) : (.quotedPrintable, quoted)
  }

  /// Whether no program on the way changes the line. Such a line is printable ASCII and short enough (RFC 5322 section
  /// 2.1.1), and does not end with a space (programs trim it). It begins neither with "From " (mailboxes mask it) nor
  /// with a dot (a program might take it for the mail's end).
  private static func isPlain(_ line: Substring.UTF8View) -> Bool {
    line.count <= 78 && line.allSatisfy { 0x20...0x7E ~= $0 } && line.last != UInt8(ascii: " ")
      && !line.starts(with: "From ".utf8) && !line.starts(with: ".".utf8)
  }

  /// Joins the lines with CRLF, encodes them, and returns lines of at most 76 characters (RFC 2045 section 6.8).
  private static func base64Lines(_ plain: [Substring.UTF8View]) -> [String] {
    let bytes = Array(plain.map { Array($0) }.joined(separator: "\r\n".utf8)) + Array("\r\n".utf8)
    return stride(from: 0, to: bytes.count, by: 57).map { Base64.encoded(bytes[$0..<min($0 + 57, bytes.count)]) }
  }
}

extension EncodedBody.Encoding: CustomStringConvertible {
  var description: String { rawValue }
}

/// Quoted-printable (RFC 2045 section 6.7).
enum QuotedPrintable {
  private static let longestLine = 76

  /// - Returns: One line, or several lines that end with "=" except for the last.
  static func lines(_ line: Substring.UTF8View) -> [String] {
    var lines: [String] = []
    var current = ""
    for (index, byte) in zip(line.indices, line) {
      let isLast = line.index(after: index) == line.endIndex
      let word = isPlain(byte, isFirst: current.isEmpty, isLast: isLast) ? String(Unicode.Scalar(byte)) : escaped(byte)
      // the "=" of a soft line break takes one character
      if current.utf8.count + word.utf8.count > (isLast ? longestLine : longestLine - 1) {
        lines.append(current + "=")
        current = isPlain(byte, isFirst: true, isLast: isLast) ? String(Unicode.Scalar(byte)) : escaped(byte)
      } else {
        current += word
      }
    }
    return lines + [current]
  }

  /// Whether the byte can remain unescaped. An "F" or a dot that begins a line is not plain: some mailboxes mask "From ",
  /// and some programs end a mail at a dot.
  private static func isPlain(_ byte: UInt8, isFirst: Bool, isLast: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "="): false
    case UInt8(ascii: " "): !isLast
    case UInt8(ascii: "F"), UInt8(ascii: "."): !isFirst
    default: 0x21...0x7E ~= byte
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count == 1 ? "=0\(digits)" : "=\(digits)"
  }
}
