import Testing

/// One text, and whether it is valid RFC 8259 as regd reads it.
struct JSONText: CustomTestStringConvertible, Sendable {
  let bytes: [UInt8]
  let isGood: Bool
  /// The section of RFC 8259, and the point that the text illustrates.
  let rule: String

  static func good(_ rule: String, _ text: String) -> JSONText {
    JSONText(bytes: Array(text.utf8), isGood: true, rule: rule)
  }

  static func bad(_ rule: String, _ text: String) -> JSONText {
    JSONText(bytes: Array(text.utf8), isGood: false, rule: rule)
  }

  static func badBytes(_ rule: String, _ bytes: [UInt8]) -> JSONText {
    JSONText(bytes: bytes, isGood: false, rule: rule)
  }

  /// A string with `content` between its quotes.
  static func goodString(_ rule: String, _ content: [UInt8]) -> JSONText {
    JSONText(bytes: [0x22] + content + [0x22], isGood: true, rule: rule)
  }

  /// A string with `content` between its quotes.
  static func badString(_ rule: String, _ content: [UInt8]) -> JSONText {
    JSONText(bytes: [0x22] + content + [0x22], isGood: false, rule: rule)
  }

  /// Bytes that no Swift string can hold, in the middle of a text.
  static func badAmid(_ rule: String, _ before: String, _ bytes: [UInt8], _ after: String) -> JSONText {
    JSONText(bytes: Array(before.utf8) + bytes + Array(after.utf8), isGood: false, rule: rule)
  }

  /// The rule, and the beginning of the text in ASCII.
  var testDescription: String {
    let hexadecimals = Array("0123456789ABCDEF")
    var shown = ""
    for byte in bytes.prefix(60) {
      if 0x20...0x7E ~= byte {
        shown.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        shown += "<\(hexadecimals[Int(byte >> 4)])\(hexadecimals[Int(byte & 0xF)])>"
      }
    }
    return "\(rule): \(shown)\(bytes.count > 60 ? "..." : "")"
  }
}

/// Texts for every production of RFC 8259 §2 to §8, written according to its grammar. For each position there is valid
/// content, and content that is wrong, missing, doubled or cut off.
///
/// No text is deeper than 32, except the text that is too deep. An invalid text is also invalid as the value of a
/// member.
enum JSONTexts {
  static let all: [JSONText] =
    structure + whiteSpace + literals + objects + memberNames + arrays + numbers + strings + escapes + encodings
}
