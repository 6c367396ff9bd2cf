package import Localization
package import Reasons
internal import Synchronization
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

/// Receives the outcomes of requests, for metrics. Called on event loops, so it must not block.
package protocol RequestObserver: AnyObject, Sendable {
  /// Called when `count` requests were answered with a result, or were notifications and are done.
  ///
  /// - Parameter method: The method's index in the table.
  func answered(_ method: Int, count: Int)

  /// Called when a request was refused.
  ///
  /// - Parameter method: The method's index in the table, or nil if the request named no method of the table.
  func refused(_ method: Int?, _ reason: ErrorReason, by caller: Peer)

  /// Called when the reply to a request that takes time is ready.
  ///
  /// - Parameter duration: The time since the request was read.
  func took(_ method: Int, _ duration: Duration)
}

/// The names of the metrics of requests, shared by regd, which writes the metrics, and clients, which read them.
package enum RequestMetric {
  /// The counter of requests, by method and reason.
  package static let requests = "regd_requests"
  /// The histogram of the durations of requests, by method.
  package static let duration = "regd_request_duration_seconds"
  package static let method = "method"
  package static let reason = "reason"
  /// The value of `reason` for a request that was not refused.
  package static let done = "ok"
}

/// Observes the outcomes of one method's requests, and forwards all calls to another observer.
final class OutcomeObserver: RequestObserver {
  private let method: Int
  private let note: @Sendable (ErrorReason?) -> Void
  private let other: (any RequestObserver)?

  init(of method: Int, _ note: @escaping @Sendable (ErrorReason?) -> Void, then other: (any RequestObserver)?) {
    (self.method, self.note, self.other) = (method, note, other)
  }

  func answered(_ method: Int, count: Int) {
    if method == self.method { for _ in 0..<count { note(nil) } }
    other?.answered(method, count: count)
  }

  func refused(_ method: Int?, _ reason: ErrorReason, by caller: Peer) {
    if method == self.method { note(reason) }
    other?.refused(method, reason, by: caller)
  }

  func took(_ method: Int, _ duration: Duration) { other?.took(method, duration) }
}

/// The `rpc.discover` document of a table of methods. It is written when a caller first asks for it. Most callers never
/// do, and each JSON-RPC door (listening socket) has its own table.
final class DiscoveredDocument: Sendable {
  private let table: MethodTable
  private let version: String
  private let written = Mutex<[UInt8]?>(nil)

  init(of table: MethodTable, version: String) { (self.table, self.version) = (table, version) }

  /// The document's JSON. The first call writes it, and concurrent calls wait.
  var text: [UInt8] {
    written.withLock { written in
      if let written { return written }
      let text = OpenRPCDocument.text(of: table, version: version)
      written = text
      return text
    }
  }
}
