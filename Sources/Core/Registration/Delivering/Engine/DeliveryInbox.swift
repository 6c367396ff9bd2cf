internal import Synchronization
internal import Waiting

/// Inbox of a `Deliverer`: what other parts tell it. What has failed or is new, that the system works again, that there is
/// something to read. The deliverer waits here for something to do.
package final class DeliveryInbox<ID: Hashable & Sendable, Failure: DeliveryFailure>: Sendable {
  package struct Note: Equatable, Sendable {
    package let id: ID
    /// Whose turn it takes where nothing else is known of it.
    package let share: Share
    /// What was wrong with the system; nil where it was something else.
    package let failure: Failure?
  }

  struct Noted {
    var notes: [Note] = []
    /// What another regd has a claim of.
    var met: Set<ID> = []
    var isReadingWanted = false
    var isGlanceWanted = false
  }

  private let noted = Mutex(Noted())
  private let signal = WakeSignal()

  package init() {}

  package func add(_ note: Note) {
    noted.withLock { $0.notes.append(note) }
    signal.raise()
  }

  /// One that another regd has a claim of: this one takes it over if the claim runs out.
  func met(_ id: ID) {
    noted.withLock { _ = $0.met.insert(id) }
    signal.raise()
  }

  /// There is something in the store that nobody has noted.
  func wantReading() {
    noted.withLock { $0.isReadingWanted = true }
    signal.raise()
  }

  /// There is something new in the store.
  func wantGlance() {
    noted.withLock { $0.isGlanceWanted = true }
    signal.raise()
  }

  /// What was noted since it was taken last.
  func take() -> Noted {
    noted.withLock { noted in
      defer { noted = Noted() }
      return noted
    }
  }

  /// Lets the deliverer look at the system and at what is due.
  package func wake() { signal.raise() }

  /// Waits until something is noted, or so long; also ends with the task. One at a time.
  func wait(atMost pause: Duration) async { await signal.wait(atMost: pause) }
}

/// Registrations that were left pending, for the outbox.
package typealias LeftPending = DeliveryInbox<AccountID, NetworkFailure>
