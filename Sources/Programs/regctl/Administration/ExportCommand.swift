internal import ArgumentParser
internal import Glibc
internal import RegdClient

/// `regctl export`: all accounts with their hashes, for moving house.
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
    let partial = "\(file).partial-\(getpid())"
    let isFile = file != "-"
    if isFile, access(file, F_OK) == 0 { throw Refusal(message: "\(file) is there already") }
    let output = isFile ? open(partial, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600) : STDOUT_FILENO
    guard output >= 0 else {
      throw Refusal(message: "\(partial) cannot be made: \(String(cString: strerror(errno)))")
    }
    var isDone = false
    defer { if isFile, !isDone { unlink(partial) } }
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
      guard fsync(output) == 0, close(output) == 0, rename(partial, file) == 0 else {
        throw Refusal(message: "\(file) cannot be written: \(String(cString: strerror(errno)))")
      }
      isDone = true
    }
    bar.finish(count: count)
    if isFile, connection.json { print(JSONValue.object([.init("exported", .number("\(count)"))]).text) }
    try Self.checkDamage(client)
  }

  /// What regd could not read is in no page; the file is no whole export then, and says nothing of it.
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

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Refusal(message: "cannot write: \(String(cString: strerror(errno)))") }
      written += count
    }
  }
}
