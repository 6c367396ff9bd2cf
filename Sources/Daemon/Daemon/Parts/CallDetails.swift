internal import Synchronization

/// Details of one call to the upstream or the store, for the log. The code that makes the call adds them, and the code
/// that reports its end reads them.
final class CallDetails: Sendable {
  /// The call that the current task makes.
  @TaskLocal static var current: CallDetails?

  private let details: Mutex<[String: String]>

  init(_ details: [String: String]) { self.details = Mutex(details) }

  func add(_ more: [String: String]) { details.withLock { $0.merge(more) { $1 } } }

  var all: [String: String] { details.withLock { $0 } }
}
