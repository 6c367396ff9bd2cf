import Glibc
import Linux
import Matrix
import RegdProcesses
import RehearsedMails
import RehearsedNetworks
import Synchronization
import TestKit
import Testing

@Suite("Matrix", .blocking, .timeLimit(.minutes(10)))
struct MatrixTests {
  /// The number of flows that environments of mail and of admission do not have.
  private static let networkFlows = Flow.all.count { $0.kind == .network }

  @Test("a directory without environments fails with Matrix.Empty")
  func empty() throws {
    try TemporaryDirectory.with { directory in
      #expect(throws: Matrix.Empty.self) { try matrix(in: directory) }
      #expect(throws: Matrix.Empty.self) { try Matrix(regd: Places.regd, directory: "\(directory)/nonexistent") }
      try TextFile.write("", to: "\(directory)/notes.txt")
      #expect(throws: Matrix.Empty.self) { try matrix(in: directory) }
    }
  }

  @Test("a filter without matches fails with Matrix.Empty")
  func filter() throws {
    #expect(throws: Matrix.Empty.self) {
      try matrix(in: Places.environments, filter: "no such thing")
    }
    let row = try matrix(in: Places.environments, filter: "offline")
    #expect(row.cellCount == 2 * (try Places.stores.get().count) * Self.networkFlows)
  }

  @Test("an environment that does not behave as it declares is red")
  func liars() throws {
    let lies = [
      ("network: {backend: none}", "offline"), ("network: {backend: offline}", "success"),
      ("network: {backend: offline}", "unavailable"), ("network: {backend: unavailable}", "timeout"),
      ("network: {backend: scripted, scripted: {register: [timeout]}}", "failed"),
      ("network: {backend: scripted, scripted: {register: [reject]}}", "throttled"),
      ("network: {backend: scripted, scripted: {register: [accept]}}", "taken"),
      ("network: {backend: scripted, scripted: {register: [unavailable, unavailable, accept]}}", "recovering"),
      ("network: {backend: none}", "storeReadOnly"), ("network: {backend: offline}", "flapping"),
    ]
    for (network, gives) in lies {
      try TemporaryDirectory.with { directory in
        let file = """
          environment: {name: liar, summary: not what it says, gives: \(gives)}
          password: {minimumLength: 6, refuseCommon: false, refuseResemblingEmail: false}
          \(network)
          """
        try TextFile.write(file, to: "\(directory)/liar.yaml")
        let report = try matrix(in: directory, filter: "registration").run()
        #expect(!report.isGreen)
        let isRed = report.cells.allSatisfy(\.isRed)
        #expect(isRed, "\(network), \(gives)")
        #expect(report.table(colour: false, width: 200).contains("RED liar, built-in, "))
      }
    }
  }

  @Test("an environment is red if it cannot start, lacks its section or declares an unknown condition")
  func broken() throws {
    let environment = "environment: {name: x, gives: success}\n"
    for (file, says) in [
      (environment + "nonsense: 1", "nonsense: unknown"), ("network: {backend: none}", "no section \"environment\""),
      ("environment: {name: x, gives: joy}", "gives \"joy\", of which this matrix knows nothing"),
      ("environment: [", "broken.yaml:1: the [ here is not closed"),
      (environment + "network: {backend: scripted, scripted: {register: [oops]}}", "\"oops\" is not an answer"),
    ] {
      try TemporaryDirectory.with { directory in
        try TextFile.write(file, to: "\(directory)/broken.yaml")
        let report = try matrix(in: directory, filter: "validation").run()
        #expect(!report.isGreen)
        #expect(report.table(colour: false, width: 200).contains(says), "\(says)")
      }
    }
  }

  @Test("a file with its own network runs unchanged, except flows that change the upstream half-way")
  func own() throws {
    try TemporaryDirectory.with { directory in
      let file = """
        environment: {name: ours, summary: a port without a listener, gives: offline}
        password: {minimumLength: 6, refuseCommon: false, refuseResemblingEmail: false}
        network: {backend: http, http: {baseURL: "http://127.0.0.1:1/v1"}}
        """
      try TextFile.write(file, to: "\(directory)/ours.yaml")
      let report = try matrix(in: directory).run()
      #expect(report.isGreen, "\(report.table(colour: false, width: 200))")
      #expect(report.cells.count == (try Places.stores.get().count) * Self.networkFlows)
      #expect(report.cells.contains { !$0.isPlayed })
    }
  }

  /// One environment of each kind. `make matrix` runs all of them.
  @Test("every flow passes on every store, built in and over HTTP", arguments: ["recovering", "answer-lost", "store-"])
  func some(_ name: String) throws {
    let count = Mutex(0)
    let matrix = try matrix(in: Places.environments, filter: name)
    let report = matrix.run { _ in count.withLock { $0 += 1 } }
    #expect(report.cells.count == matrix.cellCount)
    #expect(count.withLock { $0 } == matrix.cellCount)
    #expect(report.cells.contains { $0.isPlayed })
    for cell in report.cells {
      #expect(!cell.isRed, "\(cell.environment), \(cell.rendering), \(cell.store), \(cell.flow): \(cell.result)")
    }
  }

  @Test("every condition has an environment, and every environment file begins with an explanation")
  func conditions() throws {
    let names = try FileSystem.names(in: Places.environments).filter { $0.hasSuffix(".yaml") }
    #expect(names.count >= 31)
    let texts = names.compactMap { TextFile.read("\(Places.environments)/\($0)") }
    #expect(texts.count == names.count)
    for condition in EnvironmentCondition.allCases {
      #expect(texts.contains { $0.contains("  gives: \(condition.rawValue)\n") }, "\(condition)")
    }
    for situation in MailSituation.allCases {
      #expect(texts.contains { $0.contains("  gives: \(situation.rawValue)\n") }, "\(situation)")
    }
    for situation in AdmissionSituation.allCases {
      #expect(texts.contains { $0.contains("  gives: \(situation.rawValue)\n") }, "\(situation)")
    }
    for (name, text) in zip(names, texts) { #expect(text.hasPrefix("# ") && text.contains("In practice: "), "\(name)") }
  }
}
