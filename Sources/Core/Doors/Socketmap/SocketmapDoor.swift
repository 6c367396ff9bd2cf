internal import Registration
package import WireProtocols

/// Postfix's socketmap (socketmap_table(5)), from which a mail server learns which addresses and domains regd has.
package struct SocketmapDoor: Door {
  package static let name = "socketmap"
  package static let signsIn = false

  package init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms) {}

  package var tellsAddresses: Bool { true }

  package func open(_ context: DoorContext) -> any WireProtocol {
    let (terms, normalizer) = (context.terms, context.normalizer)
    return DoorWire(Self.name, context) { _ in
      SocketmapLoginProtocol { Self.domain($0, of: terms, normalizer) }
    }
  }

  /// Returns the domain as A-labels if it is one of `terms.domains`, otherwise nil.
  static func domain(_ typed: String, of terms: DoorTerms, _ normalizer: any TextNormalizer) -> String? {
    guard let domain = DomainName.ascii(typed, normalizer), terms.domains.contains(domain) else { return nil }
    return domain
  }
}
