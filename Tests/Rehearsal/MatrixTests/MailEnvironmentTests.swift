import Matrix
import RegdProcesses
import RehearsedMails
import TestKit
import Testing

@Suite("Environments of mail", .timeLimit(.minutes(10)))
struct MailEnvironmentTests {
  private static let sections = """
    registration: {verification: required}
    password: {minimumLength: 6, refuseCommon: false, refuseResemblingEmail: false}

    """

  private func report(_ files: [String: String], filter: String) throws -> Report {
    try TemporaryDirectory.with { directory in
      for (name, text) in files { try TextFile.write(text, to: "\(directory)/\(name).yaml") }
      return try matrix(in: directory, filter: filter).run()
    }
  }

  @Test("the report explains why a file cannot run and what would be valid")
  func unplayable() throws {
    let environment = "environment: {name: x, gives: mailWorks}\n"
    for (file, says) in [
      (environment + "mail: {backend: file, from: r@example.com}", "needs registration.verification: required"),
      (environment + Self.sections, "has mail.backend none; the matrix reads the codes of its mails"),
      (environment + Self.sections + "mail: {backend: sendmail, from: r@example.com}", "has mail.backend sendmail;"),
      (
        environment + Self.sections + "mail: {backend: scripted, from: r@example.com, scripted: {send: [oops]}}",
        "\"oops\" is not an answer"
      ),
      (
        environment + Self.sections
          + "mail: {backend: scripted, from: r@example.com, scripted: {send: [reject to=a@example.com, accept]}}",
        "must have no to="
      ),
    ] {
      let report = try report(["broken": file], filter: "proof")
      #expect(report.cells.count == 1 && report.cells[0].isRed)
      #expect(report.table(colour: false, width: 300).contains(says), "\(says)")
    }
  }

  @Test("a mail environment that does not behave as it declares is red")
  func liars() throws {
    var files: [String: String] = [:]
    for (number, (mail, gives)) in [
      ("file", "mailOffline"), ("offline", "mailWorks"), ("offline", "mailDeferred"), ("unavailable", "mailLost"),
      ("unavailable", "mailRefused"),
    ].enumerated() {
      files["liar\(number)"] = """
        environment: {name: liar\(number), summary: not what it says, gives: \(gives)}
        \(Self.sections)mail: {backend: \(mail), from: regd@example.com}
        """
    }
    let report = try report(files, filter: "proof")
    #expect(report.cells.count == files.count * (1 + (try Places.stores.get().count)))
    for cell in report.cells { #expect(cell.isRed, "\(cell.environment), \(cell.rendering), \(cell.store)") }
  }

  /// Over SMTP, these faults are conditions of a real server: certificates, passwords, silence, lost connections. The
  /// shipped environments cover the other faults.
  @Test("a new environment file runs the same built in and against a mail server")
  func dropped() throws {
    var files: [String: String] = [:]
    for fault: MailFault in [.resetBefore, .closing, .wrongHost, .noTLS, .unauthorized, .rejectText, .timeout, .cut] {
      files[fault.rawValue] = """
        environment: {name: \(fault.rawValue), summary: dropped in, gives: \(Self.situation(fault).rawValue)}
        \(Self.sections)mail:
          backend: scripted
        # a comment is no end of a section
          from: noreply@example.org
          scripted: {send: [\(fault.rawValue)]}
        """
    }
    let report = try report(files, filter: "proof")
    #expect(report.cells.count == files.count * (1 + (try Places.stores.get().count)))
    for cell in report.cells {
      #expect(cell.isGreen, "\(cell.environment), \(cell.rendering), \(cell.store): \(cell.result)")
    }
  }

  private static func situation(_ fault: MailFault) -> MailSituation {
    switch fault {
    case .offline, .unroutable, .unresolvable, .resetBefore, .untrusted, .wrongHost, .expired, .noTLS, .timeout:
      .mailOffline
    case .closing, .unavailable, .greylisted: .mailDeferred
    case .unauthorized, .reject, .rejectText: .mailRefused
    case .cut, .lost, .mute: .mailLost
    }
  }

  /// `make matrix` runs all environments.
  @Test("every mail flow passes on every store, built in and over SMTP")
  func allFlows() throws {
    let report = try matrix(in: Places.environments, filter: "mail-lost").run()
    #expect(report.cells.count == (1 + (try Places.stores.get().count)) * Flow.all.count { $0.kind == .mail })
    for cell in report.cells {
      #expect(!cell.isRed, "\(cell.environment), \(cell.rendering), \(cell.store), \(cell.flow): \(cell.result)")
    }
  }
}
