internal import Registration
package import WireProtocols

/// saslauthd's protocol, which Cyrus SASL speaks (libsasl's `pwcheck_method: saslauthd`), and through it Cyrus IMAP,
/// Postfix, Exim, slapd and memcached.
package struct SaslauthdDoor: Door {
  package static let name = "saslauthd"

  package init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms) {}

  package func open(_ context: DoorContext) -> any WireProtocol {
    DoorWire(Self.name, context) { _ in SaslauthdLoginProtocol() }
  }
}
