internal import AccountImport
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import Registration
internal import UserMessages

/// An import from another system. Reads all files once before it sends anything. So a truncated file imports nothing,
/// and records that have the same address for regd are found first.
struct ForeignImporting {
  let reading: ForeignImport
  let files: [String]
  let connection: ConnectionOptions
  let isDry: Bool
  /// The file for refused records, or nil for standard error.
  let report: String?

  func run() throws {
    Interruption.catchSignals()
    let clients = isDry ? [] : try (0..<3).map { _ in try connection.client() }
    let before = try files.map(status)
    let noted = try note(size: before.reduce(0) { $0 + $1.size })
    // made after the first reading, because a run that fails there must not leave a file, which the next run would
    // refuse to overwrite
    let refusals = try RefusalReport(report, files: files)
    var work = ForeignWork(clients, refusals, size: before.reduce(0) { $0 + $1.size })
    do {
      for (index, file) in files.enumerated() {
        try failing(file, .fileStopped) {
          try reading.read(try Terminal.openInput(file), file: index, noted) { record, place, bytesRead in
            try work.take(record, place, bytesRead)
          }
        }
        work.endFile(before[index].size)
        guard try status(file) == before[index] else {
          throw Refusal(ForeignMessageKey.changed, ["file": .text(file)])
        }
      }
      try work.send()
      try work.takeAnswers()
    } catch {
      work.interrupt()
      if !isDry {
        Terminal.report(ForeignMessageKey.stopped, ["count": .number(work.tally.imported)])
      }
      throw error
    }
    let tally = work.finish()
    if connection.json { Terminal.print(tally.json(isDry: isDry).text) }
    for line in tally.lines(isDry: isDry) { connection.say(line: line) }
    if tally.refused > 0 { throw Refusal(message: nil) }
  }

  private func status(_ file: String) throws -> FileStatus {
    // standard input may be a file, but it cannot be opened a second time
    guard file != "-" else { throw Refusal(ForeignMessageKey.notTwice, ["file": .text(file)]) }
    guard let status = try? FileStatus(file) else { return try Terminal.openInput(file).status() }
    guard status.kind == .regular else {
      throw Refusal(ForeignMessageKey.notTwice, ["file": .text(file)])
    }
    return status
  }

  private func note(size: Int) throws -> FirstReading {
    var noted = FirstReading()
    var bar = ProgressBar(of: .recordsRead)
    var (bytes, records) = (0, 0)
    for (index, file) in files.enumerated() {
      var (bytesInFile, recordsInFile) = (0, 0)
      try failing(file, .fileNothingImported) {
        try reading.note(try Terminal.openInput(file), file: index, in: &noted) { bytesRead, count in
          try Interruption.check()
          (bytesInFile, recordsInFile) = (bytesRead, count)
          bar.show(size > 0 ? Double(bytes + bytesRead) / Double(size) : nil, count: records + count)
        }
      }
      bytes += bytesInFile
      records += recordsInFile
    }
    noted.settle()
    bar.interrupt()
    return noted
  }

  private func failing(_ file: String, _ consequence: ForeignMessageKey, _ body: () throws -> Void) throws {
    do { try body() } catch let failure as SourceFailure {
      let fault = failure.sentence(file)
      throw Refusal(
        message: Speech.text(isDry ? fault : LocalizedMessage(consequence, ["fault": .sentence(fault)])))
    }
  }
}

/// Handles records one after the other: sends accounts, and reports the rest.
struct ForeignWork: ~Copyable {
  private(set) var tally = ImportTally()
  private typealias Batch = ImportBatch<(place: RecordPlace, email: String, counted: ImportTally.Counted)>
  private var batch: Batch?
  private var refusals: RefusalReport
  private var bar = ProgressBar(of: .records)
  private let size: Int
  private var bytesBefore = 0
  private var bytesRead = 0

  /// - Parameter clients: Connections to one regd, two or more, or none in a dry run.
  init(_ clients: [RegdClient], _ refusals: consuming RefusalReport, size: Int) {
    batch = clients.first.map { Batch(client: $0, ahead: Array(clients.dropFirst()), recordsAtOnce: 1000) }
    self.refusals = refusals
    self.size = size
  }

  mutating func take(_ record: ForeignRecord, _ place: RecordPlace, _ bytesRead: Int) throws {
    self.bytesRead = bytesRead
    switch record {
    case .passedOver: tally.passedOver += 1
    case .refused(let refusal, let name):
      tally.refused += 1
      refusals.add(place, name, refusal.reason, Speech.text(refusal.sentence(refusals.files)))
    case .account(let account):
      let counted = tally.count(account)
      for sentence in account.leftOut.sentences {
        refusals.tell(place, account.email, LeftOutGroups.reason, Speech.text(sentence))
      }
      batch?.add(account.json, (place, account.email, counted), bytes: account.size)
      if batch?.isFull ?? (tally.accounts.isMultiple(of: 500)) { try send() }
    }
  }

  /// Sends the collected accounts, and handles the answers to earlier calls that have come.
  mutating func send() throws {
    try Interruption.check()
    if let answer = try batch?.sendAhead() { take(answer) }
    try showProgress()
  }

  /// Handles the answers to all sent accounts.
  mutating func takeAnswers() throws {
    while let answer = try batch?.takeAnswer() { take(answer) }
    try showProgress()
  }

  private mutating func showProgress() throws {
    try refusals.write { bar.interrupt() }
    bar.show(
      size > 0 ? Double(bytesBefore + bytesRead) / Double(size) : nil, count: tally.accounts + tally.refused)
  }

  mutating func endFile(_ size: Int) { (bytesBefore, bytesRead) = (bytesBefore + size, 0) }

  /// Handles the remaining answers, best effort, after an error.
  mutating func interrupt() {
    bar.interrupt()
    while batch?.isInFlight ?? false {
      if let answer = try? batch?.takeAnswer() { take(answer) }
    }
    try? refusals.write {}
  }

  consuming func finish() -> ImportTally {
    bar.finish(count: tally.accounts + tally.refused)
    return tally
  }

  private mutating func take(_ answer: Batch.Answer) {
    tally.imported += answer.imported
    for ((place, email, counted), reason, message) in answer.refused {
      tally.refuse(counted)
      refusals.add(place, email, reason, message)
    }
  }
}

extension ForeignAccount {
  /// About the size of `json`.
  fileprivate var size: Int {
    let names = groups.names.reduce(0) { $0 + $1.description.utf8.count + 3 }
    return email.utf8.count + names + (displayName?.text.utf8.count ?? 0) + 280
  }

  /// The record for `account.import`.
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("email", .string(email)), .init("passwordHash", .string(passwordHash)),
      .init("state", .string(state.rawValue)),
    ]
    if let createdAt { members.append(.init("createdAt", .string(createdAt.rfc3339))) }
    if let id { members.append(.init("id", .string(id))) }
    if let terms {
      members.append(
        .init("terms", ["version": .string(terms.version), "acceptedAt": .string(terms.acceptedAt.rfc3339)]))
    }
    if !groups.isEmpty {
      members.append(.init("groups", .array(groups.names.map { .string($0.description) })))
    }
    if let displayName { members.append(.init("displayName", .string(displayName.text))) }
    return .object(members)
  }
}
