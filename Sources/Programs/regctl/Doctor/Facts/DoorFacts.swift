internal import Localization

/// A door (a socket for another program's protocol), its answer, and the path between it and its users.
struct DoorFacts {
  enum Answer: Equatable {
    case answered
    /// The door accepted the connection, and then sent something else or nothing.
    case silent
    /// No process listens (ECONNREFUSED).
    case refused
    /// The connection failed with EACCES, or the door closed it at once because this user is not one of its peers, or is
    /// denied.
    case denied
    case failed(LocalizedMessage.Content)
  }

  /// A directory on the path to the socket, or the socket itself.
  struct Place: Equatable {
    var path: String
    var owner: UInt32 = 0
    var group: UInt32 = 0
    var permissions: UInt32 = 0o755
    /// The names of owner and group, for a person.
    var owners = "root:root"
  }

  struct Caller: Equatable {
    var name: String
    /// The user's id, or nil for any member of the groups.
    var id: UInt32?
    var groups: Set<UInt32> = []

    /// Judges by owner, group and mode only.
    ///
    /// - Parameter right: A bit of access(2): 1 enters a directory, 2 writes to a socket.
    func may(_ right: UInt32, _ place: Place) -> Bool {
      let shift: UInt32 = place.owner == id ? 6 : groups.contains(place.group) ? 3 : 0
      return id == 0 || place.permissions >> shift & right != 0
    }

    /// Whether this entry of a list of users and groups includes the other caller.
    func includes(_ other: Caller) -> Bool {
      guard let id else { return !groups.isDisjoint(with: other.groups) }
      return id == other.id
    }

    /// The first place that keeps the caller out.
    func obstacle(on way: [Place]) -> Place? { way.first { !may($0 == way.last ? 2 : 1, $0) } }
  }

  var name: String
  var wire: String
  /// A path, or an address and a port.
  var address: String
  var answer = Answer.answered
  /// The socket's file, or nil for a TCP port.
  var file: SocketFacts.File?
  /// The places from the root to the socket. Empty if the socket cannot be seen.
  var way: [Place] = []
  /// The peers that the configuration names, each of whom must get in. If it names no peers, the possible users, at
  /// least one of whom must get in.
  var callers: [Caller] = []
  var hasPeers = false
  /// The peers that `access.deny` keeps out.
  var deniedPeers: [Caller] = []
  /// The chroot of Postfix's smtpd, if this door is for Postfix.
  var chroot: String?
}
