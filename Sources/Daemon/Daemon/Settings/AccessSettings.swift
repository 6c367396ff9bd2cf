internal import Dialogues

/// `access`: who is an administrator, and who an observer.
package struct AccessSettings: Equatable, Sendable {
  var rules = AccessRules()
  /// Named users and groups that do not exist. They admit nobody, so regd starts all the same; the log names them.
  package var unknown: [String] = []

  init(_ reader: inout SettingsReader) {
    rules.isRootAdministrator = reader.flag("access.admin.root", default: true)
    rules.administrators = members("access.admin", groups: ["regd-admin"], &reader)
    rules.observers = members("access.observe", groups: [], &reader)
  }

  private mutating func members(
    _ section: String, groups: [String], _ reader: inout SettingsReader
  ) -> AccessRules.Members {
    var members = AccessRules.Members()
    for text in reader.list("\(section).uids", default: []) {
      if let uid = UInt32(text) {
        members.uids.insert(uid)
      } else {
        reader.refuse(
          "\(section).uids", "must be user ids, and \"\(text)\" is none; names belong to \(section).users")
      }
    }
    for name in Self.names("\(section).users", default: [], &reader) {
      if let uid = SystemNames.user(named: name) { members.uids.insert(uid) } else { unknown.append("user \(name)") }
    }
    for name in Self.names("\(section).groups", default: groups, &reader) {
      if let gid = SystemNames.group(named: name) { members.gids.insert(gid) } else { unknown.append("group \(name)") }
    }
    return members
  }

  private static func names(_ key: String, default value: [String], _ reader: inout SettingsReader) -> [String] {
    let names = reader.list(key, default: value)
    if names.contains("") { reader.refuse(key, "has an empty name; write [] for none") }
    return names
  }
}
