internal import AddressNormalization
internal import JSONRPC
internal import Logging
internal import Methods
internal import OpenMetrics
internal import PasswordHashing
internal import Registration

/// What is there before the parts that answer requests.
struct Groundwork: Sendable {
  let settings: Settings
  let log: DaemonLog
  let hasher: SodiumHasher
  let store: any AccountStore
  let usages: PeerUsages
  let feed: EventFeed
  let damage: DamageReport
  let time = SystemTime()
  let normalizer = UnicodeNormalizer()

  var logger: Logger { log.logger }
}

/// What answers requests, and what runs beside that.
struct DaemonParts: Sendable {
  let dispatcher: Dispatcher
  let outbox: Outbox
  let upstream: Upstream
  let watch: StoreWatch

  init(_ ground: Groundwork) throws(StartupFailure) {
    let (settings, logger, feed, time) = (ground.settings, ground.logger, ground.feed, ground.time)
    let health = Health(feed: feed, time: time)
    let breached = try BreachedListPart(settings.password, logger)
    let pendings = LeftPending()
    upstream = try Upstream(
      settings.network, logger: logger, health: health, feed: feed, time: time, isBack: pendings.wake)
    watch = StoreWatch(store: ground.store, logger: logger, health: health)
    let domain = Domain(ground, health, breached?.list, upstream, pendings)
    outbox = domain.outbox
    let info = Self.serverInfo(settings)
    let registry = OpenMetricsRegistry()
    DaemonMetrics.observe(
      registry, hasher: ground.hasher, usages: ground.usages, health: health, feed: feed, outbox: outbox,
      upstream: upstream, log: ground.log, damage: ground.damage, uptimeSeconds: info.uptimeSeconds)
    let table = RegdMethods.table(
      MethodParts(
        registrar: domain.registrar, administrator: domain.administrator, outbox: outbox,
        normalizer: ground.normalizer, info: info, usages: ground.usages, feed: feed,
        status: Self.status(ground, health, breached?.status, upstream, outbox), metrics: { registry.text() }))
    dispatcher = Dispatcher(
      table: table, limits: settings.limits.limits, version: Version.current,
      observer: RequestMetrics(registry, methods: table))
  }

  private static func status(
    _ ground: Groundwork, _ health: Health, _ breachedList: StatusSources.BreachedList?, _ upstream: Upstream,
    _ outbox: Outbox
  ) -> StatusSources {
    let (settings, hasher, log) = (ground.settings, ground.hasher, ground.log)
    let (workers, queue) = (settings.hashing.workerCount, settings.hashing.queue)
    return StatusSources(
      health: health, delivery: { .init(breaker: upstream.breaker?.state, waiting: outbox.waiting) },
      hashing: { .init(pending: hasher.pendingCount, workers: workers, queue: queue) },
      breachedList: breachedList, storePath: settings.store.chosen.path,
      log: { .init(waiting: log.counts.waiting, dropped: log.counts.dropped, heldBack: log.counts.heldBack) },
      damage: ground.damage.damage)
  }

  private static func serverInfo(_ settings: Settings) -> ServerInfo {
    let start = ContinuousClock.now
    return ServerInfo(
      version: Version.current, limits: settings.limits.limits, network: settings.network.backend,
      store: settings.store.backend,
      environment: settings.environment.map { .init(name: $0.name, summary: $0.summary, gives: $0.gives) },
      uptimeSeconds: { Int((ContinuousClock.now - start).components.seconds) })
  }
}

/// What registering, signing in, delivering and administering are done by, over the store, the hasher and the network.
private struct Domain {
  let registrar: Registrar
  let administrator: Administrator
  let outbox: Outbox

  init(
    _ ground: Groundwork, _ health: Health, _ breachedList: (any BreachedPasswordList)?, _ upstream: Upstream,
    _ pendings: LeftPending
  ) {
    let (settings, logger) = (ground.settings, ground.logger)
    let rules = settings.rules(ground.normalizer, breached: breachedList)
    let store = ReportingStore(store: ground.store, logger: logger, health: health)
    let hasher = ReportingHasher(hasher: ground.hasher, logger: logger)
    let signIns = settings.signIn.throttle ? SignInGuard() : nil
    registrar = Registrar(
      rules: rules, store: store, hasher: hasher, network: upstream.network, time: ground.time, signIns: signIns,
      signInAuthority: settings.signIn.authority,
      defersWhenUnreachable: settings.network.whenUnreachable == .defer, leftPending: pendings,
      reservations: Reservations(disbelief: settings.network.disbelief),
      faults: { [logger] in logger.error("a fault of regd itself: \($0.detail)") })
    administrator = Administrator(
      rules: rules, store: store, hasher: hasher, hashes: PasswordHashFormat(), time: ground.time,
      forgive: { signIns?.forget(account: $0) },
      registrar: registrar, pendings: pendings)
    outbox = Outbox(
      registrar, breaker: upstream.breaker, pendings: pendings, settings: settings.network.outbox,
      observer: OutboxReport(logger: logger, feed: ground.feed, time: ground.time).note)
  }
}

extension Settings {
  fileprivate func rules(
    _ normalizer: any TextNormalizer, breached: (any BreachedPasswordList)?
  ) -> RegistrationRules {
    RegistrationRules(
      email: EmailRules(
        maximumLength: email.maximumLength, internationalized: email.internationalized,
        blockedDomains: email.blockedDomains, normalizer: normalizer),
      password: PasswordPolicy(password.rules(breached), normalizer: normalizer))
  }
}
