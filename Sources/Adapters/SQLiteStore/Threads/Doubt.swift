internal import Registration
internal import Synchronization

/// A change whose COMMIT failed, so that it may or may not be in the file.
struct Doubt: Sendable {
  let concern: Concern
  /// Entries for the observer, if the change turns out to be in the file.
  let entries: [AuditEntry]
}

/// The open doubt, if any; at most one, because nothing is changed until it is settled.
final class DoubtBoard: Sendable {
  private let doubt = Mutex<Doubt?>(nil)

  var open: Doubt? {
    get { doubt.withLock { $0 } }
    set { doubt.withLock { $0 = newValue } }
  }
}
