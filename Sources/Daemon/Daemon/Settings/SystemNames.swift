internal import Linux
internal import Synchronization

/// Users and groups of the machine, by name or number, for one reading of the configuration.
///
/// The machine looks a name up at the services that nsswitch.conf(5) names. If one of them is a directory server that does
/// not answer, the look-up blocks until the C library gives up, and nothing can end it.
final class SystemNames: Sendable {
  /// A name, with what it is the name of.
  enum Name: Hashable, Sendable, CustomStringConvertible {
    case user(String)
    case group(String)

    /// The name without its kind.
    var text: String {
      switch self {
      case .user(let name), .group(let name): name
      }
    }

    /// The kind, such as `group`.
    var kind: String {
      switch self {
      case .user: "user"
      case .group: "group"
      }
    }

    /// In an operator's words.
    var description: String { "\(kind) \"\(text)\"" }

    /// The command with which an operator looks the name up.
    var command: String {
      switch self {
      case .user(let name): "getent passwd \(name)"
      case .group(let name): "getent group \(name)"
      }
    }
  }

  /// Why a name has no id.
  enum Missing: Error, Equatable, Sendable {
    /// No service has the name.
    case absent
    /// A service could not be asked, for this reason.
    case failed(String)
    /// There was no answer within this many seconds.
    case silent(seconds: String)
  }

  enum Answer: Equatable, Sendable {
    case id(UInt32)
    /// - Parameter lastKnown: The id that the running configuration has for the name, or nil if it has none.
    case missing(Missing, lastKnown: UInt32?)
  }

  /// Returns the id of a user or group. May block.
  typealias LookUp = @Sendable (Name) throws(Missing) -> UInt32

  /// Asks the C library.
  static let machine: LookUp = { (name: Name) throws(Missing) -> UInt32 in
    let found: UInt32?
    do throws(SystemError) {
      switch name {
      case .user(let name): found = try UserDatabase.user(named: name)
      case .group(let name): found = try UserDatabase.group(named: name)
      }
    } catch {
      throw Missing.failed(error.text)
    }
    guard let id = found else { throw Missing.absent }
    return id
  }

  private struct State {
    var asked: Name?
    var ids: [Name: UInt32] = [:]
  }

  private let lookUp: LookUp
  private let lookUpHome: @Sendable (UInt32) -> String?
  private let lastKnown: [Name: UInt32]
  private let state = Mutex(State())

  /// - Parameter lastKnown: The ids that the running configuration has. Empty at startup.
  init(_ lookUp: @escaping LookUp = SystemNames.machine, lastKnown: [Name: UInt32] = [:]) {
    (self.lookUp, self.lastKnown) = (lookUp, lastKnown)
    lookUpHome = { UserDatabase.home(ofUser: $0) }
  }

  /// The names of a machine that has not answered within `limit`: finds only what is known already, and never blocks.
  ///
  /// - Parameter home: The home directory of the user who runs regd.
  init(silentFor limit: Duration, lastKnown: [Name: UInt32], home: String?) {
    let seconds = ConfiguredKey.Value.number(limit)
    lookUp = { (_: Name) throws(Missing) -> UInt32 in throw Missing.silent(seconds: seconds) }
    lookUpHome = { _ in home }
    self.lastKnown = lastKnown
  }

  /// The name that the machine is looking up now, if any.
  var current: Name? { state.withLock { $0.asked } }

  /// The names that the configuration uses, with their ids.
  var ids: [Name: UInt32] { state.withLock { $0.ids } }

  /// Notes that the configuration uses the id.
  func use(_ id: UInt32, of name: Name) { state.withLock { $0.ids[name] = id } }

  /// The id of a user or group, by name or written as a number.
  func id(of name: Name) -> Answer {
    if let number = UInt32(name.text) { return .id(number) }
    begin(name)
    defer { end() }
    do throws(Missing) { return .id(try lookUp(name)) } catch {
      return .missing(error, lastKnown: lastKnown[name])
    }
  }

  /// The home directory of a user, or nil if the user has none.
  func home(ofUser id: UInt32) -> String? {
    begin(.user("\(id)"))
    defer { end() }
    return lookUpHome(id)
  }

  private func begin(_ name: Name) { state.withLock { $0.asked = name } }

  private func end() { state.withLock { $0.asked = nil } }
}
