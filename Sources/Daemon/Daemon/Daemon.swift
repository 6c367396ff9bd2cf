internal import AddressNormalization
internal import Linux
internal import Logging
internal import Methods
internal import PasswordHashing
package import Registration
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals
internal import UnixSocket
internal import WireProtocols
internal import WorkerThreads

/// regd as a process: makes the resources and the sockets for an `Assembly`, handles signals, and talks to the service
/// manager.
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
  /// - Throws: `StartupFailure` if regd could not start, or an error of the server if the server failed.
  package func run() async throws {
    defer { log.end() }
    let service = try makeServiceStatus()
    defer { service.end() }
    let hasher = try makeHasher()
    let feed = EventFeed(submit: try makeEventThread().submit, rest: { ThisThread.sleep(for: $0) })
    let damage = DamageReport(logger: logger, feed: feed, time: SystemTime())
    let passed = try passedSockets()
    let leases = Reloadable(settings.limits.lease)
    let path = passed.own?.path ?? settings.socket.path
    try OwnDirectories.make(configuration.ownDirectories, below: configuration.home ?? "")
    let claimant = Claimant(InstanceName.of(path), name: "\(HostName.own):\(path)", leases: leases)
    let (store, awaited) = try openStore(claimant, damage, feed, service)
    EarlyStop.listen()
    let socket = try passed.own ?? bind()
    defer { socket.release() }
    Warnings.log(settings, logger)
    if let own = passed.own {
      Warnings.logSocket(own.path, settings, logger)
      Warnings.logSocketRights(own.path, configuration, logger)
    }
    try DescriptorBudget.require(Server.descriptors(loops: settings.socket.loopCount))
    async let timers: Void = DescriptorBudget.openTimers()
    let resources = DaemonResources(
      log: log, hashing: settings.hashing, hasher: hasher, codes: SodiumCodeHashing(), time: SystemTime(),
      normalizer: UnicodeNormalizer(), store: store, claimant: claimant, leases: leases,
      quotas: PeerQuotas(settings.limits.limits), feed: feed, damage: damage, service: service,
      clients: KnownClientFile.path, awaited: awaited)
    let assembly = try Assembly(configuration, from: source, resources, at: socket, passed: passed.others)
    // the doors are bound before this, so that a program that finds regd's own socket also finds the doors
    do throws(ListenFailure) { try socket.publish() } catch { throw StartupFailure(error, settings.socket.place) }
    await timers
    try await serve(assembly)
    // with the clients of the sign-ins that ended while regd was stopping
    await assembly.components.writeClients()
    assembly.components.context.networks.stopAll()
    hasher.stop()
    await store.close()
    logger.write(.stopped)
  }

  /// Runs the assembly until a signal asks regd to stop.
  private func serve(_ assembly: Assembly) async throws {
    // `begins` hands over signals, which the service group already traps at that time. `hasSettled` releases memory
    // that only the start needed.
    let service = assembly.service(begins: EarlyStop.handOver, hasSettled: ThisProcess.forgetStartupPages)
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    let services = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [ServiceGroupConfiguration.ServiceConfiguration(service: service)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
    // trapped before regd is ready: when the trap replaces the handler of `NotedHangUp`, that handler may have begun
    // but not noted its signal yet. A program that waits for READY=1 must not lose a SIGHUP
    let hangUps = await UnixSignalsSequence(trapping: .sighup)
    try await withThrowingTaskGroup { group in
      group.addTask { await pass(hangUps, to: assembly.components.reloads) }
      defer { group.cancelAll() }
      try await services.run()
    }
  }

  /// Asks for a reload at each SIGHUP, and once for all SIGHUPs that arrived before they were trapped.
  private func pass(_ signals: UnixSignalsSequence, to reloads: ReloadRequests) async {
    if NotedHangUp.take() { _ = reloads.hangUp() }
    for await _ in signals where !reloads.hangUp() {
      logger.write(.reloadTooLate)
    }
  }

  private func makeServiceStatus() throws(StartupFailure) -> ServiceStatus {
    do {
      return try ServiceStatus()
    } catch {
      throw StartupFailure(.operatingSystem, "a thread for systemd: \(SystemError.text(error.errorNumber))")
    }
  }

  /// The thread that encodes events, so that no subscriber delays a commit's answer.
  private func makeEventThread() throws(StartupFailure) -> WorkerThreads {
    do {
      return try WorkerThreads(name: "regd-events", count: 1)
    } catch {
      throw StartupFailure(.operatingSystem, "a thread for events: \(SystemError.text(error.errorNumber))")
    }
  }

  /// Opens the store. If its server cannot be used now, regd starts without it.
  ///
  /// - Returns: The store or its placeholder, and in the second case the store to wait for.
  private func openStore(
    _ claimant: Claimant, _ damage: DamageReport, _ feed: EventFeed, _ service: ServiceStatus
  ) throws(StartupFailure) -> (SwitchableEngine, AwaitedStore?) {
    let opener = StoreOpener(
      configuration, claimant, damaged: damage.note, observer: AuditLog(logger: logger).observer(feed), service, logger)
    opener.begin()
    if case .open(let store) = try opener.attempt() { return (SwitchableEngine(store), nil) }
    do throws(WorkerThreads.StartFailure) {
      let awaited = try AwaitedStore(opener.reason) { () throws(StartupFailure) in try opener.attempt() }
      return (SwitchableEngine(awaited.placeholder), awaited)
    } catch {
      throw StartupFailure(.operatingSystem, "a thread for the store: \(SystemError.text(error.errorNumber))")
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
      case .libraryFailed: throw StartupFailure(.operatingSystem, "there is not enough memory to hash passwords")
      case .threadsFailed(let number):
        throw StartupFailure(.operatingSystem, "hashing threads: \(SystemError.text(number))")
      }
    }
  }

  /// Takes the sockets that the service manager passed: regd's own (nil if it was not passed), and those named after doors.
  private func passedSockets() throws(StartupFailure) -> (own: ListeningSocket?, others: [PassedSocket]) {
    let passed: [PassedSocket]
    do { passed = try ServiceManager().takeListeningSockets() } catch {
      throw StartupFailure(
        .operatingSystem,
        "the socket that was passed in is not a listening Unix stream socket: \(SystemError.text(error.errorNumber))")
    }
    let doors = settings.doors.entries.map(\.name)
    let own = passed.filter { !doors.contains($0.name) }
    guard own.count <= 1 else {
      throw StartupFailure(.configuration, "\(own.count) sockets were passed in, but regd takes only one")
    }
    let socket = own.first.map { ListeningSocket(adopting: $0.descriptor) }
    guard socket?.isInternet != true else {
      throw StartupFailure(
        .operatingSystem,
        "the socket that was passed in is not a listening Unix stream socket, and no door has its name")
    }
    return (socket, passed.filter { doors.contains($0.name) })
  }

  /// Binds regd's own socket, without its name yet.
  private func bind() throws(StartupFailure) -> ListeningSocket {
    do {
      return try ListeningSocket(
        path: settings.socket.path, mode: settings.socket.place.mode, group: settings.socket.place.group,
        isPublished: false)
    } catch {
      throw StartupFailure(error, settings.socket.place)
    }
  }
}

/// The machine's wall clock.
package struct SystemTime: TimeSource {
  package init() {}

  package func now() -> Timestamp { Timestamp(microseconds: WallClock.microseconds) }
}

/// Catches SIGTERM and SIGINT from before the socket is bound until the service group handles signals. Otherwise they
/// would end the process at once and leave the socket's file behind.
enum EarlyStop {
  static func listen() { NotedSignal.listen(for: [.terminate, .interrupt], once: false) }

  /// Sends a caught signal again, to the service group, which handles signals from now on.
  static func handOver() {
    if NotedSignal.take() != nil { Signal.terminate.send(to: ThisProcess.id) }
  }
}

/// The name by which regd marks claims and leases in a store that several regd processes may share: unique, and the
/// same after a restart of regd, but not of the machine.
enum InstanceName {
  /// Returns the host name and the socket's path, followed by the machine's boot id and the identity of the socket's
  /// directory, because two regd processes in different containers may have the same host name and path. Within one
  /// directory, the socket's lock admits only one regd.
  ///
  /// - Parameter boot: The id of the machine's boot.
  static func of(_ socket: String, boot: String = boot) -> String {
    let directory = try? FileStatus(FileSystem.directory(of: socket)).identity
    let place = directory.map { String($0.device, radix: 16) + "-" + String($0.inode, radix: 16) } ?? ""
    return "\(HostName.own):\(socket)#\(boot.prefix(8))-\(place)"
  }

  private static let boot = (try? FileReading.text("/proc/sys/kernel/random/boot_id", atMost: 100)) ?? ""
}
