internal import Glibc

/// The machine's users and groups (passwd(5), group(5), and the other sources of nsswitch.conf(5)).
package enum UserDatabase {
  /// Id of a user; nil if there is none, or the database cannot be read.
  package static func user(named name: String) -> UInt32? {
    var entry = UserEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<UserEntry>?
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.pw_uid
  }

  /// The id that stands for every user without a mapping in the user namespace (user_namespaces(7)); 65534 if the
  /// kernel does not report it.
  package static var overflowUser: UInt32 {
    let bytes = (try? Descriptor.open("/proc/sys/kernel/overflowuid", [.reading]).readToEnd(beyond: 64)) ?? []
    return UInt32(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)) ?? 65_534
  }

  /// Id of a group; nil if there is none, or the database cannot be read.
  package static func group(named name: String) -> UInt32? {
    var entry = GroupEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<GroupEntry>?
    guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.gr_gid
  }

  /// Name of a user; nil if there is none, or the database cannot be read.
  package static func name(ofUser id: UInt32) -> String? {
    var entry = UserEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<UserEntry>?
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return String(cString: entry.pw_name)
  }

  /// Home directory of a user; nil if there is none, or the database cannot be read.
  package static func home(ofUser id: UInt32) -> String? {
    var entry = UserEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<UserEntry>?
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return String(cString: entry.pw_dir)
  }

  /// Name of a group; nil if there is none, or the database cannot be read.
  package static func name(ofGroup id: UInt32) -> String? {
    var entry = GroupEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<GroupEntry>?
    guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return String(cString: entry.gr_name)
  }

  /// The groups that a new session of the user gets: the primary one and the supplementary ones; empty if the user does
  /// not exist.
  package static func groups(ofUser id: UInt32) -> Set<UInt32> {
    var entry = UserEntry()
    var buffer = [CChar](repeating: 0, count: 65_536)
    var found: UnsafeMutablePointer<UserEntry>?
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return [] }
    var groups = [gid_t](repeating: 0, count: 65_537)
    var count = Int32(groups.count)
    guard getgrouplist(entry.pw_name, entry.pw_gid, &groups, &count) >= 0 else { return [entry.pw_gid] }
    return Set(groups.prefix(Int(count)))
  }
}

// aliases, because Glibc has functions with the names of these types
private typealias UserEntry = Glibc.passwd
private typealias GroupEntry = Glibc.group
