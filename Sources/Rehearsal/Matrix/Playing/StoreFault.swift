internal import CLinux
internal import ChildProcesses
internal import Glibc
internal import RegdClient
internal import RegdProcesses
internal import RehearsedNetworks

/// Brings about what a file cannot: a store that has filled up while it was used, or that another program has locked.
final class StoreFault {
  private var locker: Int32?
  private let input: Int32
  /// The regd whose files may not grow.
  private var limited: Int32?

  /// Nil where nothing is to be done.
  init?(_ condition: EnvironmentCondition, _ world: World) throws {
    switch condition {
    case .storeFull:
      locker = nil
      input = -1
      try Self.fill(Caller(world.socket))
    case .storeLocked:
      (locker, input) = try Self.lock(world.database)
    case .storeCommitFails:
      (locker, input) = (nil, -1)
      limited = try Self.limit(world)
    case .storeReplaced:
      (locker, input) = (nil, -1)
      try Self.replace(world.database)
    case .success, .offline, .unavailable, .untrusted, .rejected, .throttled, .timeout, .emptyResponse,
      .malformedResponse, .failed, .taken, .recovering, .atWork, .hiddenSuccess, .flapping,
      .storeReadOnly:
      return nil
    }
  }

  deinit { end() }

  /// Whether what was left open can be found out only when it has ended.
  var mustEndFirst: Bool { limited != nil }

  /// Lets go of the lock, and lets files grow.
  func end() {
    if let limited {
      linux_limit_file_size(limited, .max)
      self.limited = nil
    }
    guard let locker else { return }
    // once: its numbers may be somebody else's afterwards
    self.locker = nil
    kill(locker, SIGKILL)
    var status: Int32 = 0
    while waitpid(locker, &status, 0) < 0, errno == EINTR {}
    close(input)
  }

  /// Addresses that are there to fill the store begin with this.
  static let filling = "fill-"

  /// Small accounts are added until there is no room for one more.
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

  /// Debian's sqlite3 takes the write lock, and keeps it.
  private static func lock(_ database: String) throws -> (Int32, Int32) {
    var (toChild, fromChild): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard linux_pipe(&toChild) == 0, linux_pipe(&fromChild) == 0 else {
      throw Mismatch(description: "no pipe: \(String(cString: strerror(errno)))")
    }
    defer { close(fromChild[0]) }
    let started = Result { () throws(ChildProcess.Failure) in
      // nobody's leash is needed: it ends where its input does
      try ChildProcess.start(
        "sqlite3", ["-bail", database], [0: .parents(toChild[0]), 1: .parents(fromChild[1])])
    }
    // the child alone has these now, so that its end is seen
    close(toChild[0])
    close(fromChild[1])
    let pid: Int32
    do throws(ChildProcess.Failure) {
      pid = try started.get()
    } catch {
      close(toChild[1])
      throw Mismatch(description: "this cell needs sqlite3, which Debian's package sqlite3 has: \(error)")
    }
    let script = ".timeout 10000\nBEGIN IMMEDIATE;\nSELECT 'locked';\n"
    _ = script.withCString { write(toChild[1], $0, strlen($0)) }
    var answer = [UInt8](repeating: 0, count: 64)
    let count = read(fromChild[0], &answer, answer.count)
    guard count > 0, String(decoding: answer.prefix(max(0, count)), as: UTF8.self).hasPrefix("locked") else {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
      close(toChild[1])
      throw Mismatch(description: "sqlite3 could not lock \(database)")
    }
    return (pid, toChild[1])
  }

  /// What is committed next does not fit in the write-ahead log: the write fails with EFBIG (setrlimit(2)).
  private static func limit(_ world: World) throws -> Int32 {
    var status = stat()
    guard let pid = world.process?.pid, stat("\(world.database)-wal", &status) == 0,
      linux_limit_file_size(pid, UInt(status.st_size)) == 0
    else { throw Mismatch(description: "regd's files cannot be limited: \(String(cString: strerror(errno)))") }
    return pid
  }

  /// A copy is put in the database's place, as install(1) does it: another file of that name.
  private static func replace(_ database: String) throws {
    guard let bytes = BinaryFile.read(database), BinaryFile.write(bytes, to: "\(database).new"),
      rename("\(database).new", database) == 0
    else { throw Mismatch(description: "\(database) cannot be replaced: \(String(cString: strerror(errno)))") }
  }
}
