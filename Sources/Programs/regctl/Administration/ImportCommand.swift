internal import AccountImport
internal import ArgumentParser
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import Registration
internal import UserMessages

/// `regctl import`: adds accounts from a file, with their password hashes.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: .said(StoreTransferHelp.import), discussion: .said(StoreTransferHelp.importMore))

  @Argument(help: .said(StoreTransferHelp.importFile)) var files: [String]
  @Option(help: .said(StoreTransferHelp.fromLine, valueName: "line")) var fromLine = 1
  @OptionGroup(title: .said(ForeignHelp.title)) var foreign: ForeignOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard fromLine >= 1 else { throw ValidationError(UsageMessageKey.fromLine) }
    guard foreign.from == nil || fromLine == 1 else {
      throw ValidationError(ForeignMessageKey.fromLine)
    }
    guard foreign.from != nil || files.count == 1 else {
      throw ValidationError(ForeignMessageKey.oneFile)
    }
  }

  func run() throws {
    if let importing = try foreign.importing(files, connection) { return try importing.run() }
    try importLines(of: files[0])
  }

  private func importLines(of file: String) throws {
    let input = try Terminal.openInput(file)
    Interruption.catchSignals()
    let status = try? input.status()
    let size = status?.kind == .regular ? status?.size ?? 0 : 0
    var work = ImportWork(
      client: try connection.client(), file: file, size: size,
      firstLine: fromLine)
    var lines = LineReader(input)
    do {
      while let line = lines.next() {
        guard line.number >= fromLine else { continue }
        try Interruption.check()
        try work.take(line, bytesRead: lines.bytesRead)
      }
      try work.send(bytesRead: lines.bytesRead)
    } catch let failure as SourceFailure {
      // the first line fails in this way, so nothing was sent
      throw Refusal(ForeignMessageKey.fileNothingImported, ["fault": .sentence(failure.sentence(file))])
    } catch {
      // an import that continues from `firstUnsent` does not read these lines again, so it would not report them
      work.reportRefused()
      Terminal.report(
        StoreTransferMessageKey.importStopped,
        [
          "count": .number(work.imported),
          "command": "regctl import \(file) --from-line \(work.firstUnsent)",
        ])
      throw error
    }
    work.reportRefused()
    if let failure = lines.failure {
      throw Refusal(
        FailureMessageKey.cannotReadBehind,
        ["file": .text(file), "line": .number(lines.number), "reason": .text(failure.text)])
    }
    let (imported, refused) = (work.imported, work.refused)
    work.finish()
    if connection.json {
      Terminal.print(
        JSONValue.object([.init("imported", .number("\(imported)")), .init("refused", .number("\(refused)"))]).text)
    }
    connection.say(StoreTransferMessageKey.imported, ["imported": .number(imported), "refused": .number(refused)])
    if refused > 0 { throw Refusal(message: nil) }
  }
}

/// Sends the lines of a file to regd.
struct ImportWork: ~Copyable {
  private let file: String
  private let size: Int
  private var bar = ProgressBar(of: .accounts)
  private var batch: ImportBatch<Int>
  private(set) var imported = 0
  /// Refused lines, and lines of which a part is left out, that are not reported yet.
  private var unreported: [(number: Int, why: String)] = []
  private(set) var refused = 0
  /// The line from which an interrupted import can continue.
  private(set) var firstUnsent: Int

  init(client: RegdClient, file: String, size: Int, firstLine: Int) {
    firstUnsent = firstLine
    batch = ImportBatch(client: client)
    self.file = file
    self.size = size
  }

  mutating func take(_ line: LineReader.Line, bytesRead: Int) throws {
    if batch.isEmpty { firstUnsent = line.number }
    guard let text = line.text else {
      return refuse(line.number, Speech.text(StoreTransferMessageKey.lineTooLong, ["count": .number(LineReader.limit)]))
    }
    if text.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return }
    guard let record = JSONValue(text), case .object = record else {
      if line.number == 1, ForeignImport.looksLikeCSV(text) { throw SourceFailure.csvForJSON }
      return refuse(line.number, Speech.text(StoreTransferMessageKey.notAnObject))
    }
    guard record.isFlat else {
      return refuse(line.number, Speech.text(StoreTransferMessageKey.notFlat))
    }
    let taken = withoutBadGroups(record, line.number)
    batch.add(taken, line.number, bytes: text.count)
    if batch.isFull { try send(bytesRead: bytesRead) }
  }

  /// The record without the names in `groups` that are not group names, because regd refuses a record that has one.
  private mutating func withoutBadGroups(_ record: JSONValue, _ number: Int) -> JSONValue {
    guard case .object(var members) = record, let index = members.firstIndex(where: { $0.name == "groups" }),
      let groups = members[index].value.array
    else { return record }
    let leftOut = LeftOutGroups(of: groups.compactMap(\.string))
    guard !leftOut.isEmpty else { return record }
    for sentence in leftOut.sentences { tell(number, LeftOutGroups.reason, Speech.text(sentence)) }
    // regd refuses an element of another type
    let good = groups.filter { $0.string.map { GroupName($0) != nil } ?? true }
    members[index] = .init("groups", .array(good))
    return .object(members)
  }

  mutating func send(bytesRead: Int) throws {
    guard let last = batch.lastPlace else { return }
    let answer = try batch.send()
    imported += answer.imported
    for (number, reason, message) in answer.refused {
      refused += 1
      tell(number, reason, message)
    }
    reportRefused()
    firstUnsent = last + 1
    bar.show(size > 0 ? Double(bytesRead) / Double(size) : nil, count: imported + refused)
  }

  private mutating func refuse(_ number: Int, _ why: String) {
    refused += 1
    unreported.append((number, why))
  }

  private mutating func tell(_ number: Int, _ reason: String, _ message: String) {
    unreported.append(
      (number, Speech.text(RefusalMessageKey.withReason, ["message": .text(message), "reason": .text(reason)])))
  }

  mutating func reportRefused() {
    guard !unreported.isEmpty else { return }
    bar.interrupt()
    for line in unreported.sorted(by: { $0.number < $1.number }) {
      Terminal.report(
        StoreTransferMessageKey.line, ["file": .text(file), "line": .number(line.number), "reason": .text(line.why)])
    }
    unreported = []
  }

  consuming func finish() { bar.finish(count: imported + refused) }
}

extension JSONValue {
  /// Whether this is an object without nested objects or lists, except for `terms`, an object, and `groups`, a list, which must be
  /// flat themselves.
  fileprivate var isFlat: Bool {
    guard case .object(let members) = self else { return false }
    return members.allSatisfy { member in
      switch member.value {
      case .object(let inner): member.name == "terms" && inner.allSatisfy(\.value.isPlain)
      case .array(let elements): member.name == "groups" && elements.allSatisfy(\.isPlain)
      case .null, .bool, .number, .string: member.value.isPlain
      }
    }
  }

  private var isPlain: Bool {
    switch self {
    case .object, .array: false
    case .null, .bool, .number, .string: true
    }
  }
}
