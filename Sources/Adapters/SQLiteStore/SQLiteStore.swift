internal import FairQueues
internal import Linux
package import Liveness
package import Registration
internal import WorkerThreads

/// Keeps accounts in one SQLite file, in WAL mode. One writer makes all changes. Each commit is synced to the disk
/// before it is acknowledged. Look-ups have their own connection and wait for no lock. Lists have another connection.
package struct SQLiteStore: StoreEngine {
  private let writer: SQLiteWriter
  private let queue = ChangeQueue()
  private let inDoubt: InDoubtRegister
  /// Whether the writer has removed something since the write-ahead log was last emptied.
  private let removed: Removal
  /// The new place of the accounts, in words, once a check has found that they were moved away.
  private let left = Reloadable<String?>(nil)
  private let reader: SQLiteReader
  private let lister: SQLiteReader
  package let keys: StoreKeys
  package let isCopied: Bool
  /// Whether the opening has created the database.
  package let isNew: Bool

  /// Opens the database, makes it if it does not exist, and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - path: The file. Its directory must exist and be writable, because SQLite keeps two files beside it.
  ///   - busyMilliseconds: How long an operation waits for a lock that another program holds.
  ///   - maximumBytes: The largest size of the database, or nil for no limit. A database that is already larger does
  ///     not grow.
  ///   - isReadOnly: Whether every change is refused, once the schema is up to date.
  ///   - vfs: The name of a file layer other than SQLite's own, for tests of disks that fail.
  ///   - hold: The hold (a pause of the source's changes) for which a move must have completed the database. Nil for a
  ///     database that every regd may open.
  ///   - claimant: The regd that opens the store.
  ///   - damaged: Called once for each row that cannot be read, on one of the store's threads. Only the first 10 000
  ///     rows are reported.
  ///   - observer: Called with the audit entry of each change after its commit, on the writer's thread.
  ///   - doing: Called with a description of each step that takes long.
  package init(
    path: String, busyMilliseconds: Int32 = 5000, maximumBytes: Int? = nil, isReadOnly: Bool = false,
    vfs: String? = nil, completedFor hold: String? = nil, claimant: Claimant = Claimant(),
    damaged: @escaping DamageObserver = { _ in }, observer: @escaping AuditObserver = { _ in },
    doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(StoreFailure) {
    let writer: Connection
    let reader: Connection
    let lister: Connection
    let isCopied: Bool
    do throws(SQLiteFailure) {
      let hasFile = FileSystem.exists(path)
      writer = try Self.open(path, busyMilliseconds, vfs: vfs, completedFor: hold, doing: doing)
      // a process that was killed, or the migration, may have left removed data in the log
      if hasFile, (try? FileStatus("\(path)-wal")).map({ $0.size > 0 }) ?? false { writer.removed.raise() }
      isCopied = try Installation.isCopied(writer, in: FileStatus.birth(of: path))
      if let maximumBytes { try writer.limit(toBytes: maximumBytes) }
      if isReadOnly { try writer.execute("PRAGMA query_only = ON") }
      reader = try Self.another(path, busyMilliseconds, vfs)
      lister = try Self.another(path, busyMilliseconds, vfs)
      let damage = DamageLog(damaged)
      writer.damage = damage
      reader.damage = damage
      lister.damage = damage
      // if another file has replaced the first one meanwhile, the readers have opened another file than the writer
      try writer.place?.check()
    } catch {
      throw error.storeFailure
    }
    try self.init(
      writer: writer, reader: reader, lister: lister, isCopied: isCopied, claimant: claimant, observer: observer)
  }

  /// Opens the store on these connections. Tests change their settings first.
  init(
    writer: sending Connection, reader: sending Connection, lister: sending Connection? = nil,
    isCopied: Bool = false, claimant: Claimant = Claimant(), groups: GroupBounds = GroupBounds(),
    observer: @escaping AuditObserver = { _ in }
  ) throws(StoreFailure) {
    self.isCopied = isCopied
    isNew = writer.isNew
    inDoubt = InDoubtRegister()
    removed = writer.removed
    do throws(SQLiteFailure) { keys = try Installation.keys(writer) } catch { throw error.storeFailure }
    do throws(WorkerThreads.StartFailure) {
      self.reader = try SQLiteReader(reader, name: "regd-sqlite-r")
      self.lister = if let lister { try SQLiteReader(lister, name: "regd-sqlite-l") } else { self.reader }
      self.writer = try SQLiteWriter(writer, inDoubt, claimant, keys.codes, groups, observer: observer)
    } catch {
      throw .unavailable(detail: "no thread could be started (errno \(error.errorNumber))")
    }
  }

  /// Closes the file. Every later operation fails.
  package func close() async {
    await reader.close()
    await lister.close()
    await writer.close()
  }

  /// The probes of the threads for changes and look-ups. A wait for another program's lock does not
  /// count as a standstill.
  package var probes: [Probe] { [writer.probe, reader.probe("the store's reader")] }

  /// Checks that the database answers, that no commit is in doubt, and that the database is still the one at its path.
  package func check() async throws(StoreFailure) {
    if inDoubt.open != nil { try await writer.settle() }
    left.replace(
      try await reader.read { (connection) throws(SQLiteFailure) in
        try connection.place?.check()
        try connection.run("SELECT count(*) FROM sqlite_schema")
        return try MoveMark.whereTo(connection)
      })
    try requireHere()
  }

  /// Throws if the accounts were moved away: they change elsewhere, so the copies here may be outdated.
  private func requireHere() throws(StoreFailure) {
    if let words = left.value { throw .unavailable(detail: words) }
  }

  /// The number of cached pages for a large import. Another system's accounts come in the order of their file and not
  /// of their ids, so that each account changes another page of the table, and another page of the audit's index.
  private static let importPages = 8192

  /// A change of up to this many accounts shares its commit with other changes.
  private static let fewAccounts = 16

  package func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    // only an import changes many accounts
    let isLarge = scope.ids.count > Self.fewAccounts
    return try await change(scope, for: share, evenIfLate: isLate, alone: isLarge) { (rows) throws(SQLiteFailure) in
      guard isLarge else { return try rows.run(body) }
      return try rows.connection.withPages(Self.importPages) { () throws(SQLiteFailure) in try rows.run(body) }
    }
  }

  /// - Parameter isAlone: Whether the change commits alone, because it is so large that changes in the same commit
  ///   would wait long.
  func change<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, alone isAlone: Bool = false,
    _ body: @escaping @Sendable (SQLiteTransaction) throws(SQLiteFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let change = PendingChange(scope, body)
    switch await queue.join(of: share.uid, share.origin, isAlone ? nil : change, evenIfLate: isLate) {
    case .cancelled: throw .cancelled
    case .followed: break
    case .leads: await writer.change(change, leading: queue, alone: isAlone)
    }
    return try change.answer()
  }

  /// Makes a change at once, if only its maker waits for it.
  func perform(_ change: any GroupedChange) async {
    guard case .leads = await queue.join(of: nil, nil, nil, evenIfLate: true) else { return }
    await writer.change(change, leading: queue, alone: true)
  }

  /// How many changes wait for a commit.
  var waiting: Int { queue.count }
  /// How many lists wait for their turn, or how many places a pause of the lists still waits for.
  var waitingLists: Int { lister.waiting }

  package func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await look(scope, found) { (rows) throws(SQLiteFailure) in try rows.run(body) }
  }

  func look<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope,
    _ body: @Sendable (SQLiteTransaction) throws(SQLiteFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try requireHere()
    let seen = try await read(reader, body)
    guard let doubt = inDoubt.open?.scope, doubt.overlaps(scope) || doubt.overlaps(found(seen)) else { return seen }
    do {
      try await writer.settle()
    } catch {
      guard case .unavailable(let detail) = error else { throw error }
      throw .unknown(detail: detail)
    }
    return try await read(reader, body)
  }

  private func read<Value: Sendable>(
    _ reader: SQLiteReader, _ body: @Sendable (SQLiteTransaction) throws(SQLiteFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let (claimant, codeKey) = (writer.claimant, codeKey)
    return try await reader.read { (connection) throws(SQLiteFailure) in
      try body(SQLiteTransaction(connection, claimant, codeKey))
    }
  }

  /// Erases all removed data from the database's files. Touches no file if nothing was removed since the last time. Waits
  /// for the turn of regd's own share. Changes are made between two turns. After a first try in vain, lists wait.
  ///
  /// - Throws: `unavailable`, also if another program still reads or writes in the tenth turn.
  func erase() async throws(StoreFailure) {
    guard try await !eraseInTurn() else { return }
    // one list may read for longer than ten turns take, and another list may begin before it ends
    try await lister.pause { () async throws(StoreFailure) -> Void in
      var turns = 1
      while try await !eraseInTurn() {
        turns += 1
        guard turns < 10 else {
          throw .unavailable(
            detail: "removed data is still in the write-ahead log, because another program reads or writes the database"
          )
        }
        // regd's own look-ups end before the tenth turn, but a backup takes longer
        do { try await Task.sleep(for: .milliseconds(20)) } catch { throw .cancelled }
      }
    }
  }

  /// - Returns: Whether nothing is left to erase.
  private func eraseInTurn() async throws(StoreFailure) -> Bool {
    guard removed.isRaised else { return true }
    guard case .leads = await queue.join(of: Share.daemon.uid, Share.daemon.origin, nil, evenIfLate: false) else {
      throw .cancelled
    }
    defer { queue.leave() }
    // after a first try without a change in between, new reads no longer need the log
    for _ in 0..<3 {
      if try await writer.erase() { return true }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return false
  }

  package func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value {
    try await list { (rows) throws(SQLiteFailure) in try rows.run(body) }
  }

  func list<Value: Sendable>(
    _ body: @Sendable (SQLiteTransaction) throws(SQLiteFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try requireHere()
    if inDoubt.open != nil { try await writer.settle() }
    return try await read(lister, body)
  }
}
