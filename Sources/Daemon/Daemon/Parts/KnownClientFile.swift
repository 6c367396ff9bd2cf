internal import Linux
internal import Logging
internal import Registration

/// The file in which regd keeps the known clients of accounts over a restart (`KeptPlaces`).
struct KnownClientFile: Sendable {
  /// How long the latest changes may be missing in the file after regd was killed.
  private static let interval = Duration.seconds(60)
  /// More than 65 536 clients take.
  private static let mostBytes = 4 << 20

  let path: String
  let time: any TimeSource
  let logger: Logger

  /// The path of the file: beside the database of SQLite, else in the directory that systemd has made for regd's state. Nil if
  /// there is neither, or if the store keeps nothing over a restart.
  static func path(_ store: StoreSettings) -> String? {
    if let database = store.chosen.path { return "\(database).clients" }
    guard type(of: store.chosen).isDurable, let state = ThisProcess.variable("STATE_DIRECTORY") else { return nil }
    return state.split(separator: ":").first.map { "\($0)/clients" }
  }

  /// The known clients that an earlier process has written; nil if there are none.
  func read() -> KeptPlaces? {
    do throws(FileReading.Failure) {
      let bytes = try FileReading.bytes(path, atMost: Self.mostBytes)
      if let kept = KeptPlaces(bytes, at: time.now()) { return kept }
      warn("is damaged, and is replaced")
    } catch {
      if !error.isNotFound { warn(error.description) }
    }
    return nil
  }

  /// Writes the file after changes, and once more when the task is cancelled.
  func run(_ signIns: SignInGuard) async {
    var written = signIns.editionOfPlaces
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.interval)
      let edition = signIns.editionOfPlaces
      guard edition != written || Task.isCancelled else { continue }
      if write(signIns.kept) { written = edition }
    }
  }

  /// Replaces the file. Not synced, because a file that a loss of power has cut is noticed, and only costs known clients.
  private func write(_ kept: KeptPlaces) -> Bool {
    let temporary = "\(path).new"
    do throws(SystemError) {
      // a file that a killed process left, or a link, must not receive the key
      FileSystem.remove(temporary)
      let file = try Descriptor.open(temporary, [.writing, .creatingNew, .withoutLink], permissions: 0o600)
      try file.writeAll(kept.bytes(at: time.now()))
      try file.close()
      try FileSystem.rename(temporary, to: path)
      return true
    } catch {
      warn("cannot be written: \(error.text)")
      return false
    }
  }

  private func warn(_ problem: String) {
    logger.write(.clientsFile, "\(LogMessage.clientsFile.text): \(path) \(problem)")
  }
}
