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
