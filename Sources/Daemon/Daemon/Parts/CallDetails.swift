internal import Synchronization

/// Details of one call of a part, for the log: collected where the call is made, and read where its end is reported.
final class CallDetails: Sendable {
  /// The call that the current task makes.
  @TaskLocal static var current: CallDetails?

  private let details: Mutex<[String: String]>

  init(_ details: [String: String]) { self.details = Mutex(details) }

  func add(_ more: [String: String]) { details.withLock { $0.merge(more) { $1 } } }

  var all: [String: String] { details.withLock { $0 } }
}
