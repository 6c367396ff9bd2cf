internal import JSONRPC

/// `rpc.discover`: describes all methods, as an OpenRPC document.
enum DiscoverMethod {
  static let method = Method(
    "rpc.discover", "Returns an OpenRPC document that describes all methods.",
    result: .anyObject("An OpenRPC document (open-rpc.org)."), repetition: .yes,
    .discovering)
}
