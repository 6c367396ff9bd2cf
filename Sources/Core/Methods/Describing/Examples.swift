internal import JSONRPC

/// One call of each method and its result, as really made; tests play them.
///
/// The calls of a file are a conversation, so that ids which come from one result are in the params of another.
/// `rpc.discover` has none: its result would contain itself.
enum Examples {
  typealias Example = TableDescription.Example

  static var all: [String: Example] {
    [calling, owners, administrating, operating].reduce(into: [:]) { all, family in
      all.merge(family) { first, _ in first }
    }
  }
}
