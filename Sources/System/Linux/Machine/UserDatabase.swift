internal import Glibc

/// The machine's users and groups (passwd(5), group(5), and the other sources of nsswitch.conf(5)).
package enum UserDatabase {
  /// The least and the most bytes for the strings of one entry. A group with many members needs many.
  private static let bufferBytes = (least: 65_536, most: 1 << 24)

  /// Id of a user.
  ///
  /// - Returns: Nil if there is no such user.
  /// - Throws: The error if a source could not be asked, so that the user may exist. The C library reports only an outage of
  ///   the last source in nsswitch.conf(5), unless the file says `[UNAVAIL=return]`.
  package static func user(named name: String) throws(SystemError) -> UInt32? {
    try find("getpwnam_r", UserEntry(), { getpwnam_r(name, $0, $1, $2, $3) }, { $0.pw_uid })
  }

  /// The id that represents every user without a mapping in the user namespace (user_namespaces(7)), or 65534 if the
  /// kernel does not report it.
  package static var overflowUser: UInt32 {
    let bytes = (try? Descriptor.open("/proc/sys/kernel/overflowuid", [.reading]).readToEnd(beyond: 64)) ?? []
    return UInt32(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)) ?? 65_534
  }

  /// Id of a group.
  ///
  /// - Returns: Nil if there is no such group.
  /// - Throws: The error if a source could not be asked, as for users.
  package static func group(named name: String) throws(SystemError) -> UInt32? {
    try find("getgrnam_r", GroupEntry(), { getgrnam_r(name, $0, $1, $2, $3) }, { $0.gr_gid })
  }

  /// Name of a user, or nil if the user does not exist or the database cannot be read.
  package static func name(ofUser id: UInt32) -> String? {
    try? find("getpwuid_r", UserEntry(), { getpwuid_r(id, $0, $1, $2, $3) }, { String(cString: $0.pw_name) })
  }

  /// Home directory of a user, or nil if the user does not exist or the database cannot be read.
  package static func home(ofUser id: UInt32) -> String? {
    try? find("getpwuid_r", UserEntry(), { getpwuid_r(id, $0, $1, $2, $3) }, { String(cString: $0.pw_dir) })
  }

  /// Name of a group, or nil if the group does not exist or the database cannot be read.
  package static func name(ofGroup id: UInt32) -> String? {
    try? find("getgrgid_r", GroupEntry(), { getgrgid_r(id, $0, $1, $2, $3) }, { String(cString: $0.gr_name) })
  }

  /// The groups that a new session of the user gets: the primary one and the supplementary ones. Empty if the user does
  /// not exist.
  package static func groups(ofUser id: UInt32) -> Set<UInt32> {
    let groups = try? find(
      "getpwuid_r", UserEntry(), { getpwuid_r(id, $0, $1, $2, $3) },
      { entry -> Set<UInt32> in
        var groups = [gid_t](repeating: 0, count: 65_537)
        var count = Int32(groups.count)
        guard getgrouplist(entry.pw_name, entry.pw_gid, &groups, &count) >= 0 else { return [entry.pw_gid] }
        return Set(groups.prefix(Int(count)))
      })
    return groups ?? []
  }

  /// Looks up an entry, with a larger buffer after each ERANGE, up to a bound.
  ///
  /// - Parameters:
  ///   - call: The name of the C function.
  ///   - ask: Calls the C function with the entry, a buffer for its strings, the buffer's size, and a pointer that becomes
  ///     nil if there is no such entry. Returns an errno(3). 0 together with nil is the only answer that means absence: glibc
  ///     returns other numbers, even ENOENT, only if a source could not be asked.
  ///   - read: Returns the value of an entry, whose strings are valid only during the call.
  static func find<Entry, Value>(
    _ call: String, _ empty: Entry,
    _ ask: (
      UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> Int32, _ read: (Entry) -> Value
  ) throws(SystemError) -> Value? {
    var (entry, bytes) = (empty, bufferBytes.least)
    while true {
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes)
      defer { buffer.deallocate() }
      var found: UnsafeMutablePointer<Entry>?
      let number = ask(&entry, buffer, bytes, &found)
      if number == 0 { return found == nil ? nil : read(entry) }
      if number == ERANGE, bytes < bufferBytes.most {
        bytes *= 2
      } else if number != EINTR {
        throw SystemError(call, number)
      }
    }
  }
}

// aliases, because Glibc has functions with the names of these types
private typealias UserEntry = Glibc.passwd
private typealias GroupEntry = Glibc.group
