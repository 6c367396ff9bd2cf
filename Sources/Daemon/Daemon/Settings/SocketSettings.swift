/// `socket`: where callers connect.
package struct SocketSettings: Equatable, Sendable {
  package var path: String
  /// Permission bits.
  package var mode: UInt32
  /// A group's id; nil for the process's own.
  package var group: UInt32?
  /// 0: derived from the processors that regd may use.
  package var loops: Int

  /// How many event loops run. At most half of the processors: hashing has threads of its own, and one loop can serve
  /// more callers
  /// than a machine has.
  var loopCount: Int { loops == 0 ? max(1, min(4, machine.processors / 2)) : loops }

  private let machine: Machine

  /// The most bytes of a socket address (unix(7)), less the suffix of the temporary name under which the socket is
  /// made.
  static let maximumPathBytes = 103

  init(_ reader: inout SettingsReader, on machine: Machine = .here) {
    self.machine = machine
    path = reader.path("socket.path", default: "/run/regd/regd.sock")
    mode = reader.mode("socket.mode", default: 0o660)
    let name = reader.string("socket.group", default: "regd")
    loops = reader.integer("socket.loops", default: 0, 0...64)
    if path.utf8.count > Self.maximumPathBytes {
      reader.refuse("socket.path", "is too long for a socket; \(Self.maximumPathBytes) bytes are possible")
    }
    if mode & 0o222 == 0 {
      reader.refuse("socket.mode", "lets nobody connect: who connects must be able to write, as with \"0660\"")
    }
    guard !name.isEmpty else { return }
    group = SystemNames.group(named: name)
    if group == nil {
      reader.refuse(
        "socket.group", "there is no group \"\(name)\" on this machine; make it, or write \"\" for regd's own group")
    }
  }
}
