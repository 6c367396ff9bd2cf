package import Methods
package import Registration
package import WireProtocols

/// The protocol of a door, which is a listening point besides regd's own socket. A conforming type defines the whole
/// door: its name, its keys with their types and defaults, and how it opens. The daemon's `Backends.doors` lists each
/// type in one line.
///
/// A value holds the configuration of one door. Equal values open equal doors.
package protocol Door: Equatable, Sendable {
  /// The value of the key `protocol` that chooses this type.
  static var name: String { get }

  /// Whether users sign in at the door. Otherwise the key `groups` would have no effect.
  static var signsIn: Bool { get }

  /// Whether the key `listen` may open the door over TCP on loopback.
  static var listensOnLoopback: Bool { get }

  /// Reads the door's own keys, and refuses impossible values.
  ///
  /// - Parameters:
  ///   - section: The prefix of the door's keys, such as `doors.mail`. The daemon has already read the name, the
  ///     protocol, the socket, the peers and the terms.
  ///   - terms: The keys that all doors have.
  init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms)

  /// Whether the door reveals to callers which addresses have accounts, without asking for a password.
  var tellsAddresses: Bool { get }

  /// How long the door remembers a correct password, so that a repeat need not be hashed. Zero turns this off.
  var memory: Duration { get }

  /// Whether the door gives some callers more rights by their uid or gid. Such a door cannot listen on TCP, because a
  /// TCP peer has no uid or gid.
  var trustsPeers: Bool { get }

  /// Makes the protocol of the door's connections. Called at the start, and after each reload that changes the door's
  /// keys.
  func open(_ context: DoorContext) -> any WireProtocol
}

/// The configuration's keys, as doors read them.
package protocol DoorKeys: ConfigurationKeys {
  /// Reads the users and groups of a section with `uids`, `users` and `groups`. regd warns of names that this machine
  /// does not have.
  ///
  /// - Returns: Nil if the section names no user and no group. Empty if none of the named users and groups exist on
  ///   this machine.
  mutating func members(_ section: String) -> AccessRules.Members?
}

extension Door {
  package static var signsIn: Bool { true }
  package static var listensOnLoopback: Bool { false }
  package var tellsAddresses: Bool { false }
  package var memory: Duration { .zero }
  package var trustsPeers: Bool { false }
}

/// The values of the keys that all doors have, except for protocol, socket and peers.
package struct DoorTerms: Equatable, Sendable {
  /// The domain that completes a login without an @ if the program sends no realm. Empty if there is no such domain.
  package var domain: String
  /// The only domains whose addresses may sign in here, as lower-case A-labels. Empty if all domains are served.
  package var domains: Set<String>
  /// Only members of at least one of these groups sign in here. If the list is empty, all accounts do.
  package var groups: [GroupName]
  /// How many seconds an answer may take. After that, the answer is "away".
  package var answerSeconds: Int

  package init(
    domain: String = "", domains: Set<String> = [], groups: [GroupName] = [], answerSeconds: Int = 8
  ) {
    (self.domain, self.domains, self.groups, self.answerSeconds) = (domain, domains, groups, answerSeconds)
  }
}

/// The parts of regd that a door may use.
package struct DoorContext: Sendable {
  /// The door's name in the configuration.
  package let door: String
  package let terms: DoorTerms
  /// The door's counts, which every reload keeps.
  package let counts: DoorCounts
  /// Registers and signs in.
  package let registrar: Reloadable<Registrar>
  /// Looks accounts up.
  package let administrator: Administrator
  package let normalizer: any TextNormalizer
  /// Called with each refused login.
  package let refused: RefusalObserver
  /// For the door that speaks JSON-RPC.
  package let methods: JSONRPCMethods

  package init(
    door: String, terms: DoorTerms, counts: DoorCounts, registrar: Reloadable<Registrar>, administrator: Administrator,
    normalizer: any TextNormalizer, refused: @escaping RefusalObserver, methods: JSONRPCMethods
  ) {
    (self.door, self.terms, self.counts, self.registrar) = (door, terms, counts, registrar)
    (self.administrator, self.normalizer, self.methods) = (administrator, normalizer, methods)
    self.refused = refused
  }
}
