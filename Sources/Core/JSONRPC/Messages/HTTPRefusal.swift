internal import Localization
internal import WireFormats

/// The whole response to a client that speaks HTTP: status 400 (RFC 9110 §15.5.1), and how to call regd.
enum HTTPRefusal {
  static func text(in language: Language) -> String {
    let body = """
      \(language.text(of: LocalizedMessage(RPCMessageKey.http)))
      {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}
      \(language.text(of: LocalizedMessage(RPCMessageKey.httpHeaders)))\n
      """
    return HTTPStatus.badRequest.head([
      ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", "\(body.utf8.count)"), ("Connection", "close"),
    ]) + body
  }
}
