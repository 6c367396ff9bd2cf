import Registration
import Synchronization

/// What an observer was told.
final class Told: Sendable {
  private let guarded = Mutex<[AuditEntry]>([])

  func note(_ entry: AuditEntry) { guarded.withLock { $0.append(entry) } }

  var entries: [AuditEntry] { guarded.withLock { $0 } }
}
