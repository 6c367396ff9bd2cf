internal import Glibc

/// The machine's users and groups (passwd(5), group(5), and what nsswitch.conf(5) adds).
package enum UserDatabase {
  /// Id of a user; nil if there is none, or the database cannot be read.
  package static func user(named name: String) -> UInt32? {
    var entry = UserEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<UserEntry>?
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.pw_uid
  }

  /// Id of a group; nil if there is none, or the database cannot be read.
  package static func group(named name: String) -> UInt32? {
    var entry = GroupEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<GroupEntry>?
    guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.gr_gid
  }
}

// functions of the same names hide the types
private typealias UserEntry = Glibc.passwd
private typealias GroupEntry = Glibc.group
