/// A statement and its parameters, `$1` and on.
struct Statement: Sendable {
  enum Parameter: Sendable {
    case text(String)
    /// May have any byte; a text may have no NUL.
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

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// What libpq is to read: a text ends with NUL.
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
