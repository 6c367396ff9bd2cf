internal import ArgumentParser
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl export`: writes all accounts with their hashes, for another regd to import.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: .said(StoreTransferHelp.export), discussion: .said(StoreTransferHelp.exportMore))

  @Argument(help: .said(StoreTransferHelp.exportFile)) var file: String
  @Option(name: .customLong("to"), help: .said(StoreTransferHelp.exportFormat, valueName: "format")) var format =
    ExportFormat
    .jsonl
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let client = try connection.client()
    Interruption.catchSignals()
    let partial = "\(file).partial-\(ThisProcess.id)"
    let isFile = file != "-"
    if isFile, FileSystem.exists(file) { throw Refusal(FailureMessageKey.isThere, ["file": .text(file)]) }
    let output = isFile ? try Self.make(partial) : .standardOutput
    var isDone = false
    defer { if isFile, !isDone { FileSystem.remove(partial) } }
    var bar = ProgressBar(of: .accounts)
    var (count, termsLeftOut) = (0, 0)
    let info = try client.call("rpc.serverInfo").get()
    let hasTerms = format == .jsonl || info["registration"]?["terms"] != nil
    var lines = Array(format.heading(withTerms: hasTerms).utf8)
    try Pages.forEach(client, "account.export", member: "records", after: nil) { record in
      lines += Array(format.line(record, withTerms: hasTerms).utf8)
      count += 1
      if !hasTerms, record["terms"] != nil { termsLeftOut += 1 }
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
        throw Refusal(FailureMessageKey.cannotWriteFile, ["file": .text(file), "reason": .text(error.text)])
      }
      isDone = true
    }
    bar.finish(count: count)
    if isFile, connection.json { Terminal.print(JSONValue.object([.init("exported", .number("\(count)"))]).text) }
    guard termsLeftOut == 0 else {
      throw Refusal(StoreTransferMessageKey.exportWithoutTerms, ["count": .number(termsLeftOut)])
    }
    try Self.checkDamage(client)
  }

  /// Throws if regd has left out accounts from the export, because it cannot read their rows.
  private static func checkDamage(_ client: RegdClient) throws {
    let status = try client.call("daemon.status").get()
    guard let count = status["store"]?["damagedAccounts"]?.integer, count > 0 else { return }
    let names = (status["store"]?["damaged"]?.array ?? []).compactMap(\.string).filter { $0.hasPrefix("account ") }
    throw Refusal(
      StoreTransferMessageKey.exportLacks,
      ["count": .number(count), "accounts": .list(names.prefix(10), isCut: count > 10)])
  }

  private static func make(_ path: String) throws -> Descriptor {
    do throws(SystemError) {
      return try .open(path, [.writing, .creatingNew], permissions: 0o600)
    } catch { throw Refusal(FailureMessageKey.cannotMake, ["file": .text(path), "reason": .text(error.text)]) }
  }

  private static func write(_ bytes: [UInt8], to descriptor: borrowing Descriptor) throws {
    do throws(SystemError) {
      guard descriptor.isTerminal else { return try descriptor.writeAll(bytes) }
      try descriptor.writeAll(HarmlessText.lines(String(decoding: bytes, as: UTF8.self)))
    } catch {
      throw Refusal(FailureMessageKey.cannotWrite, ["reason": .text(error.text)])
    }
  }
}

/// The format in which `regctl export` writes accounts.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  /// One JSON object per line.
  case jsonl
  /// RFC 4180, but with bare line feeds at line ends, which more programs can read.
  case csv

  /// The paths of a record's members and the names of their columns, in the columns' order.
  private static let columns = [
    (["email"], "email"), (["passwordHash"], "password_hash"), (["state"], "state"), (["createdAt"], "created_at"),
    (["id"], "id"), (["groups"], "groups"), (["displayName"], "display_name"),
  ]
  private static let termsColumns = [
    (["terms", "version"], "terms_version"), (["terms", "acceptedAt"], "terms_accepted_at"),
  ]

  /// - Parameter hasTerms: Whether a CSV has columns for the terms that an account has accepted.
  func heading(withTerms hasTerms: Bool) -> String {
    switch self {
    case .jsonl: ""
    case .csv: (Self.columns + (hasTerms ? Self.termsColumns : [])).map(\.1).joined(separator: ",") + "\n"
    }
  }

  /// - Parameter hasTerms: As in `heading`.
  func line(_ record: JSONValue, withTerms hasTerms: Bool) -> String {
    switch self {
    case .jsonl: "\(record.text)\n"
    case .csv:
      (Self.columns + (hasTerms ? Self.termsColumns : [])).map { path, _ in
        Self.quoted(Self.text(path.reduce(Optional(record)) { $0?[$1] }))
      }.joined(separator: ",") + "\n"
    }
  }

  /// A text, or the texts of an array with spaces between them, or "" for no value.
  private static func text(_ value: JSONValue?) -> String {
    value?.string ?? (value?.array ?? []).compactMap(\.string).joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
