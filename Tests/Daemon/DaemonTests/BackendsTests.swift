import Linux
import RegdProcesses
import Registration
import RehearsedNetworks
import RehearsedUpstream
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// Opens each store and network of the table from a configuration, and checks the promises of its port.
@Suite("Backends", .timeLimit(.minutes(10)))
struct BackendsTests {
  private static func settings(_ yaml: String, _ environment: [String: String] = [:]) async throws -> Settings {
    let variables = environment.merging(["REGD_SOCKET_GROUP": ""]) { $1 }
    return try await Settings(file: ("f.yaml", yaml), environment: variables)
  }

  // MARK: Stores

  /// Runs on a separate thread, because all tests share the others.
  private static func places(_ row: StoreRow, _ directory: String) async throws -> [String: String] {
    try await PostgreSQL.onItsThread { try row.places(in: directory) { try PostgreSQL.databaseNow() } }
  }

  @Test(
    "each store keeps its promises", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"),
    arguments: try Places.stores.get(), StoreConformance.rules)
  func store(_ row: StoreRow, _ rule: StoreConformance.Rule) async throws {
    guard row.serverVariable != nil else { return try await check(row, rule) }
    try await PostgreSQL.inTurn { try await check(row, rule) }
  }

  private func check(_ row: StoreRow, _ rule: StoreConformance.Rule) async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let places = try await Self.places(row, directory)
    let settings = try await Self.settings("store: {backend: \(row.name)}", places)
    let open = try await PostgreSQL.onItsThread {
      try settings.store.chosen.open(StoreContext(damaged: { Issue.record("damaged: \($0)") }))
    }
    try await rule.check(Accounts(open.engine))
    await open.close()
  }

  @Test(
    "each store that outlives the process keeps its promises to several regd processes",
    arguments: try Places.stores.get().filter(\.isDurable), StoreConformance.sharing)
  func shared(_ row: StoreRow, _ rule: ConformanceRule<SharedStore>) async throws {
    guard row.serverVariable != nil else { return try await checkShared(row, rule) }
    try await PostgreSQL.inTurn { try await checkShared(row, rule) }
  }

  private func checkShared(_ row: StoreRow, _ rule: ConformanceRule<SharedStore>) async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let settings = try await Self.settings(
      "store: {backend: \(row.name)}", try await Self.places(row, directory))
    let stores = Mutex<[OpenStore]>([])
    try await rule.check(
      SharedStore { instance, lease in
        let open = try await PostgreSQL.onItsThread {
          try settings.store.chosen.open(StoreContext(Claimant(instance, lease: lease)))
        }
        stores.withLock { $0.append(open) }
        return Accounts(open.engine)
      })
    for open in stores.withLock({ $0 }) { await open.close() }
  }

  @Test(
    "each store that outlives the process reports whether its opening has created the database",
    arguments: try Places.stores.get().filter(\.isDurable))
  func created(_ row: StoreRow) async throws {
    guard row.serverVariable != nil else { return try await checkCreated(row) }
    try await PostgreSQL.inTurn { try await checkCreated(row) }
  }

  private func checkCreated(_ row: StoreRow) async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let settings = try await Self.settings(
      "store: {backend: \(row.name)}", try await Self.places(row, directory))
    for isNew in [true, false] {
      let open = try await PostgreSQL.onItsThread { try settings.store.chosen.open(StoreContext()) }
      #expect(open.isNew == isNew)
      await open.close()
    }
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
      NetworkContext(time: FixedTime(), userAgent: "regd/test", warn: { _ in }, failed: { _ in }))
    defer { open.stop() }
    try await body(open.port)
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

  @Test("each network keeps its promises", arguments: try stages(), NetworkConformance.rules)
  func network(_ stage: NetworkStage, _ rule: NetworkConformance.Rule) async throws { try await rule.check(stage) }

  @Test("a network that breaks a promise fails a rule", arguments: LyingNetwork.Lie.allCases)
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

  @Test("every network of the table is tested against the promises")
  func staged() throws {
    #expect(try Self.stages().map(\.name) == Backends.networks.map { $0.name })
  }

  // MARK: Mail systems

  private static func failure(_ yaml: String, _ asked: @escaping @Sendable (Duration) -> Void) async throws
    -> MailFailure?
  {
    let settings = try await settings("mail: {from: regd@bücher.example, fromName: Bücher, \(yaml)}").mail
    let context = MailContext(
      ask: { (_, limit) async throws(MailFailure) in
        asked(limit)
        throw .timeout
      }, warn: { _ in })
    let open = try #require(settings.chosen).open(context)
    defer { open.stop() }
    let mail = Mail(
      id: MailID(at: Fixtures.time), kind: .passwordChanged, to: Fixtures.account().account.email, from: settings.from,
      fromName: settings.fromName, date: Fixtures.time, language: "en", subject: "Changed", body: "It was changed.\n")
    do throws(MailFailure) {
      try await open.port.send(mail)
      return nil
    } catch { return error }
  }

  @Test("every mail system of the table opens with its keys, and accepts a mail or returns the reason why not")
  func mails() async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let rows: [(name: String, keys: String, failure: MailFailure?)] = [
      ("sendmail", "sendmail: {path: /bin/false}", .refused("sendmail: exit status 1")),
      ("smtp", "smtp: {url: \"smtp://127.0.0.1:1\"}", .offline), ("file", "file: {directory: \(directory)/}", nil),
      ("event", "event: {answerSeconds: 7}", .timeout), ("offline", "scripted: {repeat: false}", .offline),
      ("unavailable", "scripted: {repeat: false}", .deferred("451 4.3.0 local error")),
      ("scripted", "scripted: {send: [lost]}", .lost),
    ]
    #expect(rows.map(\.name) == Backends.mails.map { $0.name })
    let asked = Mutex<[Duration]>([])
    for row in rows {
      let failure = try await Self.failure("backend: \(row.name), \(row.keys)") { limit in
        asked.withLock { $0.append(limit) }
      }
      #expect(failure == row.failure, "\(row.name)")
    }
    #expect(asked.withLock { $0 } == [.seconds(7)])
    let file = try #require(try FileSystem.names(in: directory).first)
    let read = try #require(ReadMail(try FileReading.bytes("\(directory)/\(file)")))
    #expect(read["From"] == "Bücher <regd@xn--bcher-kva.example>")
  }
}
