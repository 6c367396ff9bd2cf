internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import SQLiteStore
internal import UserMessages

/// `regctl backup`: copies the store while regd uses it.
struct BackupCommand: ParsableCommand {
  static let configuration = BackupArguments.command
  @OptionGroup var arguments: BackupArguments

  private var connection: ConnectionOptions { arguments.connection }

  func run() throws {
    let file = arguments.file
    let source = try arguments.database ?? findDatabase()
    Interruption.catchSignals()
    var bar = ProgressBar(of: .accounts)
    do throws(SQLiteBackup.Failure) {
      let summary = try SQLiteBackup.copy(source, to: file) { fraction in
        bar.show(StoreTransferMessageKey.copying, ["percent": .number(Int(fraction * 100))])
        return !Interruption.hasCome
      }
      bar.finish(count: summary.accounts)
      connection.say(
        StoreTransferMessageKey.backedUp,
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
      throw Refusal(FailureMessageKey.storeNotCopied, ["backend": .text(status.shown("store", "backend"))])
    }
    return path
  }
}
