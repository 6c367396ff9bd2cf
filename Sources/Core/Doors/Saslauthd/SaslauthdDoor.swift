internal import Registration
package import WireProtocols

/// saslauthd's protocol, which Cyrus SASL speaks (libsasl's `pwcheck_method: saslauthd`), and through it Cyrus IMAP,
/// Postfix, Exim, slapd and memcached.
package struct SaslauthdDoor: Door {
  package static let name = "saslauthd"

  package init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms) {}

  package func open(_ surroundings: DoorSurroundings) -> any WireProtocol {
    DoorWire(Self.name, surroundings) { _ in SaslauthdSpeaker() }
  }
}
