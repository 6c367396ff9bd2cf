package import Localization

/// The kind of a JSON value (RFC 8259 §3).
package enum JSONKind: UInt8, Sendable {
  case object, array, string, number, `true`, `false`, null
}

/// One value, or one member name, of an indexed text, with its position in the text and the index of the node that follows it.
struct JSONNode {
  var kind: JSONKind
  /// Whether the string has at least one backslash, so that its bytes differ from its value.
  var escaped = false
  /// The position of the value's first byte or, for a string, of the byte after the opening quote.
  var start: UInt32
  /// The position after the value's last byte or, for a string, that of the closing quote.
  var end: UInt32
  /// The index of the node that follows this whole value. While a container is open, the index of the container around it.
  var next: UInt32
}

/// The index of a text: one node for each value and one for each member name, in the order of the text.
///
/// Each connection reuses one tape for its texts, so that reading allocates nothing once the tape has grown. The tape
/// manages its memory itself, because an array checks each access for sharing and bounds, which costs as much as the
/// reading.
package struct JSONTape: ~Copyable {
  private(set) var nodes: UnsafeMutablePointer<JSONNode>?
  private(set) var count = 0
  private var capacity = 0

  package init() {}

  deinit { nodes?.deallocate() }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ node: JSONNode) {
    if count == capacity { grow() }
    nodes.unsafelyUnwrapped[count] = node
    count &+= 1
  }

  @inline(__always)
  subscript(index: Int) -> JSONNode {
    get { nodes.unsafelyUnwrapped[index] }
    nonmutating set { nodes.unsafelyUnwrapped[index] = newValue }
  }

  /// Releases the memory that an unusually large text took, because many connections are idle.
  mutating func shrink() {
    guard capacity > 256 else { return }
    nodes?.deallocate()
    (nodes, count, capacity) = (nil, 0, 0)
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: max(32, capacity * 2))
    if let nodes {
      larger.moveInitialize(from: nodes, count: count)
      nodes.deallocate()
    }
    capacity = max(32, capacity * 2)
    nodes = larger
  }
}

/// Why regd does not accept a text as JSON.
package struct JSONReadError: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// The text breaks RFC 8259. `expected` names what the grammar requires at `offset`.
    case syntax(expected: JSONMessageKey)
    /// Arrays and objects nest deeper than the limit.
    case tooDeep(limit: Int)
  }
  package var reason: Reason
  /// The position of the error, in bytes from the start of the text.
  package var offset: Int
}
