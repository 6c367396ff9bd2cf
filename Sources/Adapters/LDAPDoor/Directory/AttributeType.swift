/// The attributes that the directory's entries can have, or that the entries' names can contain.
enum AttributeType: String, CaseIterable, Sendable {
  case objectClass, mail, uid, cn, sn, displayName, memberOf, entryUUID, member, ou, dc
  case namingContexts, supportedLDAPVersion, supportedExtension, supportedFeatures, vendorName

  /// Other names that clients use, and the object identifier (RFC 4519, RFC 4524, RFC 4530, RFC 2798, RFC 4512 §5.1, RFC
  /// 3045). `memberOf` is a name of Active Directory.
  private var otherNames: [String] {
    switch self {
    case .objectClass: ["2.5.4.0"]
    case .mail: ["rfc822Mailbox", "0.9.2342.19200300.100.1.3"]
    case .uid: ["userid", "0.9.2342.19200300.100.1.1"]
    case .cn: ["commonName", "2.5.4.3"]
    case .sn: ["surname", "2.5.4.4"]
    case .displayName: ["2.16.840.1.113730.3.1.241"]
    case .memberOf: ["1.2.840.113556.1.2.102"]
    case .entryUUID: ["1.3.6.1.1.16.4"]
    case .member: ["2.5.4.31"]
    case .ou: ["organizationalUnitName", "2.5.4.11"]
    case .dc: ["domainComponent", "0.9.2342.19200300.100.1.25"]
    case .namingContexts: ["1.3.6.1.4.1.1466.101.120.5"]
    case .supportedLDAPVersion: ["1.3.6.1.4.1.1466.101.120.15"]
    case .supportedExtension: ["1.3.6.1.4.1.1466.101.120.7"]
    case .supportedFeatures: ["1.3.6.1.4.1.4203.1.3.5"]
    case .vendorName: ["1.3.6.1.1.4"]
    }
  }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.flatMap { type in
      ([type.rawValue] + type.otherNames).map { ($0.folded, type) }
    })
  private static let longestName = byName.keys.map(\.utf8.count).max() ?? 0

  init?(_ name: some Collection<UInt8>) {
    guard name.count <= Self.longestName,
      let type = Self.byName[String(decoding: name, as: UTF8.self).folded]
    else { return nil }
    self = type
  }

  /// Whether the attribute's value is the person's address, so that the entry's name may contain the attribute.
  var isNaming: Bool { self == .mail || self == .uid || self == .cn }

  var hasSubstrings: Bool { isNaming || self == .sn || self == .displayName || self == .ou || self == .dc }

  /// Whether an entry shows the attribute only to a search that asks for it by name or by `+`.
  var isOperational: Bool {
    switch self {
    case .objectClass, .mail, .uid, .cn, .sn, .displayName, .memberOf, .member, .ou, .dc: false
    case .entryUUID, .namingContexts, .supportedLDAPVersion, .supportedExtension, .supportedFeatures, .vendorName: true
    }
  }
}

/// The kinds of entries that a search can look up.
enum EntryKind {
  case person, group

  /// The values of `objectClass`.
  var classes: [String] {
    switch self {
    case .person: ["top", "person", "organizationalPerson", "inetOrgPerson"]
    case .group: ["top", "groupOfNames"]
    }
  }

  /// Whether entries of the kind can have the attribute.
  func has(_ type: AttributeType) -> Bool {
    switch type {
    case .objectClass, .cn: true
    case .mail, .uid, .sn, .displayName, .memberOf, .entryUUID: self == .person
    case .member: self == .group
    case .ou, .dc, .namingContexts, .supportedLDAPVersion, .supportedExtension, .supportedFeatures, .vendorName: false
    }
  }

  func hasClass(_ name: String) -> Bool { classes.contains { $0.folded == name.folded } }
}

extension String {
  /// Folds a text for comparisons that ignore case and the number of spaces: in ASCII only, as regd compares addresses.
  var folded: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == UInt8(ascii: " "), bytes.isEmpty || bytes.last == byte { continue }
      bytes.append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
    }
    if bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
