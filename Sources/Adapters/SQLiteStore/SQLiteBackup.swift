internal import CSQLite
internal import Linux
package import Localization
internal import Registration

/// Copies a store that a regd may be using: SQLite's online backup copies the state of a single moment, and blocks no writer.
package enum SQLiteBackup {
  package struct Failure: Error, CustomStringConvertible {
    package let sentence: LocalizedMessage

    package var description: String { sentence.english }

    fileprivate init(_ key: BackupMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content>) {
      sentence = LocalizedMessage(key, values)
    }
  }

  package struct Summary: Equatable, Sendable {
    package let accounts: Int
    package let bytes: Int
  }

  /// Pages copied between two reports of progress.
  private static let pagesAtOnce: Int32 = 1024

  /// Copies the database at `source` to the file `target`, and checks the whole copy. The copy gets its name only if
  /// the check succeeds. Only the file's owner can read it, because it contains the password hashes.
  ///
  /// - Parameters:
  ///   - target: A new file, or an earlier backup, which is replaced.
  ///   - progress: Called with the copied fraction, 0 to 1. Returns whether to continue.
  /// - Throws: `Failure`. The partial copy is then removed.
  package static func copy(
    _ source: String, to target: String, progress: (Double) -> Bool = { _ in true }
  ) throws(Failure) -> Summary {
    try mayReplace(target, source)
    removeAbandoned(target)
    let partial = "\(target)\(ending)\(ThisProcess.id)"
    let held = try made(partial, of: target)
    defer { held.unlock() }
    var isDone = false
    defer { if !isDone { for ending in ["", "-journal", "-wal", "-shm"] { FileSystem.remove(partial + ending) } } }
    let accounts: Int
    do throws(SQLiteFailure) {
      try copyPages(source, partial, progress)
      accounts = try verify(partial)
    } catch {
      throw Failure(.failed, ["store": .text(source), "reason": .text(error.message)])
    }
    let bytes = try settle(partial, target)
    isDone = true
    return Summary(accounts: accounts, bytes: bytes)
  }

  /// The part of a partial copy's name between the target's name and the id of the copying process.
  private static let ending = ".partial-"

  /// Removes partial copies of killed processes, because they have all password hashes. A process that still copies holds the
  /// lock of its file.
  private static func removeAbandoned(_ target: String) {
    let directory = FileSystem.directory(of: target)
    let prefix = (target.split(separator: "/").last.map(String.init) ?? target) + ending
    for name in (try? FileSystem.names(in: directory)) ?? [] where name.hasPrefix(prefix) {
      guard Int32(name.dropFirst(prefix.count)) != nil else { continue }
      let path = "\(directory)/\(name)"
      guard let file = try? Descriptor.open(path, [.writing, .withoutLink, .withoutWaiting]),
        let status = try? file.status(), status.kind == .regular, status.owner == ThisProcess.effectiveUser,
        (try? file.lock()) != nil
      else { continue }
      for ending in ["", "-journal", "-wal", "-shm"] { FileSystem.remove(path + ending) }
      file.unlock()
    }
  }

  /// Makes the file of a partial copy. Its lock shows other processes that this process is still copying.
  private static func made(_ path: String, of target: String) throws(Failure) -> Descriptor {
    do throws(SystemError) {
      let file = try Descriptor.open(path, [.writing, .creatingNew], permissions: 0o600)
      try file.lock()
      return file
    } catch {
      let reason = ObstacleText.find(path, program: "regctl") ?? error.text
      throw Failure(.cannotBeMade, ["file": .text(target), "reason": .text(reason)])
    }
  }

  /// Refuses to overwrite a file that is not a backup.
  private static func mayReplace(_ target: String, _ source: String) throws(Failure) {
    // SQLite takes a file with such a name for a part of a database
    for ending in ["-journal", "-wal", "-shm"] where target.hasSuffix(ending) {
      guard !FileSystem.exists(String(target.dropLast(ending.count))) else {
        throw Failure(.belongsToDatabase, ["file": .text(target)])
      }
    }
    guard let status = try? FileStatus(target, followsLink: false) else { return }
    guard status.kind == .regular else {
      throw Failure(.notAFile, ["file": .text(target)])
    }
    guard (try? FileStatus(source))?.identity != status.identity else {
      throw Failure(.theStore, ["file": .text(target)])
    }
    // a backup has no log next to it, so a file with a log is a store in use
    guard !["-wal", "-shm"].contains(where: { FileSystem.exists(target + $0) }) else {
      throw Failure(.inUse, ["file": .text(target)])
    }
    do throws(SQLiteFailure) {
      let there = try Connection(path: target, busyMilliseconds: 0, isReadOnly: true)
      guard try there.integer("PRAGMA application_id") == Schema.applicationID else {
        throw SQLiteFailure.notOurs("")
      }
    } catch {
      throw Failure(.noBackup, ["file": .text(target)])
    }
  }

  private static func copyPages(
    _ source: String, _ target: String, _ progress: (Double) -> Bool
  ) throws(SQLiteFailure) {
    guard let place = DatabasePlace(source, endings: [""]) else {
      throw SQLiteFailure.notOurs("the file does not exist or cannot be read")
    }
    let from = try Connection(path: source, busyMilliseconds: 5000, isReadOnly: true)
    guard try from.integer("PRAGMA application_id") == Schema.applicationID else {
      throw SQLiteFailure.notOurs("it is not a database of regd")
    }
    // reads as of this moment: otherwise the copy would start anew after each commit of a writer
    try from.execute("BEGIN")
    _ = try from.integer("SELECT count(*) FROM sqlite_schema")
    let to = try Connection(path: target, busyMilliseconds: 0)
    try from.copyPages(to: to, atOnce: pagesAtOnce, progress)
    try from.execute("ROLLBACK")
    // if another file has replaced the store meanwhile, the copy must not be taken for a backup of the store
    try place.check()
    guard !from.hasMoved else { throw SQLiteFailure.replaced("\(source) was replaced in the meantime; start again") }
  }

  /// Makes the copy a single file without a log, checks all of it, and removes its key of stamps.
  ///
  /// - Returns: How many accounts it has.
  private static func verify(_ path: String) throws(SQLiteFailure) -> Int {
    let copy = try Connection(path: path, busyMilliseconds: 0)
    try copy.execute("PRAGMA journal_mode = DELETE")
    let faults = try copy.query("PRAGMA integrity_check") { (row) throws(SQLiteFailure) in row.text(0) }
    guard faults == ["ok"] else {
      throw SQLiteFailure.damaged("the copy is damaged, and so may be the original: \(faults.first ?? "")")
    }
    try Schema.check(copy)
    try Installation.forgetStampKey(copy)
    return try copy.integer("SELECT count(*) FROM account")
  }

  /// Syncs the copy to the disk, and gives it its name.
  private static func settle(_ partial: String, _ target: String) throws(Failure) -> Int {
    let bytes: Int
    do throws(SystemError) {
      let file = try Descriptor.open(partial, .reading)
      try file.synchronize()
      bytes = try file.status().size
    } catch { throw failure(.notOnDisk, partial, error) }
    do throws(SystemError) { try FileSystem.rename(partial, to: target) } catch {
      throw failure(.notNamed, target, error)
    }
    FileSystem.synchronizeDirectory(of: target)
    return bytes
  }

  private static func failure(_ key: BackupMessageKey, _ path: String, _ error: SystemError) -> Failure {
    Failure(key, ["file": .text(path), "reason": .text(error.text)])
  }
}

extension Connection {
  /// Copies all pages of this database over another (sqlite3_backup_init).
  fileprivate func copyPages(
    to other: Connection, atOnce pages: Int32, _ progress: (Double) -> Bool
  ) throws(SQLiteFailure) {
    guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
      throw Self.failure(other.handle)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK {
      code = sqlite3_backup_step(backup, pages)
      let all = max(1, sqlite3_backup_pagecount(backup))
      if !progress(1 - Double(sqlite3_backup_remaining(backup)) / Double(all)) { code = SQLITE_INTERRUPT }
    }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      let cause = code == SQLITE_DONE ? end : code
      throw SQLiteFailure(code: cause, message: String(cString: sqlite3_errstr(cause)))
    }
  }
}
