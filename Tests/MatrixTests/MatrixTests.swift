import Glibc
import Matrix
import TestKit
import Testing

@Suite("Matrix")
struct MatrixTests {
  @Test("a directory without environments is no matrix")
  func empty() throws {
    try TemporaryDirectory.with { directory in
      #expect(throws: Matrix.Empty.self) { try Matrix(regd: Places.regd, directory: directory) }
      #expect(throws: Matrix.Empty.self) { try Matrix(regd: Places.regd, directory: "\(directory)/nonexistent") }
      try TextFile.write("", to: "\(directory)/notes.txt")
      #expect(throws: Matrix.Empty.self) { try Matrix(regd: Places.regd, directory: directory) }
    }
  }

  @Test("a filter that matches nothing is no matrix")
  func filter() throws {
    #expect(throws: Matrix.Empty.self) {
      try Matrix(regd: Places.regd, directory: Places.environments, filter: "no such thing")
    }
    let row = try Matrix(regd: Places.regd, directory: Places.environments, filter: "offline")
    #expect(row.cellCount == Matrix.stores.count * Flow.all.count)
  }

  @Test("an environment that is not what it says is red: the oracle is no rubber stamp")
  func liars() throws {
    let lies = [
      ("network: {backend: none}", "offline"), ("network: {backend: offline}", "success"),
      ("network: {backend: unavailable, unavailable: {retryAfterSeconds: 29}}", "unavailable"),
    ]
    for (network, gives) in lies {
      try TemporaryDirectory.with { directory in
        let file = """
          environment: {name: liar, summary: not what it says, gives: \(gives)}
          password: {minimumLength: 6, refuseCommon: false, refuseResemblingEmail: false}
          \(network)
          """
        try TextFile.write(file, to: "\(directory)/liar.yaml")
        let report = try Matrix(regd: Places.regd, directory: directory, filter: "registration").run()
        #expect(!report.isGreen)
        #expect(report.cells.allSatisfy { !$0.isGreen })
        #expect(report.table(colour: false).contains("RED liar, memory, registration: register: expected "))
      }
    }
  }

  @Test("an environment that cannot start, or says nothing of itself, is red")
  func broken() throws {
    for (file, says) in [
      ("nonsense: 1", "nonsense: unknown"), ("network: {backend: none}", "no section \"environment\""),
    ] {
      try TemporaryDirectory.with { directory in
        try TextFile.write(file, to: "\(directory)/broken.yaml")
        let report = try Matrix(regd: Places.regd, directory: directory, filter: "validation").run()
        #expect(!report.isGreen)
        #expect(report.table(colour: false).contains(says))
      }
    }
  }

  @Test("every shipped environment, store and flow")
  func all() throws {
    let matrix = try Matrix(regd: Places.regd, directory: Places.environments)
    let report = matrix.run()
    #expect(report.cells.count == matrix.cellCount)
    let rows = TemporaryDirectory.names(in: Places.environments).filter { $0.hasSuffix(".yaml") }
    #expect(rows.count >= 3)
    #expect(report.cells.count == rows.count * Matrix.stores.count * Flow.all.count)
    for cell in report.cells {
      #expect(cell.isGreen, "\(cell.environment), \(cell.store), \(cell.flow): \(cell.result)")
    }
  }

  @Test("the table has a row a store and environment, and counts its cells")
  func table() throws {
    let report = try Matrix(regd: Places.regd, directory: Places.environments, filter: "offline").run()
    let lines = report.table(colour: false).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("environment  store"))
    #expect(lines[1].contains("network.offline"))
    #expect(lines[3] == "10 cells, 10 green, 0 red")
  }
}
