package import Localization
package import Reasons
package import WireProtocols

/// The parts that all conversations of a server share: the methods, the limits, and the document that describes the methods.
package struct Dispatcher: Sendable {
  let table: MethodTable
  /// The limits of conversations that are not given other limits.
  let limits: Limits
  /// The result of `rpc.discover`.
  let document: DiscoveredDocument
  let observer: (any RequestObserver)?
  private let version: String
  /// The languages that the sessions of the conversations can use.
  package let languages: ReloadableLanguages

  /// - Parameters:
  ///   - version: The server's version, for the document.
  ///   - languages: The languages in which persons are addressed.
  ///   - observer: Called with the outcome of each request.
  package init(
    table: MethodTable, limits: Limits, version: String = "0",
    languages: ReloadableLanguages = ReloadableLanguages(.english),
    observer: (any RequestObserver)? = nil
  ) {
    self.languages = languages
    self.observer = observer
    self.table = table
    self.limits = limits
    self.version = version
    document = DiscoveredDocument(of: table, version: version)
  }

  /// A dispatcher of the same methods, of which callers of the access class `open` may call only the allowed ones. All
  /// other methods get the access class `admin`.
  ///
  /// - Parameters:
  ///   - isAllowed: Whether the method of this name may be called.
  ///   - replacing: Methods that replace those with the same names.
  ///   - change: Makes another method of each allowed one that is not replaced.
  ///   - counted: A method whose outcomes are also reported to `note`, or nil for no method.
  ///   - note: Called with the reason of each refusal, and with nil for each request that was not refused.
  package func restricted(
    to isAllowed: (String) -> Bool, replacing others: [Method] = [],
    changing change: (Method) -> Method = { $0 }, counting counted: String? = nil,
    _ note: @escaping @Sendable (ErrorReason?) -> Void = { _ in }
  ) -> Dispatcher {
    let methods = table.methods.map { method in
      guard isAllowed("\(method.name)") else { return method.with(access: .admin) }
      return (others.first { "\($0.name)" == "\(method.name)" } ?? change(method)).with(access: .open)
    }
    let index = methods.firstIndex { "\($0.name)" == counted }
    return Dispatcher(
      table: MethodTable(methods, table.description), limits: limits, version: version, languages: languages,
      observer: index.map { OutcomeObserver(of: $0, note, then: observer) } ?? observer)
  }
}
