internal import AddressNormalization
internal import Doors
internal import JSONRPC
internal import Linux
internal import Localization
internal import Logging
internal import Methods
internal import OpenMetrics
internal import PasswordHashing
internal import Registration
internal import UnixSocket
internal import WorkerThreads

/// The parts that answer requests, and those that run in the background.
struct DaemonComponents: Sendable {
  let dispatcher: Dispatcher
  private let administrator: Administrator
  private let normalizer: any TextNormalizer
  private let logger: Logger
  private let doorMetrics: DoorMetrics
  let outbox: Outbox
  let mails: MailQueue
  let watch: StoreWatch
  let sweep: StoreSweep
  let counts: StoreCounts
  let inForce: ConfigurationInForce
  private let signIns: SignInGuard
  private let clients: KnownClientFile?
  let context: Upstream.Context
  let mailContext: MailSystem.Context
  let reloads = ReloadRequests()

  init(_ configuration: Configuration, _ resources: DaemonResources, _ held: HeldSockets) throws(StartupFailure) {
    let (logger, feed, time, reloads) = (resources.logger, resources.feed, resources.time, reloads)
    let (health, background) = Self.health(resources)
    let pendings = OutboxInbox()
    context = Upstream.Context(
      logger: logger, health: health, feed: feed, time: time, networks: OpenNetworks(isAnyIdle: reloads.wake),
      isBack: pendings.wake)
    let asks = MailAsks { mail in await feed.deliver(Event(.mailWanted, at: time.now(), mail: MailNews(wanted: mail))) }
    mailContext = MailSystem.Context(logger: logger, networks: context.networks, asks: asks)
    let prepared = try PreparedConfiguration(configuration, resources, context, mailContext)
    watch = StoreWatch(store: resources.store, health: health, setbacks: SetbackReport(resources))
    let registry = OpenMetricsRegistry()
    let doorMetrics = DoorMetrics(registry, resources.listeners)
    self.doorMetrics = doorMetrics
    let mailReport = MailReport(
      logger: logger, feed: feed, health: health, time: time, metrics: MailMetrics(registry))
    let languages = ReloadableLanguages(configuration.languages)
    let counts = StoreCounts(background)
    self.counts = counts
    clients = try Self.clients(configuration.settings.store, resources)
    let domain = Domain(
      prepared, resources, health, background, pendings, languages, mailReport, clients, changed: counts.noteChange)
    (outbox, mails, signIns) = (domain.outbox, domain.mails, domain.signIns)
    (administrator, normalizer, self.logger) = (domain.administrator, resources.normalizer, logger)
    let info = Reloadable(Self.info(configuration.settings))
    let inForce = ConfigurationInForce(
      prepared, registrar: domain.registrar, info: info, outbox: outbox, mails: mails, signIns: domain.signIns,
      languages, health, resources)
    self.inForce = inForce
    sweep = StoreSweep(
      store: Accounts(resources.store), time: time, addresses: { inForce.settings.audit.addresses },
      background: background)
    DaemonMetrics.observe(
      registry, hasher: resources.hasher, quotas: resources.quotas, health: health, background: background, feed: feed,
      outbox: outbox, mails: mails, counts: counts, time: time,
      breaker: { inForce.state.with { $0.prepared.upstream.breaker } }, log: resources.log, damage: resources.damage,
      uptimeSeconds: info.value.uptimeSeconds)
    let table = RegdMethods.table(
      MethodParts(
        registrar: domain.registrar, administrator: domain.administrator,
        auditor: domain.administrator.auditor { inForce.settings.audit.key }, outbox: outbox, mails: mails, asks: asks,
        normalizer: resources.normalizer, info: info, quotas: resources.quotas, feed: feed,
        status: Self.status(resources, health, background, inForce, outbox, mails, counts, doorMetrics, held),
        metrics: { registry.text() }, reload: reloads.ask, holds: StoreHolds(resources.store),
        acceptStore: watch.setbacks.accept, refused: RefusalLog(logger: logger).note))
    dispatcher = Dispatcher(
      table: table, limits: configuration.settings.limits.limits, version: Version.current, languages: languages,
      observer: RequestLog(logger, methods: table, before: RequestMetrics(registry, methods: table)))
  }

  /// What `rpc.serverInfo` returns. The uptime counts from this call.
  private static func info(_ settings: Settings) -> ServerInfo {
    let start = ContinuousClock.now
    return ServerInfo(settings, uptimeSeconds: { Int((ContinuousClock.now - start).components.seconds) })
  }

  /// The file of known clients of the store at the start of regd, or nil if none are kept over a restart.
  private static func clients(
    _ store: StoreSettings, _ resources: DaemonResources
  ) throws(StartupFailure) -> KnownClientFile? {
    guard let place = resources.clients else { return nil }
    do throws(WorkerThreads.StartFailure) {
      return try KnownClientFile(place, of: store, time: resources.time, logger: resources.logger)
    } catch {
      throw StartupFailure(
        .operatingSystem, "the thread for known clients: \(SystemError.text(error.errorNumber))")
    }
  }

  /// Makes the records of which parts work and which fail, whose changes are logged.
  private static func health(_ resources: DaemonResources) -> (Health, BackgroundHealth) {
    let outages = OutageReport(logger: resources.logger)
    let health = Health(feed: resources.feed, time: resources.time) { [service = resources.service] in
      outages.note($0)
      service.note($0)
    }
    return (health, BackgroundHealth(health, time: resources.time, observer: outages.noteTask))
  }

  /// Keeps the known clients of accounts in their file, if there is one, until the task is cancelled.
  func keepClients() async { await clients?.run(signIns) { [inForce] in inForce.settings.store } }

  /// Writes the known clients of accounts to their file now, if they or the file's path have changed.
  func writeClients() async { await clients?.write(signIns, of: inForce.settings.store) }

  /// Returns the parts of regd that a door may use.
  @Sendable func context(of entry: DoorSettings.Entry) -> DoorContext {
    DoorContext(
      door: entry.name, terms: entry.terms, counts: doorMetrics[entry.name], registrar: inForce.registrar,
      administrator: administrator, normalizer: normalizer, refused: RefusalLog(logger: logger).note,
      methods: JSONRPCMethods(dispatcher))
  }

  private static func status(
    _ resources: DaemonResources, _ health: Health, _ background: BackgroundHealth, _ inForce: ConfigurationInForce,
    _ outbox: Outbox, _ mails: MailQueue, _ counts: StoreCounts, _ doorMetrics: DoorMetrics, _ held: HeldSockets
  ) -> StatusSources {
    let (hashing, hasher, log) = (resources.hashing, resources.hasher, resources.log)
    let doors: @Sendable () -> [StatusSources.Door] = { [listeners = resources.listeners] in
      listeners.points.dropFirst().map { point in
        StatusSources.Door(
          name: point.name, wire: point.wire, address: point.address, connections: point.connections,
          verdicts: { doorMetrics[point.name][$0] })
      }
    }
    return StatusSources(
      health: health,
      delivery: {
        .init(breaker: inForce.state.value.prepared.upstream.breaker?.state, waiting: outbox.waiting)
      },
      mails: { .init(backend: inForce.settings.mail.backend, waiting: mails.waiting, counts: mails.counts) },
      admission: {
        let (count, registration) = (counts.admission, inForce.settings.registration)
        let isOf = registration.mode == .invited || registration.approval != .none
        return isOf || count.waiting > 0 || count.invitations > 0 ? count : nil
      },
      audit: { counts.audit },
      hashing: { .init(pending: hasher.pendingCount, workers: hashing.workerCount, queue: hashing.queue) },
      breachedList: { inForce.state.value.prepared.breached?.status },
      storePath: { inForce.settings.store.chosen.path }, isCopied: { [store = resources.store] in store.isCopied },
      setback: { [store = resources.store] in store.continuity?.setback },
      configuration: { inForce.status },
      log: { .init(waiting: log.counts.waiting, dropped: log.counts.dropped, heldBack: log.counts.heldBack) },
      damage: resources.damage.damage,
      doors: doors, heldSockets: { held.withoutDoor(in: inForce.settings.doors) },
      failingTasks: { background.failing })
  }
}

/// The parts that register, sign in, deliver and administer, over the store, the hasher and the network.
private struct Domain {
  let registrar: Reloadable<Registrar>
  let administrator: Administrator
  let outbox: Outbox
  let mails: MailQueue
  /// Counts wrong passwords. Kept even while throttling is off.
  let signIns: SignInGuard

  init(
    _ prepared: PreparedConfiguration, _ resources: DaemonResources, _ health: Health, _ background: BackgroundHealth,
    _ pendings: OutboxInbox, _ languages: ReloadableLanguages, _ mailReport: MailReport, _ clients: KnownClientFile?,
    changed: @escaping @Sendable () -> Void
  ) {
    let signIns = SignInGuard(
      shared: resources.store.sharedThrottle, keeping: clients?.read(of: prepared.settings.store))
    self.signIns = signIns
    let (logger, terms) = (resources.logger, prepared.terms(signIns))
    let report = StoreReport(logger: logger, health: health, changed: changed)
    let store = Accounts(resources.store, hooks: [report])
    let hasher = ReportingHasher(hasher: resources.hasher, logger: logger)
    let codes = ClaimCodes(resources.codes) { [store = resources.store] in store.codeKey }
    let mails = MailQueue(
      store, codes, time: resources.time, prepared.mailTerms, languages: languages, lines: UnicodeLineBreaker(),
      observer: mailReport.note, readings: { background.note(.mail, $0) })
    self.mails = mails
    let ringing = store.with(MailQueueWaker { mails.wake() })
    let first = Registrar(
      rules: terms.rules, store: ringing, hasher: hasher, network: terms.network, time: resources.time,
      signIns: terms.signIns, signInAuthority: terms.signInAuthority,
      defersWhenUnreachable: terms.defersWhenUnreachable, leftPending: pendings,
      reservations: Reservations(disbelief: terms.disbelief), verification: terms.verification,
      admission: terms.admission,
      codes: codes, stamps: SessionStamps(resources.codes) { [store = resources.store] in store.stampKey },
      faults: { [logger] in logger.write(.fault, nil, ["problem": $0.detail]) })
    registrar = Reloadable(first)
    administrator = Administrator(
      store: ringing, hasher: hasher, hashes: PasswordHashFormat(keys: resources.hashing.foreignKeys),
      time: resources.time,
      forgive: { await signIns.forget(account: $0) }, registrar: registrar, pendings: pendings)
    outbox = Outbox(
      first, breaker: prepared.upstream.breaker, pendings: pendings, settings: prepared.delivering,
      observer: OutboxReport(logger: logger, feed: resources.feed, time: resources.time).note,
      readings: { background.note(.outbox, $0) })
  }
}
