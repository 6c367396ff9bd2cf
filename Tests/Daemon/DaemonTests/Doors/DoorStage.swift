import AddressNormalization
import AsyncPrimitives
import Linux
import Logging
import Methods
import PasswordHashing
import RegdClient
import Registration
import ServiceLifecycle
import Synchronization
import Systemd
import TestDoubles
import TestKit
import UnixSocket
import WireProtocols

@testable import Daemon

/// An assembly in this process, with the echo door as a row of its table.
struct DoorStage: Sendable {
  let directory: String
  private let log = Lines()

  var socket: String { "\(directory)/s" }
  var file: String { "\(directory)/regd.yaml" }
  /// The log so far.
  var logged: String { log.text }

  private final class Lines: Sendable {
    private let all = Mutex("")
    func add(_ bytes: [UInt8]) { all.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
    var text: String { all.withLock { $0 } }
  }

  /// Serves until `body` ends, which runs on a separate thread. Then drains.
  ///
  /// - Parameters:
  ///   - doors: The section's text.
  ///   - afterwards: Called once everything has ended.
  static func with(
    _ doors: String, passed: (String) throws -> [PassedSocket] = { _ in [] },
    _ body: @escaping @Sendable (DoorStage) throws -> Void, afterwards: (DoorStage) throws -> Void = { _ in }
  ) async throws {
    try await withTemporaryDirectory { directory in
      let stage = DoorStage(directory: directory)
      try stage.write(doors)
      let assembly = try await stage.assembly(try passed(directory))
      let services = ServiceGroup(
        services: [assembly.service()], logger: Logger(label: "doors") { _ in SwiftLogNoOpLogHandler() })
      try await withThrowingTaskGroup { group in
        group.addTask { try await services.run() }
        let played = Promise<Result<Void, any Error>>()
        let thread = try StartedThread(name: "callers", niceness: 0) {
          played.fulfill(Result { try body(stage) })
        }
        let outcome = await played.value()
        thread.join()
        await services.triggerGracefulShutdown()
        try await group.waitForAll()
        try outcome.get()
      }
      try afterwards(stage)
    }
  }

  private func assembly(_ passed: [PassedSocket]) async throws -> Assembly {
    let source = ConfigurationSource(
      file: file, arguments: [], environment: [:], doors: [EchoDoor.self] + Backends.doors)
    let configuration = try await source.load()
    let settings = configuration.settings
    let log = try DaemonLog(
      level: .info,
      output: LogOutput(format: .lines) { [log] in
        log.add($0)
        return true
      })
    let (feed, time) = (EventFeed(), SystemTime())
    let claimant = Claimant()
    let resources = DaemonResources(
      log: log, hashing: settings.hashing,
      hasher: try SodiumHasher(.init(memoryKiB: 8, passes: 1, workers: 1)), codes: SodiumCodeHashing(), time: time,
      normalizer: UnicodeNormalizer(), store: SwitchableEngine(OpenStore(MemoryStore(claimant))), claimant: claimant,
      leases: Reloadable(settings.limits.lease), quotas: PeerQuotas(settings.limits.limits), feed: feed,
      damage: DamageReport(logger: log.logger, feed: feed, time: time), service: try ServiceStatus())
    let place = settings.socket.place
    return try Assembly(
      configuration, from: source, resources,
      at: try ListeningSocket(path: place.path, mode: place.mode, group: place.group), passed: passed)
  }

  /// - Parameter deny: The section `access.deny`.
  func write(_ doors: String, deny: String = "{}") throws {
    try TextFile.write(
      """
      socket: {path: \(socket), group: ""}
      access: {admin: {uids: [\(ThisProcess.effectiveUser)]}, deny: \(deny)}
      store: {backend: memory}
      shutdown: {graceSeconds: 60}
      doors: \(doors.replacing("@", with: directory))
      """, to: file)
  }

  /// Writes the file and reloads it.
  ///
  /// - Returns: The keys that have changed, or the problems.
  @discardableResult
  func reload(_ doors: String, _ caller: RegdClient, deny: String = "{}") throws -> [String] {
    try write(doors, deny: deny)
    switch try caller.call("daemon.reload", ["dryRun": .bool(false)]) {
    case .success(let result): return (result["changed"]?.array ?? []).compactMap(\.string)
    case .failure(let error): return (error.data["problems"]?.array ?? []).compactMap { $0["message"]?.string }
    }
  }

  /// The doors in `daemon.status`: name, protocol, address below the directory, connections.
  func doors(_ caller: RegdClient) throws -> [String] {
    (try caller.call("daemon.status").get()["doors"]?.array ?? []).map { door in
      let address = (door["address"]?.string ?? "").replacing(directory, with: "@")
      return
        "\(door["name"]?.string ?? "") \(door["protocol"]?.string ?? "") \(address) \(door["connections"]?.integer ?? -1)"
    }
  }

  /// The number of a door's logins by result: right, wrong, refused, away.
  func verdicts(_ name: String, _ caller: RegdClient) throws -> [Int?] {
    let doors = try caller.call("daemon.status").get()["doors"]?.array ?? []
    let door = doors.first { $0["name"]?.string == name }
    return ["right", "wrong", "refused", "away"].map { door?[$0]?.integer }
  }
}
