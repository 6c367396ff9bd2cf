internal import AddressNormalization
internal import JSONRPC
internal import Logging
internal import Methods
internal import PasswordHashing
internal import Registration
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals
internal import UnixSocket

/// The one place that sees everything: settings to parts, parts to a service group.
package struct Daemon: Sendable {
  private let settings: Settings
  private let logger: Logger

  package init(_ settings: Settings) {
    self.settings = settings
    var logger = Logger(label: "regd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = Logger.Level(rawValue: settings.log.level) ?? .info
    self.logger = logger
  }

  /// Runs until SIGTERM or SIGINT, then finishes what is in flight.
  ///
  /// - Throws: `StartupFailure` where it could not start.
  package func run() async throws {
    let hasher = try makeHasher()
    let open: StoreBackends.Open
    do throws(StoreFailure) { open = try StoreBackends.open(settings.store) } catch {
      throw StartupFailure(error, settings.store)
    }
    let socket = try listen()
    for name in settings.access.unknown {
      logger.warning(
        "access.admin names the \(name), which this machine does not have; nobody is an administrator by it")
    }
    if let missing = DescriptorBudget.missing(for: settings.limits.limits.connections) {
      logger.warning(
        "limits.connections is \(settings.limits.limits.connections), and \(missing) descriptors are missing for that; see LimitNOFILE= or ulimit -Hn"
      )
    }
    let accounts = PeerAccounts(settings.limits.limits)
    let server = Server(
      socket, dispatcher: dispatcher(hasher, open.store, accounts), limits: settings.limits.limits,
      access: settings.access.rules, accounts: accounts, report: ServerEventLog(logger).note)
    let service = SocketService(
      server: server, grace: .seconds(settings.shutdown.graceSeconds), readyStatus: readyStatus(socket.path),
      logger: logger)
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: service)], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
    try await group.run()
    hasher.stop()
    await open.close()
    logger.info("Stopped")
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

  private func dispatcher(
    _ hasher: SodiumHasher, _ store: any AccountStore, _ accounts: PeerAccounts
  ) -> Dispatcher {
    let normalizer = UnicodeNormalizer()
    let registrar = Registrar(
      rules: settings.rules(normalizer), store: ReportingStore(store: store, logger: logger),
      hasher: ReportingHasher(hasher: hasher, logger: logger),
      network: NetworkBackends.make(settings.network), time: SystemTime())
    let start = ContinuousClock.now
    let info = ServerInfo(
      version: Version.current, limits: settings.limits.limits, network: settings.network.backend,
      store: settings.store.backend,
      environment: settings.environment.map { .init(name: $0.name, summary: $0.summary, gives: $0.gives) },
      uptimeSeconds: { Int((ContinuousClock.now - start).components.seconds) })
    let table = RegdMethods.table(registrar: registrar, normalizer: normalizer, info: info, accounts: accounts)
    return Dispatcher(table: table, limits: settings.limits.limits, version: Version.current)
  }
}

extension Settings {
  func rules(_ normalizer: any TextNormalizer) -> RegistrationRules {
    RegistrationRules(
      email: EmailRules(
        maximumLength: email.maximumLength, internationalized: email.internationalized,
        blockedDomains: email.blockedDomains, normalizer: normalizer),
      password: PasswordPolicy(
        minimumLength: password.minimumLength, maximumLength: password.maximumLength,
        refuseCommon: password.refuseCommon, refuseResemblingEmail: password.refuseResemblingEmail,
        normalizer: normalizer))
  }
}
