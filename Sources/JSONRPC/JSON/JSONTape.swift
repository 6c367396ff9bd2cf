/// What kind of JSON value a node is (RFC 8259 §3).
package enum JSONKind: UInt8, Sendable {
  case object, array, string, number, `true`, `false`, null
}

/// One value, or one member name, of a text that was read: where it stands and what follows it.
struct JSONNode {
  var kind: JSONKind
  /// The string holds at least one backslash, so its bytes are not its value.
  var escaped = false
  /// First byte of the value in the text; for a string the one after the opening quote.
  var start: UInt32
  /// One past the last byte of the value; for a string the closing quote's place.
  var end: UInt32
  /// The index of the node that follows this whole value.
  var next: UInt32
}

/// The index of a text: every value in order of appearance, members as name and value in turn.
///
/// One tape serves one connection and is used again for each text, so that reading allocates nothing once it is warm.
package struct JSONTape: Sendable {
  var nodes: [JSONNode] = []
  /// The containers that are open, innermost last; empty between texts.
  var open: [UInt32] = []

  package init() {}

  /// Gives back what an unusually large text took.
  mutating func shrink() {
    if nodes.capacity > 4096 { nodes = [] }
  }
}

/// Why a text is not JSON that regd reads.
package struct JSONReadError: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// The text breaks RFC 8259; the value says what would have been right at `offset`.
    case syntax(expected: String)
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
  }
  package var reason: Reason
  /// Bytes from the start of the text.
  package var offset: Int
}
