internal import JSONRPC

/// One call of each method and its result, as somebody has made it; tests play them.
///
/// The calls of a file are a conversation, so that ids which come from one result are in the params of another. `rpc.discover` has none:
/// its result would stand in itself.
enum Examples {
  typealias Example = TableDescription.Example

  static var all: [String: Example] {
    [calling, owners, administrating, operating].reduce(into: [:]) { all, family in
      all.merge(family) { first, _ in first }
    }
  }
}
