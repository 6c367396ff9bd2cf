/// The id of a request: a string, a number or null, kept as the bytes that came so that it goes back the same.
///
/// Two ids are the same when their values are: a string however it is escaped, a number by its digits.
package struct RequestID: Hashable, Sendable {
  /// The id as a JSON text.
  package let source: [UInt8]
  /// Where escapes make the source another than the value: the value. A quote cannot stand in the source of another.
  private let value: [UInt8]?

  package static let null = RequestID(source: Array("null".utf8))

  private init(source: [UInt8]) {
    self.source = source
    value = nil
  }

  /// Nil where the value is no string, number or null (JSON-RPC 2.0 §4).
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
