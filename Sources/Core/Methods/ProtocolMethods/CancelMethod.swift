internal import JSONRPC

/// `rpc.cancel`: cancels a request of the same connection that has not begun to commit.
enum CancelMethod {
  static let method = make("rpc.cancel")
  /// The same method under the name that language servers use.
  static let alias = make("$/cancelRequest")

  private static let id = Parameter("id", .id, required: true, "The id of the request.")

  private static func make(_ name: StaticString) -> Method {
    Method(
      name, "Cancels a request of the same connection, unless it has ended or has begun to commit.",
      parameters: [id], .cancelling(id: id))
  }
}
