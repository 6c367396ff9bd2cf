internal import JSONRPC

/// One call of each method with its result. Both come from a real conversation, which tests repeat.
///
/// The calls in one file are one conversation, so ids from a result appear in the params of later calls. `rpc.discover`
/// has no example, because its result would contain itself.
enum Examples {
  typealias Example = TableDescription.Example

  static var all: [String: Example] {
    [calling, owners, administrating, operating].reduce(into: [:]) { all, family in
      all.merge(family) { first, _ in first }
    }
  }
}
