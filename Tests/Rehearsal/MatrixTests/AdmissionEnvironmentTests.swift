import Matrix
import RegdProcesses
import TestKit
import Testing

@Suite("Environments of admission", .blocking, .timeLimit(.minutes(10)))
struct AdmissionEnvironmentTests {
  private static let sections = """
    password: {minimumLength: 6, refuseCommon: false, refuseResemblingEmail: false}
    network: {backend: scripted, scripted: {register: [accept]}}

    """

  @Test("an environment is red if other people may register than it declares")
  func liars() throws {
    for (number, (gives, registration)) in [
      ("invited", "{mode: open}"), ("invited", "{mode: closed}"), ("closed", "{mode: open}"),
      ("closed", "{mode: invited}"), ("approval", "{approval: none}"), ("approval", "{mode: closed}"),
      ("approval", "{approval: uninvited}"), ("success", "{approval: administrator}"),
    ].enumerated() {
      try TemporaryDirectory.with { directory in
        let file = """
          environment: {name: liar\(number), summary: not what it says, gives: \(gives)}
          \(Self.sections)registration: \(registration)
          """
        try TextFile.write(file, to: "\(directory)/liar.yaml")
        let report = try matrix(in: directory, filter: gives == "success" ? "registration" : "entry").run()
        #expect(!report.cells.isEmpty)
        for cell in report.cells { #expect(cell.isRed, "\(gives), \(registration), \(cell.rendering), \(cell.store)") }
      }
    }
  }

  @Test("the flow about groups is not run in an environment that has its own doors")
  func ownDoors() throws {
    try TemporaryDirectory.with { directory in
      let file = """
        environment: {name: doors, summary: a door of the operator, gives: invited}
        \(Self.sections)registration: {mode: invited}
        doors: {own: {protocol: http, path: "\(directory)/own"}}
        """
      try TextFile.write(file, to: "\(directory)/doors.yaml")
      let report = try matrix(in: directory, filter: "group").run()
      #expect(!report.cells.isEmpty)
      for cell in report.cells { #expect(!cell.isPlayed && !cell.isRed, "\(cell.rendering), \(cell.store)") }
    }
  }

  @Test(
    "every admission flow passes on every store, built in and over HTTP", arguments: ["invited", "closed", "approval"])
  func shipped(_ name: String) throws {
    let report = try matrix(in: Places.environments, filter: "\(name).yaml").run()
    let flows = Flow.all.count { $0.kind == .admission }
    let stores = try Places.stores.get().count
    #expect(flows >= 4 && report.cells.count == 2 * stores * flows)
    #expect(report.cells.contains { $0.isGreen })
    for cell in report.cells {
      #expect(!cell.isRed, "\(cell.environment), \(cell.rendering), \(cell.store), \(cell.flow): \(cell.result)")
    }
  }
}
