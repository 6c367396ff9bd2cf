internal import ArgumentParser
internal import Linux
internal import RegdClient

/// `regctl export`: writes all accounts with their hashes, for another regd to import.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes all accounts with their password hashes; for administrators.",
    discussion: """
      A JSON object a line, as `regctl import` reads them. The file is readable by its owner only. A backup, which has \
      the audit and the requests too, is made by `regctl backup`.
      """)

  @Argument(help: "The file, which must not be there yet; - is standard output.") var file: String
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let client = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout)
    Interruption.catchSignals()
    let partial = "\(file).partial-\(ThisProcess.id)"
    let isFile = file != "-"
    if isFile, FileSystem.exists(file) { throw Refusal(message: "\(file) is there already") }
    let output = isFile ? try Self.make(partial) : .standardOutput
    var isDone = false
    defer { if isFile, !isDone { FileSystem.remove(partial) } }
    var bar = ProgressBar(unit: "accounts")
    var count = 0
    var lines: [UInt8] = []
    try Pages.forEach(client, "account.export", member: "records", after: nil) { record in
      lines += Array("\(record.text)\n".utf8)
      count += 1
      guard lines.count > 65_536 else { return }
      try Interruption.check()
      try Self.write(lines, to: output)
      lines = []
      bar.show(nil, count: count)
    }
    try Self.write(lines, to: output)
    if isFile {
      do throws(SystemError) {
        try output.synchronize()
        try FileSystem.rename(partial, to: file)
      } catch {
        throw Refusal(message: "\(file) cannot be written: \(error.text)")
      }
      isDone = true
    }
    bar.finish(count: count)
    if isFile, connection.json { print(JSONValue.object([.init("exported", .number("\(count)"))]).text) }
    try Self.checkDamage(client)
  }

  /// Refuses an export that lacks accounts: regd leaves out those that it cannot read.
  private static func checkDamage(_ client: RegdClient) throws {
    guard case .success(let status) = try client.call("daemon.status"),
      let count = status["store"]?["damagedAccounts"]?.integer, count > 0
    else { return }
    let names = (status["store"]?["damaged"]?.array ?? []).compactMap(\.string).filter { $0.hasPrefix("account ") }
    throw Refusal(
      message: """
        \(count) \(count == 1 ? "account" : "accounts") could not be read and \(count == 1 ? "is" : "are") not in the export: \
        \(names.prefix(10).joined(separator: ", "))\(count > 10 ? ", …" : "") (met since regd was started; see its log)
        """)
  }

  private static func make(_ path: String) throws -> Descriptor {
    do throws(SystemError) {
      return try .open(path, [.writing, .creatingNew], permissions: 0o600)
    } catch { throw Refusal(message: "\(path) cannot be made: \(error.text)") }
  }

  private static func write(_ bytes: [UInt8], to descriptor: borrowing Descriptor) throws {
    do throws(SystemError) { try descriptor.writeAll(bytes) } catch {
      throw Refusal(message: "cannot write: \(error.text)")
    }
  }
}
