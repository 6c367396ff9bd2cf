package import Registration
internal import Synchronization

/// Collects the audit entries that an observer receives.
package final class Told: Sendable {
  private let guarded = Mutex<[AuditEntry]>([])

  package init() {}

  package func note(_ entry: AuditEntry) { guarded.withLock { $0.append(entry) } }

  package var entries: [AuditEntry] { guarded.withLock { $0 } }
}
