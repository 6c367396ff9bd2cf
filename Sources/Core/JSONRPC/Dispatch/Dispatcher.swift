/// What all conversations of a server share: the methods, the limits, and the document that describes the methods.
package struct Dispatcher: Sendable {
  let table: MethodTable
  /// Of conversations that are given none of their own.
  let limits: Limits
  /// The result of `rpc.discover`, made once.
  let document: [UInt8]
  let observer: (any RequestObserver)?

  /// - Parameters:
  ///   - version: The server's own, for the document.
  ///   - observer: Called with the outcome of each request.
  package init(
    table: MethodTable, limits: Limits, version: String = "0", observer: (any RequestObserver)? = nil
  ) {
    self.observer = observer
    self.table = table
    self.limits = limits
    document = OpenRPCDocument.text(of: table, version: version)
  }
}
