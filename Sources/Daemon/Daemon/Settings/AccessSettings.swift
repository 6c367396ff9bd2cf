internal import JSONRPC

/// `access`: who is an administrator, besides root.
package struct AccessSettings: Equatable, Sendable {
  package var uids: Set<UInt32> = []
  package var gids: Set<UInt32> = []
  /// What was named and is not there. It admits no one, so it is no reason not to start; the log says it.
  package var unknown: [String] = []

  init(_ reader: inout SettingsReader) {
    for text in reader.list("access.admin.uids", default: []) {
      if let uid = UInt32(text) {
        uids.insert(uid)
      } else {
        reader.refuse(
          "access.admin.uids", "must be user ids, and \"\(text)\" is none; names belong to access.admin.users")
      }
    }
    for name in Self.names("users", default: [], &reader) {
      if let uid = SystemNames.user(named: name) { uids.insert(uid) } else { unknown.append("user \(name)") }
    }
    for name in Self.names("groups", default: ["regd-admin"], &reader) {
      if let gid = SystemNames.group(named: name) { gids.insert(gid) } else { unknown.append("group \(name)") }
    }
  }

  private static func names(_ kind: String, default value: [String], _ reader: inout SettingsReader) -> [String] {
    let names = reader.list("access.admin.\(kind)", default: value)
    if names.contains("") {
      reader.refuse("access.admin.\(kind)", "has an empty name; write [] for none")
    }
    return names
  }

  var rules: AccessRules { AccessRules(uids: uids, gids: gids) }
}
