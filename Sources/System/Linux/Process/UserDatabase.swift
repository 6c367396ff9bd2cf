internal import Glibc

/// The machine's users and groups (passwd(5), group(5), and what nsswitch.conf(5) adds).
package enum UserDatabase {
  /// A user's number; nil where there is no such user, or the database cannot be asked.
  package static func user(named name: String) -> UInt32? {
    var entry = UserEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<UserEntry>?
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.pw_uid
  }

  /// A group's number; nil where there is no such group, or the database cannot be asked.
  package static func group(named name: String) -> UInt32? {
    var entry = GroupEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<GroupEntry>?
    guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.gr_gid
  }
}

// the functions of these names hide the types
private typealias UserEntry = Glibc.passwd
private typealias GroupEntry = Glibc.group
