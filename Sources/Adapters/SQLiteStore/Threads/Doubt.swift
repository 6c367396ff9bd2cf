internal import Registration
internal import Synchronization

/// Holds the doubt (a change whose failed COMMIT may still count) that is still to be settled, if any. There is only
/// one, because nothing is changed until it is settled.
final class DoubtBoard: Sendable {
  private let doubt = Mutex<Doubt?>(nil)

  var open: Doubt? {
    get { doubt.withLock { $0 } }
    set { doubt.withLock { $0 = newValue } }
  }
}
