internal import Doors
internal import Registration

/// The directory that the LDAP door shows: a base, and directly below it one entry for each person's account.
struct Directory: Equatable, Sendable {
  /// The base as it was written.
  let baseText: String
  private let base: DistinguishedName
  /// The domain that completes an address without an @; empty for none.
  private let domain: String

  /// Makes a directory with an empty base and no domain.
  init() { (baseText, base, domain) = ("", DistinguishedName(), "") }

  /// - Parameter base: If empty, the base is made of the domain's labels.
  /// - Returns: Nil if the base is not a valid name (DN).
  init?(base: String, domain: String) {
    let labels = domain.split(separator: ".").map { "dc=\(DistinguishedName.escaped(String($0)))" }
    let text = base.isEmpty ? labels.joined(separator: ",") : base
    guard let name = DistinguishedName(text.utf8) else { return nil }
    (baseText, self.base, self.domain) = (text, name, domain)
  }

  /// The entry that a name (DN) means.
  enum Place: Equatable {
    case base
    /// - Parameter address: As it was written; perhaps without a domain.
    case person(address: String)
    /// A name that no entry can have.
    case elsewhere
  }

  func place(of name: DistinguishedName) -> Place {
    if name == base { return .base }
    guard name.names.count == base.names.count + 1, name.names.dropFirst().elementsEqual(base.names),
      let own = name.names.first, own.count == 1, AttributeType(own[0].type.utf8)?.isNaming == true
    else { return .elsewhere }
    return .person(address: own[0].value)
  }

  /// The login that a bind's name means. If the name is that of a person's entry, this is the address in the name.
  /// Otherwise it is the whole name, because many clients bind with the address alone.
  ///
  /// Besides the address, the name may have the attribute `host` (RFC 4524 section 2.10), as in
  /// `mail=you@example.org+host=198.51.100.7`: the origin of the sign-in, for which LDAP has no field. Empty for none.
  func login(_ name: [UInt8]) -> (address: [UInt8], origin: [UInt8]) {
    guard var read = DistinguishedName(name) else { return (name, []) }
    let origin = read.removeHost() ?? ""
    guard case .person(let address) = place(of: read), !address.isEmpty else { return (name, []) }
    return (Array(address.utf8), Array(origin.utf8))
  }

  /// The form in which the directory compares addresses: completed by the domain, and case-folded.
  func key(_ address: String) -> String {
    domain.isEmpty || address.utf8.contains(UInt8(ascii: "@")) ? address.folded : "\(address)@\(domain)".folded
  }

  func name(of account: DoorAccount) -> String {
    "mail=\(DistinguishedName.escaped(account.name))" + (baseText.isEmpty ? "" : ",\(baseText)")
  }

  /// - Parameter asked: The address by which the search found the account.
  func entry(_ account: DoorAccount, asked: String) -> Entry {
    let name = [account.name]
    return Entry(
      name: self.name(of: account),
      attributes: [
        (.objectClass, ["top", "person", "organizationalPerson", "inetOrgPerson"]),
        (.mail, name), (.uid, name), (.cn, name), (.sn, name), (.entryUUID, [account.id.description]),
      ],
      alsoKnownAs: [key(asked)], key: { [self] in key($0) })
  }

  /// The root DSE (RFC 4512 §5.1): an entry without a name, which lists the door's features.
  var root: Entry {
    Entry(
      name: "",
      attributes: [
        (.objectClass, ["top"]), (.namingContexts, [baseText]), (.supportedLDAPVersion, ["3"]),
        (.supportedExtension, [ExtendedName.whoAmI]),
        // `+` (RFC 3673), and filters that are always true or false (RFC 4526)
        (.supportedFeatures, ["1.3.6.1.4.1.4203.1.5.1", "1.3.6.1.4.1.4203.1.5.3"]),
        (.vendorName, ["regd"]),
      ])
  }

  /// How many persons' entries a filter may match.
  enum Reach: Equatable {
    case nobody
    case one(address: String)
    case many
  }

  func reach(_ filter: Filter) -> Reach {
    switch filter {
    case .equal(let type, let value):
      if type.isNaming { return value.isEmpty ? .nobody : .one(address: value) }
      return type.isOfPersons ? .many : .nobody
    case .present(let type), .substrings(let type, _): return type.isOfPersons ? .many : .nobody
    case .undefined: return .nobody
    case .not: return .many
    case .and(let parts):
      let reaches = parts.map { reach($0) }
      if reaches.contains(.nobody) { return .nobody }
      return reaches.first { $0 != .many } ?? .many
    case .or(let parts): return parts.reduce(.nobody) { either($0, reach($1)) }
    }
  }

  private func either(_ one: Reach, _ other: Reach) -> Reach {
    switch (one, other) {
    case (.nobody, _): other
    case (_, .nobody): one
    case (.one(let address), .one(let another)) where key(address) == key(another): one
    default: .many
    }
  }
}
