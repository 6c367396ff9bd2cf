internal import Methods
internal import OpenMetrics
internal import Registration
internal import WireProtocols

/// Gauges that are read when a caller asks for the metrics: lengths of queues, connections, health.
enum DaemonMetrics {
  static func observe(
    _ registry: OpenMetricsRegistry, hasher: any RunningHasher, quotas: PeerQuotas, health: Health,
    background: BackgroundHealth, feed: EventFeed, outbox: Outbox, mails: MailQueue, admission: AdmissionCount,
    breaker: @escaping @Sendable () -> BreakingNetwork?, log: any RunningLog, damage: DamageReport,
    uptimeSeconds: @escaping @Sendable () -> Int
  ) {
    gauge(registry, "regd_uptime_seconds", "Since the daemon started.") { Double(uptimeSeconds()) }
    gauge(registry, "regd_hashing_pending", "Passwords that are being hashed or wait to be hashed.") {
      Double(hasher.pendingCount)
    }
    gauge(registry, "regd_connections", "Open connections.") {
      Double(quotas.survey(listing: 0).all.connections)
    }
    gauge(registry, "regd_requests_in_flight", "Requests that take time and have no reply yet.") {
      Double(quotas.survey(listing: 0).all.inFlight)
    }
    gauge(registry, "regd_queued_bytes", "Bytes of replies that callers have not read yet.") {
      Double(quotas.survey(listing: 0).all.queuedBytes)
    }
    gauge(registry, "regd_event_subscribers", "Connections that receive events.") { Double(feed.subscribers) }
    gauge(registry, "regd_outbox_waiting", "Registrations that wait for the upstream.") { Double(outbox.waiting) }
    gauge(registry, "regd_mails_waiting", "Emails that wait to be sent.") { Double(mails.waiting) }
    gauge(registry, "regd_accounts_waiting", "Accounts that wait for an administrator's approval.") {
      Double(admission.latest.waiting)
    }
    gauge(registry, "regd_invitations_open", "Invitations that can still be used.") {
      Double(admission.latest.invitations)
    }
    gauge(registry, "regd_log_lines_dropped", "Log lines lost since the start because nothing read them.") {
      Double(log.counts.dropped)
    }
    gauge(
      registry, "regd_log_lines_held_back", "Log lines since the start that repeated others and were only counted."
    ) { Double(log.counts.heldBack) }
    gauge(registry, "regd_store_damaged_rows", "Rows that the store could not read since the daemon started.") {
      Double(damage.damage().count)
    }
    gauge(registry, "regd_failing_tasks", "Background tasks whose last run failed.") {
      Double(background.failing.count)
    }
    registry.describe("regd_network_breaker_open", help: "1 if the upstream is down and gets no requests, otherwise 0.")
    registry.observe("regd_network_breaker_open") { breaker().map { $0.state.isClosed ? 0 : 1 } }
    registry.describe("regd_healthy", help: "1 if the last operation of a part succeeded, otherwise 0.")
    for part in Health.Part.allCases {
      registry.observe("regd_healthy", dimensions: [("part", part.rawValue)]) { health[part].failure == nil ? 1 : 0 }
    }
  }

  private static func gauge(
    _ registry: OpenMetricsRegistry, _ name: String, _ help: String, _ read: @escaping @Sendable () -> Double
  ) {
    registry.describe(name, help: help, unit: ["seconds", "bytes"].first { name.hasSuffix("_\($0)") })
    registry.observe(name, read: read)
  }
}
