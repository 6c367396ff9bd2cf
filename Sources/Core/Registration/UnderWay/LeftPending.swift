internal import Synchronization
internal import Waiting

/// Inbox of the outbox: what other parts tell it. Registrations that were left pending, that the upstream works again, that
/// there is something to read. The outbox waits here for something to do.
package final class LeftPending: Sendable {
  package struct Note: Equatable, Sendable {
    package let id: AccountID
    /// What was wrong with the upstream; nil where it was something else.
    package let failure: NetworkFailure?
  }

  struct Noted {
    var notes: [Note] = []
    /// Accounts that another regd has a claim of.
    var met: Set<AccountID> = []
    var isReadingWanted = false
  }

  private let noted = Mutex(Noted())
  private let signal = WakeSignal()

  package init() {}

  package func add(_ note: Note) {
    noted.withLock { $0.notes.append(note) }
    signal.raise()
  }

  /// A pending account that another regd has a claim of: this one takes it over if the claim runs out.
  func met(_ id: AccountID) {
    noted.withLock { _ = $0.met.insert(id) }
    signal.raise()
  }

  /// There are pending accounts in the store that nobody has noted.
  func wantReading() {
    noted.withLock { $0.isReadingWanted = true }
    signal.raise()
  }

  /// What was noted since it was taken last.
  func take() -> Noted {
    noted.withLock { noted in
      defer { noted = Noted() }
      return noted
    }
  }

  /// Lets the outbox look at the upstream and at what is due.
  package func wake() { signal.raise() }

  /// Waits until something is noted, or so long; also ends with the task. One at a time.
  func wait(atMost pause: Duration) async { await signal.wait(atMost: pause) }
}
