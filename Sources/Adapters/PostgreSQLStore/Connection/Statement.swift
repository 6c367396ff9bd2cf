internal import Registration

/// A statement and its parameters, from `$1` on.
struct Statement: Sendable {
  enum Parameter: Sendable {
    case text(String)
    /// Bytes. Unlike a text, they may include NUL.
    case bytes([UInt8])
    case null
  }

  let sql: String
  let parameters: [Parameter]

  init(_ sql: String, _ parameters: [Parameter] = []) {
    self.sql = sql
    self.parameters = parameters
  }
}

extension Statement.Parameter: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self = .text(value) }

  init(_ time: Timestamp) { self = .text(time.rfc3339) }

  /// A bytea, because an origin may have NUL.
  init(_ origin: Origin?) { self = origin.map { .bytes(Array($0.text.utf8)) } ?? .null }

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// The text form of a bytea ("bytea Hex Format").
  static func hexadecimal(_ text: String) -> String { hexadecimal(Array(text.utf8)) }

  static func hexadecimal(_ bytes: [UInt8]) -> String { "\\x" + bytes.hexadecimal }

  /// The text form of an array ("Array Input and Output Syntax").
  static func array(_ values: [String?]) -> Statement.Parameter {
    var text = "{"
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      guard let value else {
        text += "NULL"
        continue
      }
      text += "\""
      for character in value.unicodeScalars {
        if character == "\"" || character == "\\" { text += "\\" }
        text.unicodeScalars.append(character)
      }
      text += "\""
    }
    return .text(text + "}")
  }

  /// The bytes for libpq. A text ends with a NUL byte. Nil for SQL's NULL.
  var content: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8) + [0]
    case .bytes(let bytes): bytes
    case .null: nil
    }
  }

  var isBinary: Bool {
    switch self {
    case .bytes: true
    case .text, .null: false
    }
  }
}
