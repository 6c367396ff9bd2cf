internal import ArgumentParser
internal import AuditVerification
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl audit verify`: recomputes the tree of the audit, and compares it with the present head and with stored heads.
struct AuditVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: .said(AuditHelp.verify), discussion: .said(AuditHelp.verifyMore))
  @Option(help: .said(AuditHelp.heads, valueName: "file")) var heads: String?
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let file = try heads.map(Self.read)
    let report: AuditReport
    do { report = try verify(file?.heads ?? []) } catch let failure as RegdClientFailure {
      throw Unverified(failure.sentence)
    } catch let failure as AuditFailure {
      throw Unverified(failure.sentence)
    }
    show(report, file)
    let lack = file.flatMap(shortcoming)
    guard report.differences.isEmpty else {
      Terminal.report(text: lack.map { Speech.text($0) })
      throw Refusal(message: nil)
    }
    if let lack { throw Unverified(lack) }
  }

  private static func read(_ path: String) throws -> HeadsFile {
    do throws(FileReading.Failure) { return try HeadsFile(path: path) } catch {
      let reason = if case .system(let error) = error { error.text } else { "\(error)" }
      throw Unverified(LocalizedMessage(FailureMessageKey.cannotOpen, ["file": .text(path), "reason": .text(reason)]))
    }
  }

  /// Why the file does not allow a complete verification, or nil if it does.
  private func shortcoming(_ file: HeadsFile) -> LocalizedMessage? {
    let path = LocalizedMessage.Content.text(heads ?? "")
    if let line = file.otherLines.first {
      return LocalizedMessage(AuditMessageKey.notHead, ["file": path, "line": .text("\(line)")])
    }
    return file.heads.isEmpty ? LocalizedMessage(AuditMessageKey.noHeads, ["file": path]) : nil
  }

  private func verify(_ heads: [HeadsFile.Line]) throws -> AuditReport {
    let audit = RegdAudit(try connection.conversation())
    let all = try audit.head().size
    var bar = ProgressBar(of: .entries)
    let report = try AuditVerification(audit, heads: heads).run { count in
      bar.show(Double(count) / Double(max(all, 1)), count: count)
    }
    bar.finish(count: report.entries)
    return report
  }

  private func show(_ report: AuditReport, _ file: HeadsFile?) {
    if connection.json { return Terminal.print(Self.json(report, heads: file?.heads.count ?? 0).text) }
    for change in report.keyChanges {
      let key = LocalizedMessage.Content.text(change.head.key)
      guard let line = change.line else {
        connection.say(AuditMessageKey.presentKeyChanged, ["key": key])
        continue
      }
      connection.say(AuditMessageKey.keyChanged, ["line": .text("\(line)"), "key": key])
    }
    for difference in report.differences { connection.say(difference.sentence) }
    guard report.differences.isEmpty else { return }
    let entries = LocalizedMessage.Content.number(report.entries)
    guard let count = file?.heads.count else {
      return connection.say(AuditMessageKey.verifiedAlone, ["entries": entries])
    }
    connection.say(AuditMessageKey.verified, ["entries": entries, "heads": .number(count)])
  }

  private static func json(_ report: AuditReport, heads: Int) -> JSONValue {
    let keys = report.keyChanges.map { change in
      let line = change.line.map { JSONValue.number("\($0)") }
      return JSONValue.object([.init("key", .string(change.head.key))]).adding("line", line)
    }
    let differences = report.differences.map { difference in
      difference.json.adding("message", JSONValue.string(Speech.text(difference.sentence)))
    }
    return .object([
      .init("entries", .number("\(report.entries)")), .init("root", .string(report.root.base64)),
      .init("heads", .number("\(heads)")), .init("keyChanges", .array(keys)),
      .init("differences", .array(differences)),
    ])
  }
}
