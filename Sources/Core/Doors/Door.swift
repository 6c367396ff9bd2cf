package import Dialogues
package import JSONRPC
package import Methods
package import Registration

/// A protocol that a listening point of the configuration can speak. A conforming type is everything about it: its name, its keys
/// with their types and defaults, and how it opens. The daemon's `Backends.doors` lists each in one line.
///
/// A value holds what the configuration says to one door. Equal values open the same.
package protocol Door: Equatable, Sendable {
  /// The value of the key `protocol` that chooses it.
  static var name: String { get }

  /// Whether it may be reached over TCP, on loopback, by the key `listen`.
  static var listensOnLoopback: Bool { get }

  /// Reads the door's own keys, and refuses impossible values.
  ///
  /// - Parameters:
  ///   - section: The prefix of its keys, such as `doors.mail`. Name, protocol, place, peers and terms are read already.
  ///   - terms: The keys that all doors have.
  init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms)

  /// Whether callers learn from it which addresses have accounts, without a password.
  var tellsAddresses: Bool { get }

  /// How long a right password spares the next hash; zero for never.
  var memory: Duration { get }

  /// Whether its callers are trusted by who they are, which nobody knows of callers over TCP.
  var trustsPeers: Bool { get }

  /// Makes what connections speak. A reload that changes the door's keys calls it again.
  func open(_ surroundings: DoorSurroundings) -> any WireProtocol
}

/// The layers of the configuration, as doors read them.
package protocol DoorKeys: ConfigurationKeys {
  /// The users and groups of a section with `uids`, `users` and `groups`; one that this machine does not have is refused.
  mutating func members(_ section: String) -> AccessRules.Members
}

extension Door {
  package static var listensOnLoopback: Bool { false }
  package var tellsAddresses: Bool { false }
  package var memory: Duration { .zero }
  package var trustsPeers: Bool { false }
}

/// The keys that all doors have beside their place.
package struct DoorTerms: Equatable, Sendable {
  /// What a login without an @ is completed with, unless its program says a realm; empty for nothing.
  package var domain: String
  /// The only domains of which addresses sign in here, as lower-case A-labels; empty for all.
  package var domains: Set<String>
  /// What takes longer is "away".
  package var answerSeconds: Int

  package init(domain: String = "", domains: Set<String> = [], answerSeconds: Int = 8) {
    (self.domain, self.domains, self.answerSeconds) = (domain, domains, answerSeconds)
  }
}

/// The surroundings that a door gets in addition to its keys.
package struct DoorSurroundings: Sendable {
  /// The door's name in the configuration.
  package let door: String
  package let terms: DoorTerms
  /// Counts over reloads, for as long as regd runs.
  package let counts: DoorCounts
  /// Registers and signs in.
  package let registrar: Live<Registrar>
  /// Looks up.
  package let administrator: Administrator
  package let normalizer: any TextNormalizer
  /// Told of refused logins.
  package let refused: RefusalObserver
  /// What regd's own socket speaks.
  package let dispatcher: Dispatcher

  package init(
    door: String, terms: DoorTerms, counts: DoorCounts, registrar: Live<Registrar>, administrator: Administrator,
    normalizer: any TextNormalizer, refused: @escaping RefusalObserver, dispatcher: Dispatcher
  ) {
    (self.door, self.terms, self.counts, self.registrar) = (door, terms, counts, registrar)
    (self.administrator, self.normalizer, self.dispatcher) = (administrator, normalizer, dispatcher)
    self.refused = refused
  }
}
