internal import Logging
internal import Methods
internal import Registration

/// The upstream as the rest of regd sees it: failures are logged and noted in the health, and behind a circuit breaker it is
/// not asked while it is known to be down.
struct Upstream: Sendable {
  /// Nil if this daemon is the authority.
  let network: (any NetworkService)?
  /// The circuit breaker in `network`; nil if it has none.
  let breaker: BreakingNetwork?
  /// Ends what is under way.
  let stop: @Sendable () -> Void

  /// - Parameter isBack: Called when an upstream that was down works again.
  init(
    _ settings: NetworkSettings, logger: Logger, health: Health, feed: EventFeed, time: any TimeSource,
    isBack: @escaping @Sendable () -> Void
  ) throws(StartupFailure) {
    guard let chosen = settings.chosen else {
      network = nil
      breaker = nil
      stop = {}
      return
    }
    let open: OpenNetwork
    do throws(NetworkOpeningFailure) {
      open = try chosen.open(
        NetworkSurroundings(time: time, userAgent: "regd/\(Version.current)", log: { Self.log($0, $1, $2, to: logger) })
      )
    } catch {
      throw StartupFailure(error)
    }
    stop = open.stop
    let reporting = ReportingNetwork(
      network: open.network, logger: open.logsFailures ? nil : logger, health: health)
    guard let breaking = settings.breaker else {
      network = reporting
      breaker = nil
      return
    }
    let breaker = BreakingNetwork(
      reporting, breaking,
      observer: { state in
        Self.report(state, logger: logger, feed: feed, time: time)
        if state.isClosed { isBack() }
      })
    network = breaker
    self.breaker = breaker
  }

  private static func log(
    _ level: NetworkSurroundings.LogLevel, _ message: String, _ details: [String: String], to logger: Logger
  ) {
    let level: Logger.Level =
      switch level {
      case .notice: .notice
      case .warning: .warning
      }
    logger.log(level: level, "\(message)", metadata: details.mapValues { "\($0)" })
  }

  private static func report(
    _ state: CircuitBreaker.State, logger: Logger, feed: EventFeed, time: any TimeSource
  ) {
    let message =
      state.isClosed
      ? "The upstream answers again and is asked"
      : "The upstream is down; it is not asked but for a try from time to time"
    logger.notice("\(message)")
    feed.publish(Event(state.isClosed ? .breakerClosed : .breakerOpened, at: time.now(), message: message))
  }
}

/// Logs and publishes what becomes of registrations that wait for the upstream.
struct OutboxReport: Sendable {
  let logger: Logger
  let feed: EventFeed
  let time: any TimeSource

  func note(_ report: Outbox.Report) {
    switch report {
    case .delivered(let account, let attempts):
      tell(
        .delivered, account, "The upstream has it, at the \(ordinal(attempts)) attempt since the start.",
        log: "The upstream has it", ["attempts": "\(attempts)"], .info)
    case .refused(let account):
      let message = "The upstream has another account with this address: the registration is gone."
      tell(.refused, account, message, log: message, [:], .warning)
    case .delayed(let account, let attempts, let failure, let next):
      let seconds = max(1, next.components.seconds)
      tell(
        .delayed, account,
        "\(failure): the \(ordinal(attempts)) attempt since the start; the next is in about \(seconds) s.",
        log: "It is tried again", ["failure": "\(failure)", "attempts": "\(attempts)", "seconds": "\(seconds)"], .notice
      )
    }
  }

  /// - Parameter log: The message without what is different each time, which is in `details`: by that the log knows lines
  ///   that repeat.
  private func tell(
    _ name: EventName, _ account: Account, _ message: String, log: String, _ details: Logger.Metadata,
    _ level: Logger.Level
  ) {
    logger.log(
      level: level, "\(name.rawValue): \(log)",
      metadata: details.merging(["account": "\(account.id)"]) { mine, _ in mine })
    feed.publish(Event(name, at: time.now(), account: account, message: message))
  }

  private func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (1, let tens) where tens != 11: "\(number)st"
    case (2, let tens) where tens != 12: "\(number)nd"
    case (3, let tens) where tens != 13: "\(number)rd"
    default: "\(number)th"
    }
  }
}
