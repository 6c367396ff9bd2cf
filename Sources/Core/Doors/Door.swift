package import Dialogues
package import Registration

/// A protocol that a listening point of the configuration can speak. A conforming type is everything about it: its name, its keys
/// with their types and defaults, and how it opens. The daemon's `Backends.doors` lists each in one line.
///
/// A value holds what the configuration says to one door. Equal values open the same.
package protocol Door: Equatable, Sendable {
  /// The value of the key `protocol` that chooses it.
  static var name: String { get }

  /// Reads the door's own keys, and refuses impossible values.
  ///
  /// - Parameter section: The prefix of its keys, such as `doors.mail`. Name, protocol, path, mode and group are read already.
  init(_ keys: inout some ConfigurationKeys, at section: String)

  /// Makes what connections speak. A reload that changes the door's keys calls it again.
  func open(_ surroundings: DoorSurroundings) -> any WireProtocol
}

/// The surroundings that a door gets in addition to its keys.
package struct DoorSurroundings: Sendable {
  /// Registers, signs in and looks up.
  package let registrar: Live<Registrar>

  package init(registrar: Live<Registrar>) { self.registrar = registrar }
}
