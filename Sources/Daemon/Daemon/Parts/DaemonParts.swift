internal import AddressNormalization
internal import Doors
internal import JSONRPC
internal import Linux
internal import Logging
internal import Methods
internal import OpenMetrics
internal import PasswordHashing
internal import Registration
internal import Sentences
internal import UnixSocket
internal import WorkerThreads

/// The parts that answer requests, and those that run in the background.
struct DaemonParts: Sendable {
  let dispatcher: Dispatcher
  private let administrator: Administrator
  private let normalizer: any TextNormalizer
  private let logger: Logger
  private let ledger: DoorLedger
  let outbox: Outbox
  let mails: MailQueue
  let watch: StoreWatch
  let sweep: StoreSweep
  let admission: AdmissionCount
  let inForce: ConfigurationInForce
  private let signIns: SignInGuard
  private let clients: KnownClientFile?
  let surroundings: Upstream.Surroundings
  let mailSurroundings: MailSystem.Surroundings
  let reloads = ReloadRequests()

  init(_ configuration: Configuration, _ ground: Groundwork, _ held: HeldSockets) throws(StartupFailure) {
    let (logger, feed, time, reloads) = (ground.logger, ground.feed, ground.time, reloads)
    let (health, background) = Self.health(ground)
    let pendings = LeftPending()
    surroundings = Upstream.Surroundings(
      logger: logger, health: health, feed: feed, time: time, networks: OpenNetworks(isAnyIdle: reloads.wake),
      isBack: pendings.wake)
    let asks = MailAsks { mail in await feed.deliver(Event(.mailWanted, at: time.now(), mail: MailNews(wanted: mail))) }
    mailSurroundings = MailSystem.Surroundings(
      logger: logger, networks: surroundings.networks, asks: asks)
    let prepared = try PreparedConfiguration(configuration, ground, surroundings, mailSurroundings)
    watch = StoreWatch(store: ground.store, health: health, setbacks: SetbackReport(ground))
    let registry = OpenMetricsRegistry()
    let ledger = DoorLedger(registry, ground.listeners)
    self.ledger = ledger
    let mailReport = MailReport(
      logger: logger, feed: feed, health: health, time: time, metrics: MailMetrics(registry))
    let languages = LiveLanguages(configuration.languages)
    let admission = AdmissionCount(background)
    self.admission = admission
    clients = try Self.clients(configuration.settings.store, ground)
    let domain = Domain(
      prepared, ground, health, background, pendings, languages, mailReport, clients, changed: admission.noteChange)
    (outbox, mails, signIns) = (domain.outbox, domain.mails, domain.signIns)
    (administrator, normalizer, self.logger) = (domain.administrator, ground.normalizer, logger)
    let start = ContinuousClock.now
    let info = Live(
      ServerInfo(
        configuration.settings, uptimeSeconds: { Int((ContinuousClock.now - start).components.seconds) }))
    let inForce = ConfigurationInForce(
      prepared, registrar: domain.registrar, info: info, outbox: outbox, mails: mails, signIns: domain.signIns,
      languages, health, ground)
    self.inForce = inForce
    sweep = StoreSweep(
      store: Accounts(ground.store), time: time, addresses: { inForce.settings.audit.addresses }, background: background
    )
    DaemonMetrics.observe(
      registry, hasher: ground.hasher, usages: ground.usages, health: health, background: background, feed: feed,
      outbox: outbox, mails: mails, admission: admission,
      breaker: { inForce.state.with { $0.prepared.upstream.breaker } }, log: ground.log, damage: ground.damage,
      uptimeSeconds: info.value.uptimeSeconds)
    let table = RegdMethods.table(
      MethodParts(
        registrar: domain.registrar, administrator: domain.administrator, outbox: outbox, mails: mails, asks: asks,
        normalizer: ground.normalizer, info: info, usages: ground.usages, feed: feed,
        status: Self.status(ground, health, background, inForce, outbox, mails, admission, ledger, held),
        metrics: { registry.text() },
        reload: reloads.ask,
        holds: StoreHolds(ground.store), acceptStore: watch.setbacks.accept, refused: RefusalLog(logger: logger).note))
    dispatcher = Dispatcher(
      table: table, limits: configuration.settings.limits.limits, version: Version.current,
      languages: languages,
      observer: RequestLog(logger, methods: table, before: RequestMetrics(registry, methods: table)))
  }

  /// The file of known clients of the store at the start of regd, or nil if none are kept over a restart.
  private static func clients(
    _ store: StoreSettings, _ ground: Groundwork
  ) throws(StartupFailure) -> KnownClientFile? {
    guard let place = ground.clients else { return nil }
    do throws(WorkerThreads.StartFailure) {
      return try KnownClientFile(place, of: store, time: ground.time, logger: ground.logger)
    } catch {
      throw StartupFailure(
        .operatingSystem, "the thread for known clients: \(SystemError.text(error.errorNumber))")
    }
  }

  /// Makes the records of which parts work and which fail, whose changes are logged.
  private static func health(_ ground: Groundwork) -> (Health, BackgroundHealth) {
    let outages = OutageReport(logger: ground.logger)
    let health = Health(feed: ground.feed, time: ground.time) { [service = ground.service] in
      outages.note($0)
      service.note($0)
    }
    return (health, BackgroundHealth(health, time: ground.time, observer: outages.noteTask))
  }

  /// Keeps the known clients of accounts in their file, if there is one, until the task is cancelled.
  func keepClients() async { await clients?.run(signIns) { [inForce] in inForce.settings.store } }

  /// Writes the known clients of accounts to their file now, if they or the file's path have changed.
  func writeClients() async { await clients?.write(signIns, of: inForce.settings.store) }

  /// Returns the parts of regd that a door may use.
  @Sendable func surroundings(of entry: DoorSettings.Entry) -> DoorSurroundings {
    DoorSurroundings(
      door: entry.name, terms: entry.terms, counts: ledger[entry.name], registrar: inForce.registrar,
      administrator: administrator, normalizer: normalizer, refused: RefusalLog(logger: logger).note,
      methods: JSONRPCMethods(dispatcher))
  }

  private static func status(
    _ ground: Groundwork, _ health: Health, _ background: BackgroundHealth, _ inForce: ConfigurationInForce,
    _ outbox: Outbox, _ mails: MailQueue, _ admission: AdmissionCount, _ ledger: DoorLedger, _ held: HeldSockets
  ) -> StatusSources {
    let (hashing, hasher, log) = (ground.hashing, ground.hasher, ground.log)
    let doors: @Sendable () -> [StatusSources.Door] = { [listeners = ground.listeners] in
      listeners.points.dropFirst().map { point in
        StatusSources.Door(
          name: point.name, wire: point.wire, address: point.address, connections: point.connections,
          verdicts: { ledger[point.name][$0] })
      }
    }
    return StatusSources(
      health: health,
      delivery: {
        .init(breaker: inForce.state.value.prepared.upstream.breaker?.state, waiting: outbox.waiting)
      },
      mails: { .init(backend: inForce.settings.mail.backend, waiting: mails.waiting, counts: mails.counts) },
      admission: {
        let (count, registration) = (admission.latest, inForce.settings.registration)
        let isOf = registration.mode == .invited || registration.approval != .none
        return isOf || count.waiting > 0 || count.invitations > 0 ? count : nil
      },
      hashing: { .init(pending: hasher.pendingCount, workers: hashing.workerCount, queue: hashing.queue) },
      breachedList: { inForce.state.value.prepared.breached?.status },
      storePath: { inForce.settings.store.chosen.path }, isCopied: { [store = ground.store] in store.isCopied },
      setback: { [store = ground.store] in store.continuity?.setback },
      configuration: { inForce.status },
      log: { .init(waiting: log.counts.waiting, dropped: log.counts.dropped, heldBack: log.counts.heldBack) },
      damage: ground.damage.damage,
      doors: doors, heldSockets: { held.withoutDoor(in: inForce.settings.doors) },
      failingTasks: { background.failing })
  }
}

/// The parts that register, sign in, deliver and administer, over the store, the hasher and the network.
private struct Domain {
  let registrar: Live<Registrar>
  let administrator: Administrator
  let outbox: Outbox
  let mails: MailQueue
  /// Counts wrong passwords. Kept even while throttling is off.
  let signIns: SignInGuard

  init(
    _ prepared: PreparedConfiguration, _ ground: Groundwork, _ health: Health, _ background: BackgroundHealth,
    _ pendings: LeftPending, _ languages: LiveLanguages, _ mailReport: MailReport, _ clients: KnownClientFile?,
    changed: @escaping @Sendable () -> Void
  ) {
    let signIns = SignInGuard(
      shared: ground.store.sharedThrottle, keeping: clients?.read(of: prepared.settings.store))
    self.signIns = signIns
    let (logger, terms) = (ground.logger, prepared.terms(signIns))
    let report = StoreReport(logger: logger, health: health, changed: changed)
    let store = Accounts(ground.store, hooks: [report])
    let hasher = ReportingHasher(hasher: ground.hasher, logger: logger)
    let codes = ClaimCodes(ground.codes) { [store = ground.store] in store.codeKey }
    let mails = MailQueue(
      store, codes, time: ground.time, prepared.mailTerms, languages: languages, lines: UnicodeLineBreaker(),
      observer: mailReport.note, readings: { background.note(.mail, $0) })
    self.mails = mails
    let ringing = store.with(MailQueueWaker { mails.wake() })
    let first = Registrar(
      rules: terms.rules, store: ringing, hasher: hasher, network: terms.network, time: ground.time,
      signIns: terms.signIns, signInAuthority: terms.signInAuthority,
      defersWhenUnreachable: terms.defersWhenUnreachable, leftPending: pendings,
      reservations: Reservations(disbelief: terms.disbelief), verification: terms.verification,
      admission: terms.admission,
      codes: codes, stamps: SessionStamps(ground.codes) { [store = ground.store] in store.stampKey },
      faults: { [logger] in logger.write(.fault, nil, ["problem": $0.detail]) })
    registrar = Live(first)
    administrator = Administrator(
      store: ringing, hasher: hasher, hashes: PasswordHashFormat(keys: ground.hashing.foreignKeys), time: ground.time,
      forgive: { await signIns.forget(account: $0) }, registrar: registrar, pendings: pendings)
    outbox = Outbox(
      first, breaker: prepared.upstream.breaker, pendings: pendings, settings: prepared.delivering,
      observer: OutboxReport(logger: logger, feed: ground.feed, time: ground.time).note,
      readings: { background.note(.outbox, $0) })
  }
}
