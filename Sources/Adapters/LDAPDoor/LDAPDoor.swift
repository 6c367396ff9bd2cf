package import Doors
internal import Registration
package import WireProtocols

/// LDAP, for programs that sign in by a simple bind, and look up the address first if they must, or its groups: Dovecot,
/// Apache, Exim, nslcd.
package struct LDAPDoor: Door {
  package static let name = "ldap"
  package static let listensOnLoopback = true

  let directory: Directory?
  /// The addresses whose owners may look up other accounts after they have signed in (bound).
  let searchers: [String]

  package init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms) {
    directory = Directory(base: keys.string("\(section).base", default: ""), domain: terms.domain)
    searchers = keys.list("\(section).searchers", default: [])
    if directory == nil { keys.refuse("\(section).base", "must be a DN such as dc=example,dc=org") }
    if let name = searchers.first(where: { !$0.utf8.contains(UInt8(ascii: "@")) }) {
      keys.refuse("\(section).searchers", "must be addresses, but \"\(name)\" has no @")
    }
    if let failure = BER.libraryFailure { keys.refuse("\(section).protocol", "cannot be used: \(failure)") }
  }

  package var tellsAddresses: Bool { true }

  package func open(_ context: DoorContext) -> any WireProtocol {
    let directory = directory ?? Directory()
    let rules = context.registrar.with { $0.rules.email }
    let searchers = Set(searchers.map { (try? rules.addressOfAccount($0).get())?.key.value ?? $0.folded })
    return DoorWire(Self.name, context) { caller in
      LDAPLoginProtocol(directory, searchers: searchers, mayAlwaysSearch: caller.isNamed)
    }
  }
}
