/// A Unix socket that regd binds.
package struct SocketPlace: Equatable, Sendable {
  package var path: String
  /// Permission bits.
  package var mode: UInt32
  /// A group's id; nil for the process's own.
  package var group: UInt32?
  /// The prefix of its keys: `socket`, or `doors.` and a name.
  let section: String

  /// The most bytes of a socket address (unix(7)), less the suffix of the temporary name under which the socket is
  /// made.
  static let maximumPathBytes = 103

  /// - Parameters:
  ///   - path: The default; nil if the socket may be passed in instead.
  ///   - group: The default's name; "" for the process's own.
  init(_ reader: inout SettingsReader, at section: String, path: String?, group: String) {
    self.section = section
    let key = "\(section).path"
    self.path = path.map { reader.path(key, default: $0) } ?? reader.optionalPath(key)
    mode = reader.mode("\(section).mode", default: 0o660)
    let name = reader.string("\(section).group", default: group)
    if self.path.utf8.count > Self.maximumPathBytes {
      reader.refuse(key, "is too long for a socket; \(Self.maximumPathBytes) bytes are possible")
    }
    if mode & 0o222 == 0 {
      reader.refuse("\(section).mode", "lets nobody connect: who connects must be able to write, as with \"0660\"")
    }
    guard !name.isEmpty else { return }
    self.group = SystemNames.group(named: name)
    if self.group == nil {
      reader.refuse(
        "\(section).group",
        "there is no group \"\(name)\" on this machine; make it, or write \"\" for regd's own group")
    }
  }
}
