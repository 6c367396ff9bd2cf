internal import Registration
internal import Synchronization

/// The open doubt, if any; at most one, because nothing is changed until it is settled.
final class DoubtBoard: Sendable {
  private let doubt = Mutex<Doubt?>(nil)

  var open: Doubt? {
    get { doubt.withLock { $0 } }
    set { doubt.withLock { $0 = newValue } }
  }
}
