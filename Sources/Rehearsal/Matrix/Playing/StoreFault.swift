internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import RehearsedNetworks

/// Causes faults of a store that a configuration file cannot cause: the store is full, locked or replaced while regd uses it.
final class StoreFault {
  private var lock: DatabaseLock?
  /// The process id of the regd whose files cannot grow, or nil if no regd is limited.
  private var limited: Int32?

  /// Causes the condition's fault. Returns nil if the condition needs none.
  init?(_ condition: EnvironmentCondition, _ fixture: Fixture) throws {
    switch condition {
    case .storeFull: try Self.fill(Caller(fixture.socket))
    case .storeLocked: lock = try DatabaseLock(fixture.database)
    case .storeCommitFails: limited = try Self.limit(fixture)
    case .storeReplaced: try Self.replace(fixture.database)
    case .success, .offline, .unavailable, .untrusted, .rejected, .throttled, .timeout, .emptyResponse,
      .malformedResponse, .failed, .taken, .recovering, .atWork, .hiddenSuccess, .flapping,
      .storeReadOnly:
      return nil
    }
  }

  deinit { end() }

  /// Whether the fault must end before the invariants are checked, because regd cannot settle pending registrations
  /// during the fault.
  var endsBeforeInvariants: Bool { limited != nil }

  /// Releases the lock, and lets files grow.
  func end() {
    lock = nil
    if let limited { try? ThisProcess.limitFileSize(of: limited, toBytes: .max) }
    limited = nil
  }

  /// The prefix of the addresses that fill the store.
  static let filling = "fill-"

  /// Imports accounts until the store has no room for another one.
  private static func fill(_ caller: Caller) throws {
    let hash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    for number in 0..<2_000 {
      let record: JSONValue = ["email": .string("\(filling)\(number)@t.co"), "passwordHash": .string(hash)]
      switch try caller.call("account.import", ["records": .array([record])]) {
      case .success(let result) where result["imported"]?.integer == 1: continue
      case .success(let result): throw Mismatch(description: "filling the store: \(result.text)")
      case .failure(let error) where error.reason == "store.full": return
      case .failure(let error): throw Mismatch(description: "filling the store: \(error.reason) \(error.message)")
      }
    }
    throw Mismatch(description: "the store does not get full")
  }

  /// Makes the next commit exceed the file size limit, so that its write to the write-ahead log fails with EFBIG
  /// (setrlimit(2)).
  private static func limit(_ fixture: Fixture) throws -> Int32? {
    guard let pid = fixture.process?.pid else { return nil }
    try ThisProcess.limitFileSize(of: pid, toBytes: FileStatus("\(fixture.database)-wal").size)
    return pid
  }

  /// Replaces the database with a copy, as install(1) does: another file with the same name.
  private static func replace(_ database: String) throws {
    try FileWriting.write(FileReading.bytes(database), to: "\(database).new")
    try FileSystem.rename("\(database).new", to: database)
  }
}

/// The write lock of a database, held by Debian's sqlite3 for this object's life.
private final class DatabaseLock {
  private let pid: Int32
  /// sqlite3 ends when this is closed, and so does not outlive this process.
  private let input: Descriptor

  init(_ database: String) throws {
    let questions = try Descriptor.socketPair()
    let answers = try Descriptor.socketPair()
    let childsInput = questions.second
    let childsOutput = answers.second
    input = questions.first
    do {
      pid = try ChildProcess.start(
        "sqlite3", ["-bail", database], [0: .parents(childsInput.number), 1: .parents(childsOutput.number)])
    } catch {
      throw Mismatch(description: "this cell needs sqlite3, which Debian's package sqlite3 has: \(error)")
    }
    // from now on only the child holds these ends, so that its output reads as ended when the child has ended
    try childsInput.close()
    try childsOutput.close()
    try input.sendAll(Array(".timeout 10000\nBEGIN IMMEDIATE;\nSELECT 'locked';\n".utf8))
    guard String(decoding: try answers.first.read(atMost: 64), as: UTF8.self).hasPrefix("locked") else {
      throw Mismatch(description: "sqlite3 could not lock \(database)")
    }
  }

  deinit {
    Signal.kill.send(to: pid)
    ChildProcess.reap(pid)
  }
}
