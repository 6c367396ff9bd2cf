internal import JSONRPC

/// `rpc.ping`: shows that the server answers.
enum PingMethod {
  static let method = Method(
    "rpc.ping", "Returns \"pong\".", result: .choice(["pong"], ""), repetition: .yes,
    .immediate { _, _, result in result.raw("\"pong\"" as StaticString) })
}
