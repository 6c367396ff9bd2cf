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

/// The composition root: settings to parts, parts to a service group.
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
  /// - Throws: `StartupFailure` if it could not start.
  package func run() async throws {
    defer { log.end() }
    let hasher = try makeHasher()
    let feed = EventFeed()
    let damage = DamageReport(logger: logger, feed: feed, time: SystemTime())
    let open = try openStore(damage, feed)
    EarlyStop.listen()
    let socket = try listen()
    defer { socket.release() }
    warn()
    try DescriptorBudget.require(Server.descriptors)
    let usages = PeerUsages(settings.limits.limits)
    let parts = try DaemonParts(
      Groundwork(
        settings: settings, log: log, hasher: hasher, store: open.store, usages: usages, feed: feed, damage: damage)
    )
    try await serve(socket, parts, usages)
    parts.upstream.stop()
    hasher.stop()
    await open.close()
    logger.info("Stopped")
  }

  /// Answers requests on the socket until regd is asked to stop.
  private func serve(_ socket: ListeningSocket, _ parts: DaemonParts, _ usages: PeerUsages) async throws {
    let server = Server(
      socket, dispatcher: parts.dispatcher, limits: settings.limits.limits,
      access: settings.access.rules, usages: usages, report: ServerEventLog(logger).note)
    let service = SocketService(
      server: server, grace: .seconds(settings.shutdown.graceSeconds),
      readyStatus:
        "Serving \(socket.path); store \(settings.store.backend), network \(settings.network.backend)",
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
  }

  /// Delivers what waits for the upstream; where there is none, says that something waits.
  private func deliver(_ parts: DaemonParts) async {
    if parts.upstream.network != nil { return await parts.outbox.run() }
    do throws(StoreFailure) { try await parts.outbox.look() } catch { return }
    guard parts.outbox.waiting > 0 else { return }
    logger.warning(
      "\(parts.outbox.waiting) registrations wait for an upstream, and network.backend is none: they stay pending (regctl outbox)"
    )
  }

  /// Warns of what keeps regd from doing all that the configuration says.
  private func warn() {
    for name in settings.access.unknown {
      logger.warning(
        "access.admin names the \(name), which this machine does not have; nobody is an administrator by it")
    }
    if let missing = DescriptorBudget.missing(for: settings.limits.limits.connections) {
      logger.warning(
        "limits.connections is \(settings.limits.limits.connections), and \(missing) descriptors are missing for that; see LimitNOFILE= or ulimit -Hn"
      )
    }
  }

  private func openStore(_ damage: DamageReport, _ feed: EventFeed) throws(StartupFailure) -> OpenStore {
    let store = settings.store.chosen
    do throws(StoreFailure) {
      return try store.open(damaged: damage.note) { feed.publish(Event($0)) }
    } catch {
      throw StartupFailure(error, of: store)
    }
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
}
