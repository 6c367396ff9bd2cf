internal import BreachedPasswords
internal import Linux
internal import Logging
internal import Methods
internal import Registration

/// The list of breached passwords that the configuration names.
struct BreachedListPart {
  /// The opened list, or nil if the file does not exist. Without it, breached passwords are not refused, as
  /// `daemon.status` shows.
  let list: (any BreachedPasswordList)?
  let status: StatusSources.BreachedList

  /// Opens the list of breached passwords. Returns nil if the configuration names none.
  ///
  /// - Throws: If the file exists and is not a list, because a rule that the operator wants must not be silently off.
  init?(_ settings: PasswordSettings, _ logger: Logger) throws(StartupFailure) {
    let path = settings.breachedList
    guard !path.isEmpty else { return nil }
    guard !FileSystem.isMissing(path) else {
      logger.write(.listMissing, nil, ["file": path])
      list = nil
      status = .init(path: path, found: { nil })
      return
    }
    do throws(BreachedListFailure) {
      let opened = try BreachedList(path: path) {
        logger.write(.listCut, nil, ["file": path])
      }
      list = opened
      status = .init(
        path: path, found: { opened.isWhole ? (opened.entries, opened.falsePositiveRate) : nil })
    } catch {
      throw StartupFailure(.configuration, "password.breachedList: \(error)")
    }
  }
}
