internal import AddressNormalization
internal import Registration

/// `email`: which addresses are taken.
package struct EmailSettings: Equatable, Sendable {
  package var maximumLength: Int
  package var internationalized: Bool
  package var blockedDomains: [String]

  /// Nil for what is no domain that an address could have.
  private static func domain(_ text: some StringProtocol) -> String? {
    guard let ascii = UnicodeNormalizer().asciiDomain(String(text)), DomainName.isValid(ascii) else { return nil }
    return ascii
  }

  /// Mistakes that are reported one by one; a list of another kind has as many as items.
  private static let mostProblems = 20

  /// What is wrong with an item of the list, and what would be right.
  private static func problem(_ item: String) -> String? {
    if domain(item) != nil { return nil }
    // a dot before or behind, a star before: written for all below, which is meant anyway
    let bare = item.drop { $0 == "*" || $0 == "." || $0 == "@" }.prefix { !$0.isWhitespace }
    let name = bare.last == "." ? bare.dropLast() : bare
    guard name.count < item.count, let meant = domain(name) else {
      return "\"\(item)\" is not a domain such as example.org; all below it are meant too"
    }
    return "\"\(item)\" is not a domain, and would block nothing; write \(meant), which means all below it too"
  }

  init(_ reader: inout SettingsReader) {
    maximumLength = reader.integer("email.maximumLength", default: 254, 6...254)
    internationalized = reader.flag("email.internationalized", default: true)
    blockedDomains = reader.list("email.blockedDomains", default: [])
    for problem in blockedDomains.lazy.compactMap(Self.problem).prefix(Self.mostProblems) {
      reader.refuse("email.blockedDomains", problem)
    }
  }
}
