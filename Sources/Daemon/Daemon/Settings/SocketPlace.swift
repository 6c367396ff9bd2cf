internal import Linux

/// A socket that regd binds: a path, or for some doors a TCP port of a loopback address.
package struct SocketPlace: Equatable, Sendable {
  package var path: String
  /// A loopback address and port, such as `127.0.0.1:389` or `[::1]:389`. Empty for a Unix socket.
  package var listen = ""
  /// Permission bits.
  package var mode: UInt32
  /// A group's id, or nil for the process's own.
  package var group: UInt32?
  /// The prefix of the socket's keys: `socket`, or `doors.` and a name.
  let section: String

  /// Whether a socket that is bound here also serves the other place. Mode and group do not matter for a TCP port.
  func isSame(as other: SocketPlace) -> Bool {
    listen.isEmpty ? self == other : listen == other.listen
  }

  /// The most bytes of a path: those of a socket address (unix(7)), less the suffix of the temporary name under which the
  /// socket is made.
  static let maximumPathBytes = 103

  /// - Parameters:
  ///   - path: The default path, or nil if the socket may be passed in instead.
  ///   - group: The default group's name, or "" for the process's own.
  ///   - isDoor: Whether the socket may be a TCP port.
  init(_ reader: inout SettingsReader, at section: String, path: String?, group: String, isDoor: Bool = false) {
    self.section = section
    let key = "\(section).path"
    self.path = path.map { reader.path(key, default: $0) } ?? reader.optionalPath(key)
    if isDoor {
      listen = reader.string("\(section).listen", default: "")
      if !listen.isEmpty, SocketAddress(loopback: listen) == nil {
        reader.refuse(
          "\(section).listen",
          "must be a loopback address and a port, such as \"127.0.0.1:389\" or \"[::1]:389\", not \"\(listen)\"")
      }
      if !listen.isEmpty, !self.path.isEmpty {
        reader.refuse("\(section).listen", "cannot be combined with \(key): a door listens at one address")
      }
    }
    mode = reader.mode("\(section).mode", default: 0o660)
    let name = reader.string("\(section).group", default: group)
    if self.path.utf8.count > Self.maximumPathBytes {
      reader.refuse(key, "is too long for a socket; the maximum is \(Self.maximumPathBytes) bytes")
    }
    if mode & 0o222 == 0 {
      reader.refuse("\(section).mode", "lets no one connect: callers need write permission, for example \"0660\"")
    }
    guard !name.isEmpty else { return }
    self.group = reader.id(
      of: .group(name), for: "\(section).group",
      orRefuse: "there is no group \"\(name)\" on this machine; create it, or write \"\" for regd's own group")
  }
}
