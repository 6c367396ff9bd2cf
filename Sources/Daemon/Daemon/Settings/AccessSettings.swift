internal import Dialogues

/// `access`: the administrators and the observers.
package struct AccessSettings: Equatable, Sendable {
  var rules = AccessRules()
  /// Named users and groups that do not exist. They admit nobody, so regd starts anyway; the log names them.
  package var unknown: [String] = []

  init(_ reader: inout SettingsReader) {
    rules.isRootAdministrator = reader.flag("access.admin.root", default: true)
    rules.administrators = members("access.admin", groups: ["regd-admin"], &reader)
    rules.observers = members("access.observe", groups: [], &reader)
  }

  private mutating func members(
    _ section: String, groups: [String], _ reader: inout SettingsReader
  ) -> AccessRules.Members {
    let (members, unknown) = reader.members(section, groups: groups)
    self.unknown += unknown
    return members
  }
}

extension SettingsReader {
  /// Reads `uids`, `users` and `groups` of a section.
  ///
  /// - Parameter groups: The default groups.
  /// - Returns: The ids of the users and groups, and the names that this machine does not have, such as `user postfix`.
  mutating func members(_ section: String, groups: [String] = []) -> (AccessRules.Members, unknown: [String]) {
    var unknown: [String] = []
    var members = AccessRules.Members()
    for text in list("\(section).uids", default: []) {
      if let uid = UInt32(text) {
        members.uids.insert(uid)
      } else {
        refuse(
          "\(section).uids", "must be user ids, and \"\(text)\" is none; names belong to \(section).users")
      }
    }
    for name in names(of: "\(section).users", default: []) {
      if let uid = SystemNames.user(named: name) { members.uids.insert(uid) } else { unknown.append("user \(name)") }
    }
    for name in names(of: "\(section).groups", default: groups) {
      if let gid = SystemNames.group(named: name) { members.gids.insert(gid) } else { unknown.append("group \(name)") }
    }
    return (members, unknown)
  }

  private mutating func names(of key: String, default value: [String]) -> [String] {
    let names = list(key, default: value)
    if names.contains("") { refuse(key, "has an empty name; write [] for none") }
    return names
  }
}
