internal import AddressNormalization
internal import CSimulation
internal import Daemon
internal import Logging
internal import Methods
internal import PasswordHashing
internal import Registration
internal import SQLiteStore
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSocket
internal import WireProtocols
internal import WorkerThreads

/// A process of regd, from its start to its end: the assembly that `regd` runs, on the simulated machine.
final class SimulatedProcess: Sendable {
  enum End: Equatable, Sendable {
    case stopped
    case failed(String)
  }

  private struct State {
    var services: ServiceGroup?
    var isReady = false
    var end: End?
  }

  private let state = Mutex(State())
  let place: Place

  /// The configuration file, in the working directory.
  static let file = "regd.yaml"
  static let database = "/regd.db"

  /// The settings that all processes of one regd have.
  struct Place: Sendable {
    /// The regd's number among several, from 0.
    var number = 0
    /// The upstream's network, which replaces the configured one, or nil to use the configured one.
    let network: (any NetworkBackend)?
    /// Whether the configuration is an operator's. Only the simulator's own configuration may choose the simulated
    /// backends.
    let isOwn: Bool
    /// Options as on a command line, which override the configuration file.
    let arguments: [String]
    let log: SimulatedLog
    /// The store that several regd processes share, or nil for SQLite on the simulated disk.
    var rows: SharedRows?
    /// How far the clock of the regd's machine is ahead.
    var skew = Duration.zero

    /// The socket's path, relative to the working directory.
    var socket: String { number == 0 ? "s" : "s\(number)" }
  }

  init(_ place: Place) { self.place = place }

  /// A new process of the same regd, to be started after this one has ended.
  func successor() -> SimulatedProcess { SimulatedProcess(place) }

  /// Whether the process has reported that it is ready.
  var isReady: Bool { state.withLock { $0.isReady } }
  /// How the process ended, or nil while it runs.
  var end: End? { state.withLock { $0.end } }

  func start() {
    Stage.only.act(as: place.number)
    // the root of all tasks of this process, which inherit its workplace
    Task {
      let end: End
      do {
        try await Workplaces.$current.withValue(SimulatedWorkplace()) { try await run() }
        end = .stopped
      } catch {
        end = .failed("\(error)")
      }
      state.withLock { $0.end = end }
    }
  }

  /// Stops regd as SIGTERM does.
  func terminate() {
    guard let services = state.withLock({ $0.services }) else { return }
    Stage.only.act(as: place.number)
    Task { await services.triggerGracefulShutdown() }
  }

  private func run() async throws {
    let source =
      place.isOwn
      ? ConfigurationSource(file: Self.file, arguments: place.arguments, environment: [:])
      : ConfigurationSource(
        file: Self.file, arguments: [], environment: [:], networks: [SimulatedBackend.self],
        mails: [SimulatedMailBackend.self])
    var configuration = try await source.load()
    if let network = place.network { configuration.settings.network.chosen = network }
    configuration.settings.doors = DoorSettings()
    let settings = configuration.settings
    let (feed, log) = (EventFeed(submit: try WorkerThreads(name: "regd-events", count: 1).submit), place.log)
    let time = SkewedTime(clock: SystemTime(), offset: place.skew)
    let damage = DamageReport(logger: log.logger, feed: feed, time: time)
    let leases = Reloadable(settings.limits.lease)
    let claimant = Claimant("simulated\(place.number)", leases: leases)
    let hasher = try SodiumHasher(
      .init(memoryKiB: 8, passes: 1, workers: 2, queue: settings.hashing.queue),
      memoryIsKept: nil)
    let store = SwitchableEngine(
      try open(claimant, damaged: damage.note, observer: AuditLog(logger: log.logger).observer(feed)))
    let resources = DaemonResources(
      log: log, hashing: settings.hashing, hasher: hasher, codes: SodiumCodeHashing(), time: time,
      normalizer: UnicodeNormalizer(), store: store, claimant: claimant, leases: leases,
      quotas: PeerQuotas(settings.limits.limits), feed: feed, damage: damage, service: try ServiceStatus(),
      peer: { Peer(uid: simulated_peer($0), gid: 100, pid: 1) })
    let socket = try ListeningSocket(path: place.socket, mode: 0o600, group: nil)
    defer { socket.release() }
    let assembly = try Assembly(configuration, from: source, resources, at: socket)
    let services = ServiceGroup(
      services: [assembly.service(begins: { [self] in state.withLock { $0.isReady = true } })],
      logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
    state.withLock { $0.services = services }
    try await services.run()
    hasher.stop()
    await store.close()
  }

  private func open(
    _ claimant: Claimant, damaged: @escaping DamageObserver, observer: @escaping AuditObserver
  ) throws -> OpenStore {
    if let rows = place.rows {
      return OpenStore(SimulatedConnection(rows, daemon: place.number, claimant, observer: observer))
    }
    let sqlite = try SQLiteStore(
      path: Self.database, vfs: "simulated", claimant: claimant, damaged: damaged, observer: observer)
    return OpenStore(sqlite, probes: sqlite.probes, close: { await sqlite.close() })
  }
}
