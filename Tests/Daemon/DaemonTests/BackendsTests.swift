import Linux
import RegdProcesses
import Registration
import RehearsedNetworks
import RehearsedUpstream
import Synchronization
import TestKit
import Testing

@testable import Daemon

/// Each store and network of the table, opened as the configuration says, keeps its port's promises.
@Suite("Backends", .timeLimit(.minutes(10)))
struct BackendsTests {
  private static func settings(_ yaml: String, _ environment: [String: String] = [:]) async throws -> Settings {
    let variables = environment.merging(["REGD_SOCKET_GROUP": ""]) { $1 }
    return try await Settings(file: ("f.yaml", yaml), environment: variables)
  }

  // MARK: Stores

  /// Made away from the threads that all tests share.
  private static func places(_ row: StoreRow, _ directory: String) async throws -> [String: String] {
    try await PostgreSQL.onItsThread { try row.places(in: directory) { try PostgreSQL.databaseNow() } }
  }

  @Test(
    "stores keep their promises", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"),
    arguments: try Places.stores.get(), StoreConformance.rules)
  func store(_ row: StoreRow, _ rule: StoreConformance.Rule) async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let places = try await Self.places(row, directory)
    let settings = try await Self.settings("store: {backend: \(row.name)}", places)
    let open = try await PostgreSQL.onItsThread {
      try settings.store.chosen.open(StoreSurroundings(damaged: { Issue.record("damaged: \($0)") }))
    }
    try await rule.check(open.store)
    await open.close()
  }

  @Test(
    "stores that outlive the process keep their promises to several regd",
    arguments: try Places.stores.get().filter(\.isDurable), StoreConformance.sharing)
  func shared(_ row: StoreRow, _ rule: ConformanceRule<SharedStore>) async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let settings = try await Self.settings(
      "store: {backend: \(row.name)}", try await Self.places(row, directory))
    let stores = Mutex<[OpenStore]>([])
    try await rule.check(
      SharedStore { instance, lease in
        let open = try await PostgreSQL.onItsThread {
          try settings.store.chosen.open(StoreSurroundings(instance: instance, lease: lease))
        }
        stores.withLock { $0.append(open) }
        return open.store
      })
    for open in stores.withLock({ $0 }) { await open.close() }
  }

  @Test("regd lists the stores, networks and mail systems of its table")
  func list() async throws {
    let stores = try Places.stores.get()
    #expect(stores.map(\.name) == Backends.stores.map { $0.name })
    #expect(stores.map(\.isDurable) == Backends.stores.map { $0.isDurable })
    #expect(stores.first { $0.name == "sqlite" }?.files(in: "/d") == ["REGD_STORE_SQLITE_PATH": "/d/regd.db"])
    #expect(stores.compactMap(\.serverVariable) == ["REGD_STORE_POSTGRESQL_URL"])
    let networks = try await Backends.list().split(separator: "\n").filter { $0.hasPrefix("network ") }
    #expect(networks == Backends.networks.map { "network \($0.name)" })
    let mails = try await Backends.list().split(separator: "\n").filter { $0.hasPrefix("mail ") }
    #expect(mails == Backends.mails.map { "mail \($0.name)" })
  }

  // MARK: Networks

  private static func play(
    _ network: String, _ body: (any NetworkService) async throws -> Void
  ) async throws {
    let settings = try await settings("limits: {requestSeconds: 86400}\nnetwork: {\(network)}")
    let chosen = try #require(settings.network.chosen)
    let open = try chosen.open(
      NetworkSurroundings(time: FixedTime(), userAgent: "regd/test", warn: { _ in }, failed: { _ in }))
    defer { open.stop() }
    try await body(open.network)
  }

  private static func yaml(_ steps: [Script.Step]) -> String {
    "[\(steps.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }

  private static func stages() throws -> [NetworkStage] {
    [
      try NetworkStage("http") { script, body in
        let directory = try TemporaryDirectory.make()
        defer { FileSystem.removeDirectory(directory) }
        let server = try UpstreamServer(script, directory: directory)
        defer { server.stop() }
        let isSilent = [.timeout, .stall, .unroutable, .unresolvable].contains { (fault: UpstreamFault) in
          script.register.contains { $0.answer == .fault(fault) }
        }
        let deadlines = isSilent ? "connectSeconds: 0.5, totalSeconds: 1" : "connectSeconds: 60, totalSeconds: 3600"
        let trust = server.caFile.map { "caFile: \($0), " } ?? ""
        let keys = "baseURL: \"\(server.baseURL)\", \(trust)allowPlaintext: true, \(deadlines)"
        try await play("backend: http, http: {\(keys)}", body)
        #expect(server.ledger.complaints.isEmpty, "\(server.ledger.complaints)")
      },
      try NetworkStage("offline", steps: ["offline"]) { _, body in try await play("backend: offline", body) },
      try NetworkStage("unavailable", steps: ["unavailable", "unavailable retryAfter=7"]) { script, body in
        let seconds = script.register[0].retryAfterSeconds ?? 0
        try await play("backend: unavailable, unavailable: {retryAfterSeconds: \(seconds)}", body)
      },
      try NetworkStage("scripted") { script, body in
        let steps = "checkEmail: \(yaml(script.checkEmail)), register: \(yaml(script.register))"
        try await play("backend: scripted, scripted: {\(steps), signIn: \(yaml(script.signIn))}", body)
      },
    ]
  }

  @Test("networks keep their promises", arguments: try stages(), NetworkConformance.rules)
  func network(_ stage: NetworkStage, _ rule: NetworkConformance.Rule) async throws { try await rule.check(stage) }

  @Test("a network that breaks a promise breaks a rule", arguments: LyingNetwork.Lie.allCases)
  func lies(_ lie: LyingNetwork.Lie) async throws {
    let liar = try NetworkStage("liar") { script, body in
      try await body(LyingNetwork(network: ScriptedNetwork(script), lie: lie))
    }
    var broken: [String] = []
    for rule in NetworkConformance.rules {
      do { try await rule.check(liar) } catch is Broken { broken.append(rule.sentence) }
    }
    #expect(!broken.isEmpty)
  }

  @Test("every network of the table is held against the promises")
  func staged() throws {
    #expect(try Self.stages().map(\.name) == Backends.networks.map { $0.name })
  }
}
