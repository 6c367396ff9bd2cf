internal import Glibc

/// Users and groups as the system knows them (getpwnam(3), getgrnam(3)).
enum SystemNames {
  /// A user's id, by name or written as a number; nil if there is none.
  static func user(named name: String) -> UInt32? {
    if let number = UInt32(name) { return number }
    var entry = UserEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<UserEntry>?
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.pw_uid
  }

  /// A group's id, by name or written as a number; nil if there is none.
  static func group(named name: String) -> UInt32? {
    if let number = UInt32(name) { return number }
    var entry = GroupEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<GroupEntry>?
    guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.gr_gid
  }
}

private typealias UserEntry = Glibc.passwd
private typealias GroupEntry = Glibc.group
