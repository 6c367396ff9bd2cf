internal import AsyncPrimitives
internal import Synchronization

/// The inbox of a `Deliverer`. Other parts of regd report failed requests, new deliveries, a system that works again,
/// and reasons to read the store. The deliverer waits here for something to do.
package final class DeliveryInbox<ID: Hashable & Sendable, Failure: DeliveryFailure>: Sendable {
  package struct Note: Equatable, Sendable {
    package let id: ID
    /// The user and origin for whom the delivery takes turns. Ignored if the schedule already has the delivery.
    package let share: Share
    /// The system's failure, or nil if something else failed.
    package let failure: Failure?
  }

  struct Noted {
    var notes: [Note] = []
    /// Deliveries that another regd claims.
    var met: Set<ID> = []
    var isReadingWanted = false
    var isGlanceWanted = false
  }

  private let noted = Mutex(Noted())
  private let signal = WakeSignal()
  /// The deliveries that the deliverer has taken from here or from the store, and that wait.
  let tally = DeliveryTally()

  package init() {}

  package func add(_ note: Note) {
    noted.withLock { $0.notes.append(note) }
    signal.raise()
  }

  /// Reports a delivery that another regd claims, so that this regd takes it over if the claim expires.
  func met(_ id: ID) {
    noted.withLock { _ = $0.met.insert(id) }
    signal.raise()
  }

  /// Reports that the store may have unreported deliveries anywhere, so that the deliverer reads the whole store.
  func wantReading() {
    noted.withLock { $0.isReadingWanted = true }
    signal.raise()
  }

  /// Reports that the store has new deliveries, so that the deliverer reads on from the newest known one.
  func wantGlance() {
    noted.withLock { $0.isGlanceWanted = true }
    signal.raise()
  }

  /// Returns the reports since the last call, and empties the inbox.
  func take() -> Noted {
    noted.withLock { noted in
      defer { noted = Noted() }
      return noted
    }
  }

  /// Makes the deliverer look at the system and at the deliveries that are due.
  package func wake() { signal.raise() }

  /// Waits until a report arrives, the pause has ended or the task is cancelled. Only one task may wait at a time.
  func wait(atMost pause: Duration) async { await signal.wait(atMost: pause) }
}

/// The inbox for registrations that were left pending, which the outbox reads.
package typealias OutboxInbox = DeliveryInbox<AccountID, NetworkFailure>
