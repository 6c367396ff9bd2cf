package import Sentences

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
  /// The index of the node that follows this whole value; while a container is open, the container around it.
  var next: UInt32
}

/// The index of a text: every value in order of appearance, members as name and value in turn.
///
/// One tape serves one connection and is used again for each text, so that reading allocates nothing once it is warm.
/// Its memory is its own and not an array's: an array asks at every step whether it is shared and whether the index is
/// right, which costs as much as the reading.
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

  /// Gives back what an unusually large text took: idle connections are many.
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

/// Why a text is not JSON that regd reads.
package struct JSONReadError: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// The text breaks RFC 8259; the value says what would have been right at `offset`.
    case syntax(expected: JSONSentence)
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
  }
  package var reason: Reason
  /// Bytes from the start of the text.
  package var offset: Int
}
