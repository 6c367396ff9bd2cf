/// Lists the Unix sockets that another process listens on, from /proc (proc(5), unix(7)).
package enum ListeningSockets {
  /// The sockets' paths, in the order of the descriptors' names. Empty if the process does not exist or belongs to
  /// another user.
  package static func paths(of pid: Int32) -> [String] {
    guard let names = try? FileSystem.names(in: "/proc/\(pid)/fd"),
      let table = try? FileReading.text("/proc/\(pid)/net/unix")
    else { return [] }
    let listening = Dictionary(table.split(separator: "\n").compactMap(entry)) { first, _ in first }
    return names.sorted().compactMap { name in
      guard let target = FileSystem.linkTarget("/proc/\(pid)/fd/\(name)"), target.hasPrefix("socket:[") else {
        return nil
      }
      return listening[String(target.dropFirst("socket:[".count).dropLast())]
    }
  }

  /// __SO_ACCEPTCON: set if the socket listens.
  private static let accepting: UInt32 = 0x10000

  /// Parses a line of /proc/PID/net/unix: a socket's number, references, protocol, flags, type, state, inode and path.
  ///
  /// - Returns: The inode and path of a listening socket, or nil if the socket does not listen or has no path in the
  ///   file system.
  private static func entry(_ line: Substring) -> (String, String)? {
    let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
    guard fields.count == 8, let flags = UInt32(fields[3], radix: 16), flags & accepting != 0, fields[7].hasPrefix("/")
    else { return nil }
    return (String(fields[6]), String(fields[7]))
  }
}
