internal import AddressNormalization

/// `email`: which addresses are taken.
package struct EmailSettings: Equatable, Sendable {
  package var maximumLength: Int
  package var internationalized: Bool
  package var blockedDomains: [String]

  private static func isDomain(_ text: String) -> Bool {
    guard let ascii = UnicodeNormalizer().asciiDomain(text) else { return false }
    return !ascii.isEmpty
      && ascii.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10
          || byte &- UInt8(ascii: "a") < 26
      }
  }

  init(_ reader: inout SettingsReader) {
    maximumLength = reader.integer("email.maximumLength", default: 254, 6...254)
    internationalized = reader.flag("email.internationalized", default: true)
    blockedDomains = reader.list("email.blockedDomains", default: [])
    for domain in blockedDomains where !Self.isDomain(domain) {
      reader.refuse(
        "email.blockedDomains", "\"\(domain)\" is not a domain such as example.org; all below it are meant too")
    }
  }
}
