internal import WireProtocols

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

extension SettingsReader {
  /// Reads `uids`, `users` and `groups` of a section. Notes names that this machine does not have.
  ///
  /// - Parameter groups: The default groups.
  /// - Returns: The ids of the users and groups, or nil if the section names no users and groups. If none of the named
  ///   users and groups exists on this machine, the result is empty, and not nil.
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
      if let uid = id(of: .user(name), for: "\(section).users") { members.uids.insert(uid) }
    }
    let groups = names(of: "\(section).groups", default: groups)
    for name in groups {
      if let gid = id(of: .group(name), for: "\(section).groups") { members.gids.insert(gid) }
    }
    return ids.isEmpty && users.isEmpty && groups.isEmpty ? nil : members
  }

  private mutating func names(of key: String, default value: [String]) -> [String] {
    let names = list(key, default: value)
    if names.contains("") { refuse(key, "contains an empty name; write [] for none") }
    return names
  }
}
