internal import Heartbeat
internal import JSONRPC
internal import Linux
internal import Logging
internal import Methods
internal import PasswordHashing
internal import Registration
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals
internal import UnixSocket
internal import WorkerThreads

/// The composition root: makes the parts from the settings, and a service group from the parts.
package struct Daemon: Sendable {
  private let configuration: Configuration
  private let source: ConfigurationSource
  private let log: DaemonLog
  private var settings: Settings { configuration.settings }
  private var logger: Logger { log.logger }

  /// - Parameter source: Reads the configuration again for each reload.
  package init(_ configuration: Configuration, from source: ConfigurationSource) throws(StartupFailure) {
    self.configuration = configuration
    self.source = source
    do {
      log = try DaemonLog(level: configuration.settings.log.chosen)
    } catch {
      throw StartupFailure(.operatingSystem, "the log's thread: \(SystemError.text(error.errorNumber))")
    }
  }

  /// Runs until SIGTERM or SIGINT, then finishes the requests in flight.
  ///
  /// - Throws: `StartupFailure` if regd could not start; an error of the server if it ended by itself.
  package func run() async throws {
    defer { log.end() }
    let service = try makeServiceStatus()
    defer { service.end() }
    let hasher = try makeHasher()
    let feed = EventFeed()
    let damage = DamageReport(logger: logger, feed: feed, time: SystemTime())
    let passed = try passedSocket()
    let leases = Live(settings.limits.lease)
    let path = passed?.path ?? settings.socket.path
    try OwnDirectories.make(configuration.ownDirectories, below: configuration.home ?? "")
    let claimant = Claimant(InstanceName.of(path), name: "\(HostName.own):\(path)", leases: leases)
    let store = SwitchedStore(try openStore(claimant, damage, feed, service))
    EarlyStop.listen()
    let socket = try passed ?? bind()
    defer { socket.release() }
    Warnings.log(settings, logger)
    if let passed { Warnings.logSocket(passed.path, settings, logger) }
    try DescriptorBudget.require(Server.descriptors(loops: settings.socket.loopCount))
    async let timers: Void = DescriptorBudget.openTimers()
    let ground = Groundwork(
      log: log, hashing: settings.hashing, hasher: hasher, store: store, claimant: claimant, leases: leases,
      usages: PeerUsages(settings.limits.limits), feed: feed, damage: damage, service: service)
    let parts = try DaemonParts(configuration, ground)
    await timers
    try await serve(socket, parts, ground, pulses: [hasher.pulse])
    parts.surroundings.networks.stopAll()
    hasher.stop()
    await store.close()
    logger.write(.stopped)
  }

  /// Answers requests on the socket until regd is asked to stop.
  private func serve(_ socket: ListeningSocket, _ parts: DaemonParts, _ ground: Groundwork, pulses: [Pulse])
    async throws
  {
    let server = Server(
      socket, loops: settings.socket.loopCount, dispatcher: parts.dispatcher, limits: settings.limits.limits,
      access: settings.access.rules, usages: ground.usages, report: ServerEventLog(logger).note)
    let reloader = try reloader(parts, ground)
    let path = socket.path
    let status: @Sendable (Settings) -> String = {
      "Serving \(path); store \($0.store.backend), network \($0.network.backend)"
    }
    let socketService = SocketService(
      server: server, grace: { .seconds(parts.inForce.settings.shutdown.graceSeconds) },
      readyStatus: status(settings), defers: settings.network.whenUnreachable == .defer,
      isReady: parts.reloads.open, log: log,
      service: ground.service, pulses: { ground.store.pulses + pulses },
      meanwhile: {
        await withTaskGroup { group in
          group.addTask { await deliver(parts) }
          group.addTask { await sendMails(parts) }
          group.addTask { await parts.watch.run() }
          group.addTask { await parts.sweep.run() }
          group.addTask { await ground.store.run() }
          group.addTask {
            await reloader.run(status: status) {
              // first, so that no request outlives its claim
              ground.leases.replace($0.limits.lease)
              await server.adopt($0.limits.limits, $0.access.rules)
            }
          }
        }
      })
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    let service = ServiceGroupConfiguration.ServiceConfiguration(service: socketService)
    let services = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [service], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
    try await withThrowingTaskGroup { group in
      group.addTask { await listenForHangUps(parts.reloads) }
      defer { group.cancelAll() }
      try await services.run()
    }
  }

  private func reloader(_ parts: DaemonParts, _ ground: Groundwork) throws(StartupFailure) -> Reloader {
    do {
      return try Reloader(source, parts.inForce, parts.reloads, ground, parts.surroundings, parts.mailSurroundings)
    } catch {
      throw StartupFailure(.operatingSystem, "the thread for reloads: \(SystemError.text(error.errorNumber))")
    }
  }

  /// Asks for a reload at each SIGHUP, and once for those that came since the start of the process.
  private func listenForHangUps(_ reloads: ReloadRequests) async {
    let signals = await UnixSignalsSequence(trapping: .sighup)
    if NotedHangUp.take() { _ = reloads.hangUp() }
    for await _ in signals where !reloads.hangUp() {
      logger.write(.reloadTooLate)
    }
  }

  /// Delivers registrations that wait for the upstream; without an upstream, logs that some wait.
  private func deliver(_ parts: DaemonParts) async {
    if settings.network.chosen == nil {
      do throws(StoreFailure) { try await parts.outbox.look() } catch {}
      Warnings.logWaiting(parts.outbox.waiting, logger)
    }
    await parts.outbox.run()
  }

  /// Sends waiting mails; without a mail system, logs that some wait.
  private func sendMails(_ parts: DaemonParts) async {
    if settings.mail.chosen == nil {
      do throws(StoreFailure) { try await parts.mails.look() } catch {}
      Warnings.logMails(parts.mails.waiting, logger)
    }
    await parts.mails.run()
  }

  private func makeServiceStatus() throws(StartupFailure) -> ServiceStatus {
    do {
      return try ServiceStatus()
    } catch {
      throw StartupFailure(.operatingSystem, "a thread for systemd: \(SystemError.text(error.errorNumber))")
    }
  }

  private func openStore(
    _ claimant: Claimant, _ damage: DamageReport, _ feed: EventFeed, _ service: ServiceStatus
  ) throws(StartupFailure) -> OpenStore {
    let store = settings.store.chosen
    let name = "opening the store\(store.path.map { " \($0)" } ?? "")"
    service.begin(name)
    do throws(StoreFailure) {
      return try store.open(
        StoreSurroundings(
          claimant, damaged: damage.note, observer: AuditLog(logger: logger).observer(feed),
          doing: { service.goOn("\(name): \($0)") }))
    } catch {
      throw StartupFailure(error, of: store) { configuration.keys[$0]?.place }
    }
  }

  private func makeHasher() throws(StartupFailure) -> SodiumHasher {
    let hashing = settings.hashing
    do {
      return try SodiumHasher(
        .init(memoryKiB: hashing.memoryKiB, passes: hashing.passes, workers: hashing.workerCount, queue: hashing.queue),
        keys: hashing.foreignKeys)
    } catch {
      switch error {
      case .libraryFailed: throw StartupFailure(.operatingSystem, "there is no memory to hash passwords with")
      case .threadsFailed(let number):
        throw StartupFailure(.operatingSystem, "hashing threads: \(SystemError.text(number))")
      }
    }
  }

  /// The socket that was passed in; nil if there is none.
  private func passedSocket() throws(StartupFailure) -> ListeningSocket? {
    let passed: [Int32]
    do { passed = try ServiceManager().takeListeningSockets() } catch {
      throw StartupFailure(
        .operatingSystem,
        "the socket that was passed in is no listening Unix stream socket: \(SystemError.text(error.errorNumber))")
    }
    guard passed.count <= 1 else {
      throw StartupFailure(.configuration, "\(passed.count) sockets were passed in; regd takes one")
    }
    return passed.first.map { ListeningSocket(adopting: $0) }
  }

  /// Binds regd's own socket.
  private func bind() throws(StartupFailure) -> ListeningSocket {
    do {
      return try ListeningSocket(
        path: settings.socket.path, mode: settings.socket.mode, group: settings.socket.group)
    } catch {
      throw StartupFailure(error, settings.socket.path)
    }
  }
}
