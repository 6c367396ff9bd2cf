internal import CSQLite
internal import Linux

/// Where a database's files are, and which files they were when it was opened. A program that
/// puts another file in their place, as install(1) and mv(1) do, leaves the open ones without a name: what is written to
/// them is gone with the process.
struct DatabasePlace: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    let path: String
    let identity: FileStatus.Identity

    /// Nil if there is none.
    init?(_ path: String) {
      guard let status = try? FileStatus(path) else { return nil }
      self.path = path
      identity = status.identity
    }
  }

  private let files: [File]

  /// The files that are at the path now: the database, its write-ahead log and the index of that.
  ///
  /// - Parameter endings: Those beside the database that belong to it.
  init?(_ path: String, endings: [String] = ["", "-wal", "-shm"]) {
    let files = endings.compactMap { File(path + $0) }
    guard files.count == endings.count else { return nil }
    self.files = files
  }

  /// Fails if one of the files is not the one that was opened, in words for the log and the status.
  func check() throws(SQLiteFailure) {
    for file in files {
      let now = File(file.path)
      guard now != file else { continue }
      throw SQLiteFailure.replaced(
        """
        \(file.path) is \(now == nil ? "not there any more" : "another file than the one that regd has opened"): it was \
        \(now == nil ? "removed or moved away" : "replaced"); restart regd, which then serves what is at the path
        """)
    }
  }
}

extension Connection {
  /// Whether SQLite itself finds that its file has another name now, or none.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }
}
