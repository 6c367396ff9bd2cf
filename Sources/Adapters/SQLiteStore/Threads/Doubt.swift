internal import Registration
internal import Synchronization

/// A change whose COMMIT failed: it is in the file, or it is not.
struct Doubt: Sendable {
  let concern: Concern
  /// For the observer, if the change turns out to be there.
  let entries: [AuditEntry]
}

/// The doubt that there is, if any: at most one, for nothing is changed until it is settled.
final class DoubtBoard: Sendable {
  private let doubt = Mutex<Doubt?>(nil)

  var open: Doubt? {
    get { doubt.withLock { $0 } }
    set { doubt.withLock { $0 = newValue } }
  }
}
