/// A request or notification of JSON-RPC 2.0 §4, read from a text and valid because it exists.
struct Message {
  let method: JSONView
  /// Absent, an object or an array; null counts as absent.
  let params: JSONView?
  /// Nil for a notification.
  let id: RequestID?

  /// What is wrong with a text that is no request, and the id to say it to.
  struct Invalid: Error {
    let id: RequestID
    let error: RPCError
  }

  static func read(_ view: JSONView) -> Result<Message, Invalid> {
    guard view.kind == .object else { return refuse("it must be an object", id: .null) }
    var version: JSONView?
    var method: JSONView?
    var params: JSONView?
    var idValue: JSONView?
    view.forEachMember { name, value in
      if name.isString("jsonrpc") {
        version = value
      } else if name.isString("method") {
        method = value
      } else if name.isString("params") {
        params = value
      } else if name.isString("id") {
        idValue = value
      }
    }
    var id: RequestID?
    if let idValue {
      id = RequestID(idValue)
      guard id != nil else { return refuse("\"id\" must be a string, a number or null", id: .null) }
    }
    guard let version, version.isString("2.0") else { return refuse("\"jsonrpc\" must be \"2.0\"", id: id) }
    guard let method, method.kind == .string else { return refuse("\"method\" must be a string", id: id) }
    if let value = params {
      switch value.kind {
      case .object, .array: break
      case .null: params = nil
      default: return refuse("\"params\" must be an object or an array", id: id)
      }
    }
    return .success(Message(method: method, params: params, id: id))
  }

  private static func refuse(_ detail: String, id: RequestID?) -> Result<Message, Invalid> {
    .failure(Invalid(id: id ?? .null, error: .invalidRequest(detail)))
  }
}
