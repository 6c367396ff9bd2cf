internal import Logging
internal import Methods
internal import Registration

/// The list of breached passwords that the configuration names.
struct BreachedListPart {
  /// Nil where there is no such file: the rule is off, and `daemon.status` says so.
  let list: (any BreachedPasswordList)?
  let status: StatusSources.BreachedList

  /// Nil where none is named.
  init?(_ settings: PasswordSettings, _ logger: Logger) throws(StartupFailure) {
    guard !settings.breachedList.isEmpty else { return nil }
    list = nil
    status = .init(path: settings.breachedList, found: nil)
  }
}
