internal import Logging
internal import Methods
internal import Reasons
internal import Registration
internal import Synchronization

/// The upstream as the rest of regd sees it: failures are logged and recorded in `Health`, and a circuit breaker stops
/// requests while the upstream is known to be down.
struct Upstream: Sendable {
  /// Parts that the upstreams before and after a reload share.
  struct Context: Sendable {
    let logger: Logger
    let health: Health
    let feed: EventFeed
    let time: any TimeSource
    let networks: OpenNetworks
    /// Called when an upstream that was down works again.
    let isBack: @Sendable () -> Void
  }

  /// The network that requests are passed to, or nil if this daemon is the authority.
  let network: (any NetworkService)?
  /// The circuit breaker in `network`, or nil if it has none.
  let breaker: BreakingNetwork?
  private let asked: OpenedBackend<Asked>?
  private let breakerSettings: CircuitBreaker.Settings?
  private let breakerReports: BreakerReports?

  /// The network without the breaker, and the reporter of the network's failures.
  private struct Asked {
    let network: any NetworkService
    let reports: UpstreamReports

    init(_ backend: any NetworkBackend, _ context: Context) throws(NetworkOpeningFailure) {
      let (logger, reports) = (context.logger, UpstreamReports(context))
      self.reports = reports
      let open = try backend.open(
        NetworkContext(
          time: context.time, userAgent: "regd/\(Version.current)", warn: { logger.write(.upstreamFile, $0) },
          failed: { CallDetails.current?.add($0) }))
      network = ReportingNetwork(network: context.networks.lend(open), logger: logger, note: reports.note)
    }
  }

  /// Opens the network that the settings choose. The running upstream is unaffected until `takeOver`.
  ///
  /// - Parameter running: The running upstream, or nil at startup. If the settings choose the same network, its
  ///   connections and its breaker's state are kept.
  init(
    _ settings: NetworkSettings, after running: Upstream? = nil, _ context: Context
  ) throws(StartupFailure) {
    breakerSettings = settings.breaker
    guard let chosen = settings.chosen else {
      (network, breaker, asked, breakerReports) = (nil, nil, nil, nil)
      return
    }
    let asked = try OpenedBackend.open(chosen, after: running?.asked) { () throws(NetworkOpeningFailure) in
      try Asked(chosen, context)
    }
    self.asked = asked
    guard let breaking = settings.breaker else {
      (network, breaker, breakerReports) = (asked.port.network, nil, nil)
      return
    }
    if asked === running?.asked, let kept = running?.breaker {
      (breaker, breakerReports) = (kept, running?.breakerReports)
    } else {
      let reports = BreakerReports(context)
      breakerReports = reports
      breaker = BreakingNetwork(asked.port.network, breaking, observer: reports.note)
    }
    network = breaker
  }

  /// Whether this is another network than that of `old`.
  func isOther(than old: Upstream) -> Bool { old.asked !== asked }

  /// Takes the place of the old upstream: from now on the old one's results affect neither `Health` nor the reports of
  /// the breaker.
  func takeOver(from old: Upstream) {
    if let breaker, let breakerSettings, breaker === old.breaker { breaker.adopt(breakerSettings) }
    if let gone = old.breaker, gone !== breaker { old.breakerReports?.end(wasOpen: !gone.state.isClosed) }
    if isOther(than: old) { old.asked?.port.reports.end() }
  }
}

/// Records an upstream's failures in `Health`, until another upstream replaces it.
private final class UpstreamReports: Sendable {
  private let context: Upstream.Context
  private let isOver = Mutex(false)

  init(_ context: Upstream.Context) { self.context = context }

  @Sendable func note(_ failure: String?, _ reason: ErrorReason?) -> Bool {
    isOver.withLock { !$0 && context.health.note(.network, .writing, failure, reason: reason) }
  }

  /// Stops reporting, and resets the health, because nothing is known about the next upstream.
  func end() {
    isOver.withLock { isOver in
      isOver = true
      context.health.forget(.network)
    }
  }
}

/// Reports the breaker's state until the breaker is no longer used.
private final class BreakerReports: Sendable {
  private let context: Upstream.Context
  private let isOver = Mutex(false)

  init(_ context: Upstream.Context) { self.context = context }

  /// Reports a change. This is the breaker's observer.
  @Sendable func note(_ state: CircuitBreaker.State, _ users: [UInt32]) {
    guard !isOver.withLock({ $0 }) else { return }
    tell(isClosed: state.isClosed, users)
  }

  /// Stops reporting changes. If the breaker was open, reports a last time that the upstream is asked again.
  func end(wasOpen: Bool) {
    isOver.withLock { $0 = true }
    if wasOpen { tell(isClosed: true) }
  }

  /// - Parameter users: If not empty, the breaker is open for these users' requests only.
  private func tell(isClosed: Bool, _ users: [UInt32] = []) {
    let message: LogMessage = isClosed ? .upstreamResumed : .upstreamPaused
    let text = users.first.map { "\(message.text), for user \($0) only; requests of other users are still sent" }
    context.logger.write(message, text, users.first.map { ["uid": "\($0)"] } ?? [:])
    context.feed.publish(
      Event(isClosed ? .breakerClosed : .breakerOpened, at: context.time.now(), message: text ?? message.text))
    if isClosed { context.isBack() }
  }
}

/// Logs and publishes the results of registrations that wait for the upstream.
struct OutboxReport: Sendable {
  let logger: Logger
  let feed: EventFeed
  let time: any TimeSource

  func note(_ report: Outbox.Report) {
    switch report {
    case .delivered(let account, let attempts):
      let message =
        "The upstream has accepted the registration, at the \(ordinal(attempts)) attempt since regd started."
      tell(.delivered, account, message, .delivered, ["attempts": "\(attempts)"])
    case .refused(let account):
      let message = "The upstream has another account with this address, so the registration was deleted."
      tell(.refused, account, message, .deliveryRefused, [:])
    case .delayed(let account, let attempts, let failure, let next):
      let seconds = max(1, next.components.seconds)
      tell(
        .delayed, account,
        "\(failure): the \(ordinal(attempts)) attempt since regd started; the next is in about \(seconds) s.",
        .deliveryDelayed, ["failure": "\(failure)", "attempts": "\(attempts)", "seconds": "\(seconds)"])
    }
  }

  private func tell(
    _ name: EventName, _ account: Account, _ message: String, _ line: LogMessage, _ details: [String: String]
  ) {
    logger.write(line, nil, details.merging(["account": "\(account.id)"]) { mine, _ in mine })
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
