package import Dialogues
package import Sentences

/// The parts that all conversations of a server share: the methods, the limits, and the document that describes the methods.
package struct Dispatcher: Sendable {
  let table: MethodTable
  /// The limits of conversations that are given none of their own.
  let limits: Limits
  /// The result of `rpc.discover`, written once.
  let document: [UInt8]
  let observer: (any RequestObserver)?
  /// The languages for the sessions of its conversations.
  package let languages: LiveLanguages

  /// - Parameters:
  ///   - version: The server's version, for the document.
  ///   - languages: The languages in which persons are addressed.
  ///   - observer: Called with the outcome of each request.
  package init(
    table: MethodTable, limits: Limits, version: String = "0", languages: LiveLanguages = LiveLanguages(.english),
    observer: (any RequestObserver)? = nil
  ) {
    self.languages = languages
    self.observer = observer
    self.table = table
    self.limits = limits
    document = OpenRPCDocument.text(of: table, version: version)
  }
}
