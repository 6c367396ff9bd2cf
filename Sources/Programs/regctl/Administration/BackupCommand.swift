internal import ArgumentParser
internal import RegdClient
internal import SQLiteStore
internal import Sentences

/// `regctl backup`: copies the store while regd uses it.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: .said(MovingHelp.backup),
    discussion: .said(MovingHelp.backupMore))

  @Argument(help: .said(MovingHelp.backupFile)) var file: String
  @Option(help: .said(CommonHelp.database, valueName: "path")) var database: String?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !file.isEmpty else { throw ValidationError(UsageSentence.backupName) }
  }

  func run() throws {
    let source = try database ?? findDatabase()
    Interruption.catchSignals()
    var bar = ProgressBar(of: .accounts)
    do throws(SQLiteBackup.Failure) {
      let summary = try SQLiteBackup.copy(source, to: file) { fraction in
        bar.show(MovingSentence.copying, ["percent": .number(Int(fraction * 100))])
        return !Interruption.hasCome
      }
      bar.finish(count: summary.accounts)
      connection.say(
        MovingSentence.backedUp,
        ["file": .text(file), "accounts": .number(summary.accounts), "bytes": .number(summary.bytes)])
      if connection.json {
        Terminal.print(
          JSONValue.object([
            .init("file", .string(file)), .init("accounts", .number("\(summary.accounts)")),
            .init("bytes", .number("\(summary.bytes)")),
          ]).text)
      }
    } catch {
      try Interruption.check()
      throw Refusal(message: Speech.text(error.sentence))
    }
  }

  private func findDatabase() throws -> String {
    let status = try connection.result(of: "daemon.status")
    guard let path = status["store"]?["path"]?.string else {
      throw Refusal(FailureSentence.storeNotCopied, ["backend": .text(status.shown("store", "backend"))])
    }
    return path
  }
}
