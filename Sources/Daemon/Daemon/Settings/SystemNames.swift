internal import Linux
internal import Synchronization

/// Users and groups of the machine, by name or number.
///
/// The machine looks a name up at the services that nsswitch.conf(5) names. If one of them is a directory server that does
/// not answer, the look-up blocks until the C library gives up, and nothing can end it.
final class SystemNames: Sendable {
  /// A name, with what it is the name of.
  enum Name: Equatable, Sendable, CustomStringConvertible {
    case user(String)
    case group(String)

    /// In an operator's words.
    var description: String {
      switch self {
      case .user(let name): "user \"\(name)\""
      case .group(let name): "group \"\(name)\""
      }
    }

    /// The command with which an operator looks the name up.
    var command: String {
      switch self {
      case .user(let name): "getent passwd \(name)"
      case .group(let name): "getent group \(name)"
      }
    }
  }

  private let lookUp: @Sendable (Name) -> UInt32?
  private let asked = Mutex<Name?>(nil)

  /// - Parameter lookUp: Returns the id of a user or group; nil if there is none. May block.
  init(
    _ lookUp: @escaping @Sendable (Name) -> UInt32? = { name in
      switch name {
      case .user(let name): UserDatabase.user(named: name)
      case .group(let name): UserDatabase.group(named: name)
      }
    }
  ) {
    self.lookUp = lookUp
  }

  /// The name that the machine is looking up now; nil if there is none.
  var current: Name? { asked.withLock { $0 } }

  /// A user's id, by name or written as a number; nil if there is none.
  func user(named name: String) -> UInt32? { UInt32(name) ?? asking(.user(name), lookUp) }

  /// A group's id, by name or written as a number; nil if there is none.
  func group(named name: String) -> UInt32? { UInt32(name) ?? asking(.group(name), lookUp) }

  /// The home directory of a user; nil if there is none.
  func home(ofUser id: UInt32) -> String? { asking(.user("\(id)")) { _ in UserDatabase.home(ofUser: id) } }

  private func asking<Answer>(_ name: Name, _ answer: (Name) -> Answer) -> Answer {
    asked.withLock { $0 = name }
    defer { asked.withLock { $0 = nil } }
    return answer(name)
  }
}
