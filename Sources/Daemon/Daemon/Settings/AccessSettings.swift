internal import Dialogues

/// `access`: the users that may not connect, the administrators, and the observers.
package struct AccessSettings: Equatable, Sendable {
  var rules = AccessRules()

  init(_ reader: inout SettingsReader) {
    rules.denied = reader.members("access.deny") ?? .init()
    rules.isRootAdministrator = reader.flag("access.admin.root", default: true)
    rules.administrators = reader.members("access.admin", groups: ["regd-admin"]) ?? .init()
    rules.observers = reader.members("access.observe") ?? .init()
  }
}

/// A user or group that the configuration names and this machine does not have. The name has no effect, and regd starts
/// anyway; the log has the name.
package struct UnknownMember: Equatable, Sendable {
  let key: String
  /// With its kind, such as `user postfix`.
  package let name: String
}

extension SettingsReader {
  /// Reads `uids`, `users` and `groups` of a section. Notes names that this machine does not have.
  ///
  /// - Parameter groups: The default groups.
  /// - Returns: The ids of the users and groups; nil if the section names nobody. If this machine has none of the named ones,
  ///   the result is empty, and not nil.
  mutating func members(_ section: String, groups: [String]) -> AccessRules.Members? {
    var members = AccessRules.Members()
    let ids = list("\(section).uids", default: [])
    for text in ids {
      if let uid = UInt32(text) {
        members.uids.insert(uid)
      } else {
        refuse(
          "\(section).uids", "must be user ids, not \"\(text)\"; write names in \(section).users")
      }
    }
    let users = names(of: "\(section).users", default: [])
    for name in users {
      if let uid = machine.user(named: name) {
        members.uids.insert(uid)
      } else {
        unknownMembers.append(UnknownMember(key: "\(section).users", name: "user \(name)"))
      }
    }
    let groups = names(of: "\(section).groups", default: groups)
    for name in groups {
      if let gid = machine.group(named: name) {
        members.gids.insert(gid)
      } else {
        unknownMembers.append(UnknownMember(key: "\(section).groups", name: "group \(name)"))
      }
    }
    return ids.isEmpty && users.isEmpty && groups.isEmpty ? nil : members
  }

  private mutating func names(of key: String, default value: [String]) -> [String] {
    let names = list(key, default: value)
    if names.contains("") { refuse(key, "contains an empty name; write [] for none") }
    return names
  }
}
