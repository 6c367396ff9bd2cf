/// The answer to an HTTP client (RFC 9110 §15.5.1).
enum HTTPRefusal {
  static let text: String = {
    let body = """
      This socket speaks JSON-RPC 2.0, not HTTP. Send one JSON text a line, for example
      {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}
      or the same behind a Content-Length header, as language servers do.\n
      """
    return "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
      + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
  }()
}
