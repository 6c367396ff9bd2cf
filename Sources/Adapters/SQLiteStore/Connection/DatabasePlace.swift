internal import CSQLite
internal import Linux

/// The paths of a database's files, and the files' identities at the opening. If another program replaces a file, as install(1)
/// and mv(1) do, the open file loses its name: everything written to it is lost when the process ends.
struct DatabasePlace: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    let path: String
    let identity: FileStatus.Identity

    /// Notes a file's identity. Returns nil if the file does not exist.
    init?(_ path: String) {
      guard let status = try? FileStatus(path) else { return nil }
      self.path = path
      identity = status.identity
    }
  }

  private let files: [File]

  /// Notes the files that are at the path now: the database, its write-ahead log, and the log's index. Nil if one is missing.
  ///
  /// - Parameter endings: The suffixes of the files to note.
  init?(_ path: String, endings: [String] = ["", "-wal", "-shm"]) {
    let files = endings.compactMap { File(path + $0) }
    guard files.count == endings.count else { return nil }
    self.files = files
  }

  /// Throws if one of the files is no longer the one that was opened. The message is for the log and the status.
  func check() throws(SQLiteFailure) {
    for file in files {
      let now = File(file.path)
      guard now != file else { continue }
      // regd still reads the file that it has open, even if the path no longer leads to it
      throw SQLiteFailure.replaced(
        now == nil
          ? """
          \(file.path) is missing: it was removed or moved away; put it back, or save the accounts with regctl export, \
          because a restarted regd would \(file == files.first ? "create an empty database" : "lose changes")
          """
          : """
          \(file.path) is not the file that regd has opened: it was replaced; restart regd to use what is at the path
          """)
    }
  }
}

extension Connection {
  /// Whether SQLite itself finds that its file was renamed or removed.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }
}
