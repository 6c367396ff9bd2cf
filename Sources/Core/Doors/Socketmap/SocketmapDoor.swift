package import Dialogues
package import Registration

/// Postfix's socketmap (socketmap_table(5)), by which a mail server learns which addresses and domains are here.
package struct SocketmapDoor: Door {
  package static let name = "socketmap"

  package init(_ keys: inout some ConfigurationKeys, at section: String, _ terms: DoorTerms) {}

  package var tellsAddresses: Bool { true }

  package func open(_ surroundings: DoorSurroundings) -> any WireProtocol {
    let (domains, normalizer) = (surroundings.terms.domains, surroundings.normalizer)
    return DoorWire(Self.name, surroundings) { _ in
      SocketmapSpeaker { domain in DomainName.ascii(domain, normalizer).flatMap { domains.contains($0) ? $0 : nil } }
    }
  }
}
