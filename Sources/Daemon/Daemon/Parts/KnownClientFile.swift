internal import Linux
internal import Logging
internal import Registration
internal import WorkerThreads

/// The file in which regd keeps the known clients of accounts over a restart (`KeptClients`). Its path follows the store in
/// force: after a move of the store (`StoreSwitch`), the file is written at its new path.
///
/// regd adds a new client to the file a moment after the sign-in, which does not wait for it. So the client is still known
/// if regd is killed then. Once a minute, regd replaces the file. The actor has a separate thread, because a busy disk blocks
/// the writes.
actor KnownClientFile {
  /// The shortest time between two replacements of the file.
  private static let interval = Duration.seconds(60)
  /// The shortest time between two additions to the file. Changes that arrive meanwhile are added together.
  private static let pause = Duration.milliseconds(100)
  /// More than 65,536 clients and all additions take.
  private static let mostBytes = 8 << 20

  private let place: @Sendable (StoreSettings) -> String?
  private let time: any TimeSource
  private let logger: Logger
  private let executor: ThreadExecutor
  /// The path that has been read or written last, and the clients' edition there.
  private var written: (path: String?, edition: Int)
  /// Whether this process has written the file at that path, and all later additions to it were successful.
  private var isOpen = false
  /// The birth of the file that this process has written (`FileStatus.birth`), or nil if the file system keeps no births.
  private var birth: String?
  /// Whether another program was found to have replaced the file.
  private var isShared = false
  /// When the file may be replaced again.
  private var due = ContinuousClock.now
  /// The path at which the last write failed, or nil if the last write succeeded.
  private var failing: String?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - place: Returns the path of a store's file, or nil to keep nothing.
  ///   - start: The store at the start of regd.
  init(
    _ place: @escaping @Sendable (StoreSettings) -> String?, of start: StoreSettings, time: any TimeSource,
    logger: Logger
  ) throws(WorkerThreads.StartFailure) {
    (self.place, self.time, self.logger) = (place, time, logger)
    written = (place(start), 0)
    executor = try ThreadExecutor(name: "regd-clients")
  }

  /// The path of the file: next to the database of SQLite, otherwise in the directory that systemd has made for regd's
  /// state, otherwise in `/var/lib/regd` if regd's user owns it. Nil if none of these exists, or if the store keeps
  /// nothing over a restart.
  @Sendable static func path(_ store: StoreSettings) -> String? {
    path(store, state: ThisProcess.variable("STATE_DIRECTORY"), otherwise: StoreSettings.unitsDirectory)
  }

  /// - Parameters:
  ///   - state: The directories that systemd has made for regd's state, separated by colons, or nil without systemd.
  ///   - directory: The directory to use without systemd, if it belongs to regd's user.
  static func path(_ store: StoreSettings, state: String?, otherwise directory: String) -> String? {
    if let database = store.chosen.path { return "\(database).clients" }
    guard isNeeded(store) else { return nil }
    if let first = state?.split(separator: ":").first { return "\(first)/clients" }
    guard let status = try? FileStatus(directory), status.kind == .directory,
      status.owner == ThisProcess.effectiveUser
    else { return nil }
    return "\(directory)/clients"
  }

  /// Whether accounts outlast a restart, so that their known clients should also outlast it.
  private static func isNeeded(_ store: StoreSettings) -> Bool { type(of: store.chosen).isDurable }

  /// Warns if there is no directory for the known clients of a store.
  static func warnIfHomeless(_ store: StoreSettings, _ logger: Logger) {
    guard isNeeded(store), path(store) == nil else { return }
    logger.write(
      .clientsFile,
      "\(LogMessage.clientsFile.text) has no directory: STATE_DIRECTORY is not set, and regd's user does not own "
        + "\(StoreSettings.unitsDirectory)")
  }

  /// The known clients that an earlier process has written for the store, if any.
  nonisolated func read(of store: StoreSettings) -> KeptClients? {
    guard let path = place(store) else { return nil }
    do throws(FileReading.Failure) {
      let bytes = try FileReading.bytes(path, atMost: Self.mostBytes)
      if let kept = KeptClients(bytes, at: time.now()) { return kept }
      warn(path, "is damaged and will be replaced")
    } catch {
      if !error.isNotFound { warn(path, error.description) }
    }
    return nil
  }

  /// Writes the file after changes, and once more when the task is cancelled.
  func run(_ signIns: SignInGuard, of store: @Sendable () -> StoreSettings) async {
    while !Task.isCancelled {
      // additions that failed, and changes beyond a quota, wait for the replacement
      await signIns.waitForChangeOfClients(atMost: due > .now ? due - .now : Self.interval)
      if due <= .now { write(signIns, of: store()) } else { add(signIns, of: store()) }
      try? await Task.sleep(for: Self.pause)
    }
    write(signIns, of: store())
  }

  /// Replaces the file if the clients or its path have changed. Logs when writing begins to fail, and when it works again.
  func write(_ signIns: SignInGuard, of store: StoreSettings) {
    guard let path = place(store) else {
      (written.path, failing, isOpen) = (nil, nil, false)
      return
    }
    let edition = signIns.editionOfClients
    guard (path, edition) != (written.path, written.edition) else { return }
    due = .now + Self.interval
    isOpen = false
    do throws(SystemError) {
      let kept = signIns.takeClients()
      try replace(path, with: kept.bytes(at: time.now()))
      (written, isOpen) = ((path, edition), true)
      if failing != nil { logger.write(.clientsFileWorks, nil, ["file": path]) }
      failing = nil
    } catch {
      failed(path, error)
    }
  }

  /// Adds the latest changes to the file. They wait for the next replacement if the file is not the one that this process
  /// has written, or if this process could not add to it.
  func add(_ signIns: SignInGuard, of store: StoreSettings) {
    guard isOpen, let path = place(store), path == written.path else { return }
    guard FileStatus.birth(of: path) == birth else { return foundReplaced(path) }
    guard let changes = signIns.takeChangesOfClients() else { return }
    do throws(SystemError) {
      let file = try Descriptor.open(path, [.writing, .appending, .withoutLink, .withoutWaiting])
      try file.writeAll(changes.block(at: time.now()))
      try file.close()
    } catch {
      // the file may end with a part of the block, after which nothing would be read
      isOpen = false
      failed(path, error)
    }
  }

  /// Leaves the file of another program alone. Another regd has another key, so it would read nothing after an addition.
  private func foundReplaced(_ path: String) {
    isOpen = false
    if !isShared {
      warn(path, "was replaced or removed by another program. Set a separate STATE_DIRECTORY for each regd")
    }
    isShared = true
  }

  private func failed(_ path: String, _ error: SystemError) {
    if failing != path { warn(path, "cannot be written: \(error.text)") }
    failing = path
  }

  /// Replaces the file. Not synced, because a file that a loss of power has cut is noticed, and only costs known clients.
  private func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let temporary = "\(path).new"
    // a file that a killed process left, or a link, must not receive the key
    FileSystem.remove(temporary)
    do throws(SystemError) {
      let file = try Descriptor.open(temporary, [.writing, .creatingNew, .withoutLink], permissions: 0o600)
      try file.writeAll(bytes)
      try file.close()
      // a renamed file keeps it
      birth = FileStatus.birth(of: temporary)
      try FileSystem.rename(temporary, to: path)
    } catch {
      FileSystem.remove(temporary)
      throw error
    }
  }

  private nonisolated func warn(_ path: String, _ problem: String) {
    logger.write(.clientsFile, "\(LogMessage.clientsFile.text): \(path) \(problem)")
  }
}
