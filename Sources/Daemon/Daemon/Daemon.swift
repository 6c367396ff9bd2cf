internal import AddressNormalization
internal import JSONRPC
internal import Logging
internal import Methods
internal import OpenMetrics
internal import PasswordHashing
internal import Registration
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals
internal import UnixSocket
internal import WorkerThreads

/// The one place that sees everything: settings to parts, parts to a service group.
package struct Daemon: Sendable {
  private let settings: Settings
  private let log: DaemonLog
  private var logger: Logger { log.logger }

  package init(_ settings: Settings) throws(StartupFailure) {
    self.settings = settings
    do {
      log = try DaemonLog(level: Logger.Level(rawValue: settings.log.level) ?? .info)
    } catch {
      throw StartupFailure(.operatingSystem, "the log's thread: \(SystemError.text(error.errorNumber))")
    }
  }

  /// Runs until SIGTERM or SIGINT, then finishes what is in flight.
  ///
  /// - Throws: `StartupFailure` where it could not start.
  package func run() async throws {
    defer { log.end() }
    let hasher = try makeHasher()
    let feed = EventFeed()
    let damage = DamageReport(logger: logger, feed: feed, time: SystemTime())
    let open: StoreBackends.Open
    do throws(StoreFailure) {
      open = try StoreBackends.open(settings.store, damaged: damage.note) { feed.publish(Event($0)) }
    } catch {
      throw StartupFailure(error, settings.store)
    }
    EarlyStop.listen()
    let socket = try listen()
    defer { socket.release() }
    for name in settings.access.unknown {
      logger.warning(
        "access.admin names the \(name), which this machine does not have; nobody is an administrator by it")
    }
    if let missing = DescriptorBudget.missing(for: settings.limits.limits.connections) {
      logger.warning(
        "limits.connections is \(settings.limits.limits.connections), and \(missing) descriptors are missing for that; see LimitNOFILE= or ulimit -Hn"
      )
    }
    try DescriptorBudget.require(Server.descriptors)
    let accounts = PeerAccounts(settings.limits.limits)
    let parts = try parts(hasher, open, accounts, feed, damage)
    let server = Server(
      socket, dispatcher: parts.dispatcher, limits: settings.limits.limits,
      access: settings.access.rules, accounts: accounts, report: ServerEventLog(logger).note)
    let service = SocketService(
      server: server, grace: .seconds(settings.shutdown.graceSeconds), readyStatus: readyStatus(socket.path),
      log: log,
      meanwhile: {
        await withTaskGroup { group in
          group.addTask { await deliver(parts) }
          group.addTask { await parts.watch.run() }
        }
      })
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: service)], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
    try await group.run()
    parts.stop()
    hasher.stop()
    await open.close()
    logger.info("Stopped")
  }

  /// Delivers what waits for the upstream; where there is none, says that something waits.
  private func deliver(_ parts: Parts) async {
    if parts.hasUpstream { return await parts.outbox.run() }
    do throws(StoreFailure) { try await parts.outbox.look() } catch { return }
    guard parts.outbox.waiting > 0 else { return }
    logger.warning(
      "\(parts.outbox.waiting) registrations wait for an upstream, and network.backend is none: they stay pending (regctl outbox)"
    )
  }

  private func readyStatus(_ path: String) -> String {
    "Serving \(path); store \(settings.store.backend), network \(settings.network.backend)"
  }

  private func makeHasher() throws(StartupFailure) -> SodiumHasher {
    let hashing = settings.hashing
    do {
      return try SodiumHasher(
        .init(memoryKiB: hashing.memoryKiB, passes: hashing.passes, workers: hashing.workerCount, queue: hashing.queue))
    } catch {
      switch error {
      case .libraryFailed: throw StartupFailure(.operatingSystem, "there is no memory to hash passwords with")
      case .threadsFailed(let number):
        throw StartupFailure(.operatingSystem, "hashing threads: \(SystemError.text(number))")
      }
    }
  }

  /// The socket that was passed in, or one of our own.
  private func listen() throws(StartupFailure) -> ListeningSocket {
    let passed: [Int32]
    do { passed = try ServiceManager().takeListeningSockets() } catch {
      throw StartupFailure(
        .operatingSystem,
        "the socket that was passed in is no listening Unix stream socket: \(SystemError.text(error.errorNumber))")
    }
    guard passed.count <= 1 else {
      throw StartupFailure(.configuration, "\(passed.count) sockets were passed in; regd takes one")
    }
    if let descriptor = passed.first { return ListeningSocket(adopting: descriptor) }
    do {
      return try ListeningSocket(
        path: settings.socket.path, mode: settings.socket.mode, group: settings.socket.group)
    } catch {
      throw StartupFailure(error, settings.socket.path)
    }
  }

  private func parts(
    _ hasher: SodiumHasher, _ open: StoreBackends.Open, _ accounts: PeerAccounts, _ feed: EventFeed,
    _ damage: DamageReport
  ) throws(StartupFailure) -> Parts {
    let normalizer = UnicodeNormalizer()
    let time = SystemTime()
    let health = Health(feed: feed, time: time)
    let breached = try BreachedListPart(settings.password, logger)
    let rules = settings.rules(normalizer, breached: breached?.list)
    let store = ReportingStore(store: open.store, logger: logger, health: health)
    let hashing = ReportingHasher(hasher: hasher, logger: logger)
    let leftPending = LeftPending()
    let upstream = try Upstream(
      settings.network, logger: logger, health: health, feed: feed, time: time, isBack: leftPending.upstreamIsBack)
    let info = serverInfo()
    let registry = OpenMetricsRegistry()
    let signIns = settings.signIn.throttle ? SignInGuard() : nil
    let workers = settings.hashing.workerCount
    let queue = settings.hashing.queue
    let registrar = Registrar(
      rules: rules, store: store, hasher: hashing, network: upstream.network, time: time, signIns: signIns,
      signInAuthority: settings.signIn.authority,
      defersWhenUnreachable: settings.network.whenUnreachable == .defer, leftPending: leftPending,
      reservations: Reservations(disbelief: settings.network.disbelief))
    let outbox = Outbox(
      registrar, breaker: upstream.breaker, pendings: leftPending, settings: settings.network.outbox,
      observer: OutboxReport(logger: logger, feed: feed, time: time).note)
    DaemonMetrics.observe(
      registry, hasher: hasher, accounts: accounts, health: health, feed: feed, outbox: outbox, upstream: upstream,
      log: log, damage: damage, uptimeSeconds: info.uptimeSeconds)
    let table = RegdMethods.table(
      MethodParts(
        registrar: registrar,
        administrator: Administrator(
          rules: rules, store: store, hasher: hashing, time: time, forgive: { signIns?.forget(account: $0) },
          registrar: registrar, pendings: leftPending),
        outbox: outbox, normalizer: normalizer, info: info, accounts: accounts, feed: feed,
        status: StatusSources(
          health: health, upstream: { .init(breaker: upstream.breaker?.state, waiting: outbox.waiting) },
          hashing: { .init(pending: hasher.pendingCount, workers: workers, queue: queue) },
          breachedList: breached?.status, storePath: open.path,
          log: { [log] in .init(waiting: log.counts.waiting, dropped: log.counts.dropped, heldBack: log.counts.heldBack)
          }, damage: damage.damage),
        metrics: { registry.text() }))
    let dispatcher = Dispatcher(
      table: table, limits: settings.limits.limits, version: Version.current,
      observer: RequestMetrics(registry, methods: table))
    return Parts(
      dispatcher: dispatcher, outbox: outbox, hasUpstream: upstream.network != nil,
      watch: StoreWatch(store: open.store, logger: logger, health: health), stop: upstream.stop)
  }

  /// What runs.
  private struct Parts {
    let dispatcher: Dispatcher
    let outbox: Outbox
    let hasUpstream: Bool
    let watch: StoreWatch
    let stop: @Sendable () -> Void
  }

  private func serverInfo() -> ServerInfo {
    let start = ContinuousClock.now
    return ServerInfo(
      version: Version.current, limits: settings.limits.limits, network: settings.network.backend,
      store: settings.store.backend,
      environment: settings.environment.map { .init(name: $0.name, summary: $0.summary, gives: $0.gives) },
      uptimeSeconds: { Int((ContinuousClock.now - start).components.seconds) })
  }
}

extension Settings {
  func rules(_ normalizer: any TextNormalizer, breached: (any BreachedPasswordList)? = nil) -> RegistrationRules {
    RegistrationRules(
      email: EmailRules(
        maximumLength: email.maximumLength, internationalized: email.internationalized,
        blockedDomains: email.blockedDomains, normalizer: normalizer),
      password: PasswordPolicy(
        minimumLength: password.minimumLength, maximumLength: password.maximumLength,
        refuseCommon: password.refuseCommon, refuseResemblingEmail: password.refuseResemblingEmail,
        breached: breached, normalizer: normalizer))
  }
}
