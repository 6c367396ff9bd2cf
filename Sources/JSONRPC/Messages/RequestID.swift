/// The id of a request: a string, a number or null, kept as the bytes that came so that it goes back the same.
package struct RequestID: Hashable, Sendable {
  /// The id as a JSON text.
  package let source: [UInt8]

  package static let null = RequestID(source: Array("null".utf8))

  private init(source: [UInt8]) { self.source = source }

  /// Nil where the value is no string, number or null (JSON-RPC 2.0 §4).
  init?(_ view: JSONView) {
    switch view.kind {
    case .string, .number, .null: source = [UInt8](view.source)
    case .object, .array, .true, .false: return nil
    }
  }
}
