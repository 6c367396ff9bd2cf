/// The id of a request: a string, a number or null. It is kept as the bytes that the caller sent, so that replies echo
/// it exactly.
///
/// Two strings are the same id if their values without escapes are equal. Two numbers are the same id if they are
/// written in the same way.
package struct RequestID: Hashable, Sendable {
  /// The id as a JSON text.
  package let source: [UInt8]
  /// The string's value without escapes, in quotes, if the source has escapes, otherwise nil. So two ids are equal if
  /// their `value ?? source` are equal.
  private let value: [UInt8]?

  package static let null = RequestID(source: Array("null".utf8))

  private init(source: [UInt8]) {
    self.source = source
    value = nil
  }

  /// - Returns: Nil if the value is not a string, a number or null (JSON-RPC 2.0 §4).
  init?(_ view: JSONView) {
    guard Self.isID(view) else { return nil }
    source = [UInt8](view.source)
    value = view.node.escaped ? view.utf8.map { [UInt8(ascii: "\"")] + $0 + [UInt8(ascii: "\"")] } : nil
  }

  /// Whether the value can be an id.
  static func isID(_ view: JSONView) -> Bool {
    switch view.kind {
    case .string, .number, .null: true
    case .object, .array, .true, .false: false
    }
  }

  private var identity: [UInt8] { value ?? source }

  package static func == (one: RequestID, other: RequestID) -> Bool { one.identity == other.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
