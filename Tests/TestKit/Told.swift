package import Registration
internal import Synchronization

/// The entries that an observer received.
package final class Told: Sendable {
  private let guarded = Mutex<[AuditEntry]>([])

  package init() {}

  package func note(_ entry: AuditEntry) { guarded.withLock { $0.append(entry) } }

  package var entries: [AuditEntry] { guarded.withLock { $0 } }
}
