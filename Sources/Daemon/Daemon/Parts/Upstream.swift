internal import Linux
internal import Logging
internal import Methods
internal import Registration
internal import Synchronization

/// The upstream as the rest of regd sees it: failures are logged and noted in the health, and behind a circuit breaker it is
/// not asked while it is known to be down.
struct Upstream: Sendable {
  /// What all upstreams of a process share.
  struct Surroundings: Sendable {
    let logger: Logger
    let health: Health
    let feed: EventFeed
    let time: any TimeSource
    let networks: OpenNetworks
    /// Called when an upstream that was down works again.
    let isBack: @Sendable () -> Void
  }

  /// Nil if this daemon is the authority.
  let network: (any NetworkService)?
  /// The circuit breaker in `network`; nil if it has none.
  let breaker: BreakingNetwork?
  /// What is asked behind the breaker.
  private let asked: Asked?
  private let breakerSettings: CircuitBreaker.Settings?

  /// A network that was opened, and what it was opened by.
  private final class Asked: Sendable {
    let backend: any NetworkBackend
    /// Of the files that its keys name: who replaces a certificate wants it read.
    let files: [FileStatus?]
    let network: any NetworkService
    let reports: UpstreamReports

    init(_ backend: any NetworkBackend, _ surroundings: Surroundings) throws(StartupFailure) {
      self.backend = backend
      files = Self.files(of: backend)
      let (logger, reports) = (surroundings.logger, UpstreamReports(surroundings))
      self.reports = reports
      do throws(NetworkOpeningFailure) {
        let open = try backend.open(
          NetworkSurroundings(
            time: surroundings.time, userAgent: "regd/\(Version.current)", log: { Self.log($0, $1, $2, to: logger) }))
        network = ReportingNetwork(
          network: surroundings.networks.lend(open), logger: open.logsFailures ? nil : logger, note: reports.note)
      } catch {
        throw StartupFailure(error)
      }
    }

    /// Whether the backend would open the same.
    func isStill(_ backend: any NetworkBackend) -> Bool {
      areEqual([self.backend], [backend]) && files == Self.files(of: backend)
    }

    private static func files(of backend: any NetworkBackend) -> [FileStatus?] {
      backend.files.map { try? FileStatus($0.path) }
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
  }

  /// Opens the network that the settings choose. Nothing of what runs is changed until `takeOver`.
  ///
  /// - Parameter running: The upstream until now: where the settings choose the same network, it stays, with its connections and
  ///   what its breaker knows.
  init(
    _ settings: NetworkSettings, after running: Upstream? = nil, _ surroundings: Surroundings
  ) throws(StartupFailure) {
    breakerSettings = settings.breaker
    guard let chosen = settings.chosen else {
      (network, breaker, asked) = (nil, nil, nil)
      return
    }
    let kept = running?.asked.flatMap { $0.isStill(chosen) ? $0 : nil }
    let asked: Asked
    if let kept { asked = kept } else { asked = try Asked(chosen, surroundings) }
    self.asked = asked
    guard let breaking = settings.breaker else {
      (network, breaker) = (asked.network, nil)
      return
    }
    let breaker =
      kept == nil ? nil : running?.breaker
    self.breaker = breaker ?? BreakingNetwork(asked.network, breaking, observer: asked.reports.note)
    network = self.breaker
  }

  /// Takes the place of another: what that one's operations show from now on says nothing of this one.
  func takeOver(from old: Upstream) {
    if let breaker, let breakerSettings, breaker === old.breaker { breaker.adopt(breakerSettings) }
    if old.asked !== asked { old.asked?.reports.end() }
  }
}

/// Tells how an upstream is, until another takes its place.
private final class UpstreamReports: Sendable {
  private let surroundings: Upstream.Surroundings
  private let isOver = Mutex(false)

  init(_ surroundings: Upstream.Surroundings) { self.surroundings = surroundings }

  /// - Parameter failure: What was wrong; nil if it works.
  @Sendable func note(_ failure: String?) {
    isOver.withLock { if !$0 { surroundings.health.note(.network, .writing, failure) } }
  }

  /// An observer of the breaker.
  @Sendable func note(_ state: CircuitBreaker.State) {
    guard !isOver.withLock({ $0 }) else { return }
    let message =
      state.isClosed
      ? "The upstream answers again and is asked"
      : "The upstream is down; it is not asked but for a try from time to time"
    surroundings.logger.notice("\(message)")
    surroundings.feed.publish(
      Event(state.isClosed ? .breakerClosed : .breakerOpened, at: surroundings.time.now(), message: message))
    if state.isClosed { surroundings.isBack() }
  }

  /// Nothing is told from here on. Of the next one nothing is known but that it has not failed.
  func end() {
    isOver.withLock { isOver in
      isOver = true
      surroundings.health.note(.network, .writing, nil)
    }
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
