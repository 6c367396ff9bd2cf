internal import Synchronization

/// Where registrations that were left pending are noted, for the outbox, which waits here for something to do.
package final class LeftPending: Sendable {
  package struct Note: Equatable, Sendable {
    package let id: AccountID
    /// What was wrong with the upstream; nil where it was something else.
    package let failure: NetworkFailure?
  }

  private let notes = Mutex<[Note]>([])
  private let signal = WakeSignal()

  package init() {}

  package func add(_ note: Note) {
    notes.withLock { $0.append(note) }
    signal.raise()
  }

  /// What was noted since it was taken last.
  func take() -> [Note] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  func wake() { signal.raise() }

  /// Waits until something is noted, or so long; also ends with the task. One at a time.
  func wait(atMost pause: Duration) async { await signal.wait(atMost: pause) }
}
