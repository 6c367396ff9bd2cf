internal import Registration
internal import Synchronization

/// Holds the change in doubt, if there is one: its COMMIT failed, but may still count. There is at most one, because no
/// further change begins before it is settled.
final class InDoubtRegister: Sendable {
  private let doubt = Mutex<InDoubtCommit?>(nil)

  var open: InDoubtCommit? {
    get { doubt.withLock { $0 } }
    set { doubt.withLock { $0 = newValue } }
  }
}
