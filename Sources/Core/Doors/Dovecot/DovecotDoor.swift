internal import Registration
package import WireProtocols

/// Dovecot's auth-client protocol, with which Postfix and Exim sign senders in (`smtpd_sasl_type = dovecot`, `driver =
/// dovecot`), as do Dovecot's own login processes.
package struct DovecotDoor: Door {
  package static let name = "dovecot"

  package init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms) {}

  package func open(_ context: DoorContext) -> any WireProtocol {
    let greetings = DovecotGreetings()
    // no idle limit, because a program keeps its connection for as long as it runs
    return DoorWire(Self.name, idleSeconds: 0, context) { _ in DovecotLoginProtocol(greetings.next()) }
  }
}
