package import Logging
package import Methods
internal import OpenMetrics
package import Registration
internal import Synchronization

/// Logs and publishes each row that the store finds unreadable, and counts it for `daemon.status`.
package final class DamageReport: Sendable {
  private let met = Mutex(StatusSources.Damage())
  private let logger: Logger
  private let feed: EventFeed
  private let time: any TimeSource

  package init(logger: Logger, feed: EventFeed, time: any TimeSource) {
    self.logger = logger
    self.feed = feed
    self.time = time
  }

  /// Reports one row. This is the store's `DamageObserver`.
  @Sendable package func note(_ row: DamagedRow) {
    met.withLock { $0.add(row) }
    logger.write(.storeDamaged, nil, ["row": row.name, "problem": row.problem])
    feed.publish(Event(.storeDamaged, at: time.now(), message: "\(row.name): \(row.problem)"))
  }

  @Sendable func damage() -> StatusSources.Damage { met.withLock { $0 } }
}
