internal import JSONRPC

/// `rpc.ping`: somebody is there.
enum PingMethod {
  static let method = Method(
    "rpc.ping", "Answers \"pong\".", .immediate { _, _ in .result { $0.value("pong") } })
}
