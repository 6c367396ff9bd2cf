internal import Localization

/// A valid request or notification of JSON-RPC 2.0 §4.
struct Message {
  let method: JSONView
  /// An object or an array, or nil if params are absent or null.
  let params: JSONView?
  /// A string, a number or null. Nil for a notification.
  let id: JSONView?

  /// Why a value is not a request, and the id of the error response: null if the request's id could not be read.
  struct Invalid: Error {
    let id: RequestID
    let error: RPCError
  }

  init(_ view: JSONView) throws(Invalid) {
    guard view.kind == .object else { throw Self.invalid(.requestObject, id: nil) }
    var version: JSONView?
    var method: JSONView?
    var params: JSONView?
    var id: JSONView?
    view.forEachMember { name, value in
      if name.isString("jsonrpc") {
        version = value
      } else if name.isString("method") {
        method = value
      } else if name.isString("params") {
        params = value
      } else if name.isString("id") {
        id = value
      }
    }
    if let id, !RequestID.isID(id) { throw Self.invalid(.requestID, id: nil) }
    guard let version, version.isString("2.0") else { throw Self.invalid(.requestVersion, id: id) }
    guard let method, method.kind == .string else { throw Self.invalid(.requestMethod, id: id) }
    if let value = params {
      switch value.kind {
      case .object, .array: break
      case .null: params = nil
      default: throw Self.invalid(.requestParams, id: id)
      }
    }
    self.method = method
    self.params = params
    self.id = id
  }

  private static func invalid(_ sentence: RPCMessageKey, id: JSONView?) -> Invalid {
    Invalid(id: id.flatMap { RequestID($0) } ?? .null, error: .invalidRequest(LocalizedMessage(sentence)))
  }
}

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
