internal import ArgumentParser
internal import RegdClient
internal import SQLiteStore

/// `regctl backup`: copies the store while regd uses it.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copies the store to a file while regd goes on, and checks the copy.",
    discussion: """
      Needs to read regd's database: as root, or as regd. The copy is of one moment, is checked before it gets its name, \
      and replaces an earlier one. To restore: stop regd, put the copy at store.sqlite.path as regd's own, remove what \
      lies beside it (-wal, -shm), start regd.
      """)

  @Argument(help: "The file to make.") var file: String
  @Option(help: "The database; else regd is asked where it is.") var database: String?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !file.isEmpty else { throw ValidationError("the file to make needs a name") }
  }

  func run() throws {
    let source = try database ?? findDatabase()
    Interruption.catchSignals()
    var bar = ProgressBar(unit: "accounts")
    do throws(SQLiteBackup.Failure) {
      let summary = try SQLiteBackup.copy(source, to: file) { fraction in
        bar.show("copying: \(Int(fraction * 100)) %")
        return !Interruption.hasCome
      }
      bar.finish(count: summary.accounts)
      connection.say("\(file): \(summary.accounts) accounts, \(summary.bytes) bytes, verified")
      if connection.json {
        print(
          JSONValue.object([
            .init("file", .string(file)), .init("accounts", .number("\(summary.accounts)")),
            .init("bytes", .number("\(summary.bytes)")),
          ]).text)
      }
    } catch {
      try Interruption.check()
      throw Refusal(message: error.description)
    }
  }

  private func findDatabase() throws -> String {
    let client = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout)
    switch try client.call("daemon.status") {
    case .failure(let error): throw connection.refusal(error)
    case .success(let status):
      guard let path = status["store"]?["path"]?.string else {
        let backend = status["store"]?["backend"]?.string ?? "?"
        throw Refusal(message: "the store of this regd is \(backend), which is no file that could be copied")
      }
      return path
    }
  }
}
