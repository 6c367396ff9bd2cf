internal import ArgumentParser
internal import Linux
internal import RegdClient

/// `regctl import`: adds accounts from a file, with their password hashes.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Imports accounts with their password hashes; for administrators.",
    discussion: """
      A JSON object a line, as `regctl export` writes them: {"email": …, "passwordHash": "$argon2id$…", "state": \
      "active", "createdAt": …, "id": …}; all but the first two may be left out. Hashes are argon2id, scrypt (PHC) or \
      bcrypt.

      Nothing is ever overwritten, and an account that is there already counts as imported: an import that was \
      interrupted can be done again, or gone on with by --from-line. Exit status 1 if a line was refused.
      """)

  @Argument(help: "The file; - is standard input.") var file: String
  @Option(help: "Begin with this line.") var fromLine = 1
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard fromLine >= 1 else { throw ValidationError("--from-line counts from 1") }
    let input = try Terminal.openInput(file)
    Interruption.catchSignals()
    let status = try? input.status()
    let size = status?.kind == .regular ? status?.size ?? 0 : 0
    var work = ImportWork(
      client: try RegdClient(path: connection.path, timeoutSeconds: connection.timeout), file: file, size: size,
      firstLine: fromLine)
    var lines = LineReader(input)
    do {
      while let line = lines.next() {
        guard line.number >= fromLine else { continue }
        try Interruption.check()
        try work.take(line, bytesRead: lines.bytesRead)
      }
      try work.send(bytesRead: lines.bytesRead)
    } catch {
      // an import that continues from `firstUnsent` does not see these lines again
      work.reportRefused()
      Terminal.report(
        "imported \(work.imported), and then stopped; to go on: regctl import \(file) --from-line \(work.firstUnsent)")
      throw error
    }
    work.reportRefused()
    if let failure = lines.failure {
      throw Refusal(message: "\(file) cannot be read behind line \(lines.number): \(failure.text)")
    }
    let (imported, refused) = (work.imported, work.refused)
    work.finish()
    if connection.json {
      print(
        JSONValue.object([.init("imported", .number("\(imported)")), .init("refused", .number("\(refused)"))]).text)
    }
    connection.say("imported \(imported), refused \(refused)")
    if refused > 0 { throw Refusal(message: nil) }
  }
}

/// Sends records to regd in batches.
struct ImportWork: ~Copyable {
  /// A call is one transaction of the store: large enough to make its sync cheap, small enough not to hold up other callers.
  private static let recordsAtOnce = 500
  /// Well below the default limit of a message.
  private static let bytesAtOnce = 400_000

  private let client: RegdClient
  private let file: String
  private let size: Int
  private var bar = ProgressBar(unit: "accounts")
  private var records: [JSONValue] = []
  private var numbers: [Int] = []
  private var bytes = 0
  private(set) var imported = 0
  /// Refused lines that are not reported yet.
  private var unreported: [(number: Int, why: String)] = []
  private(set) var refused = 0
  /// The line from which an interrupted import can continue.
  private(set) var firstUnsent: Int

  init(client: RegdClient, file: String, size: Int, firstLine: Int) {
    firstUnsent = firstLine
    self.client = client
    self.file = file
    self.size = size
  }

  mutating func take(_ line: LineReader.Line, bytesRead: Int) throws {
    if numbers.isEmpty { firstUnsent = line.number }
    guard let text = line.text else { return refuse(line.number, "a line may have at most \(LineReader.limit) bytes") }
    if text.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return }
    guard let record = JSONValue(text), case .object = record else {
      return refuse(line.number, "this is no JSON object; right is {\"email\": …, \"passwordHash\": …}")
    }
    guard record.isFlat else {
      return refuse(line.number, "a record has no lists and no objects in it")
    }
    records.append(record)
    numbers.append(line.number)
    bytes += text.count
    if records.count >= Self.recordsAtOnce || bytes >= Self.bytesAtOnce { try send(bytesRead: bytesRead) }
  }

  mutating func send(bytesRead: Int) throws {
    guard !records.isEmpty else { return }
    try send(records[...], numbers[...])
    reportRefused()
    firstUnsent = (numbers.last ?? 0) + 1
    (records, numbers, bytes) = ([], [], 0)
    bar.show(size > 0 ? Double(bytesRead) / Double(size) : nil, count: imported + refused)
  }

  /// Sends the records; in halves where regd refuses the message as too large.
  private mutating func send(_ records: ArraySlice<JSONValue>, _ numbers: ArraySlice<Int>) throws {
    switch try client.call("account.import", ["records": .array(Array(records))]) {
    case .failure(let error) where error.reason == "request.tooLarge" && records.count > 1:
      let half = records.count / 2
      try send(records.prefix(half), numbers.prefix(half))
      try send(records.dropFirst(half), numbers.dropFirst(half))
    case .failure(let error) where error.reason == "request.tooLarge":
      refuse(numbers.first ?? 0, ConnectionOptions.describe(error))
    case .failure(let error):
      throw Refusal(message: ConnectionOptions.describe(error), source: error.source)
    case .success(let result):
      imported += result["imported"]?.integer ?? 0
      for refusal in result["refused"]?.array ?? [] {
        guard let index = refusal["index"]?.integer, index < numbers.count else { continue }
        let why = "\(refusal["message"]?.string ?? "?") (\(refusal["reason"]?.string ?? "?"))"
        refuse(numbers[numbers.startIndex + index], why)
      }
    }
  }

  private mutating func refuse(_ number: Int, _ why: String) {
    refused += 1
    unreported.append((number, why))
  }

  mutating func reportRefused() {
    guard !unreported.isEmpty else { return }
    bar.interrupt()
    for line in unreported.sorted(by: { $0.number < $1.number }) {
      Terminal.report("\(file):\(line.number): \(line.why)")
    }
    unreported = []
  }

  consuming func finish() { bar.finish(count: imported + refused) }
}

extension JSONValue {
  /// Whether this is an object whose members are neither objects nor lists.
  fileprivate var isFlat: Bool {
    guard case .object(let members) = self else { return false }
    return members.allSatisfy { member in
      switch member.value {
      case .object, .array: false
      case .null, .bool, .number, .string: true
      }
    }
  }
}
