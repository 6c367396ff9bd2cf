internal import AddressNormalization
internal import Registration

/// `email`: which addresses are accepted.
package struct EmailSettings: Equatable, Sendable {
  package var maximumLength: Int
  package var internationalized: Bool
  package var blockedDomains: [String]

  /// The domain as A-labels; nil if no address could have it.
  private static func domain(_ text: some StringProtocol) -> String? {
    guard let ascii = UnicodeNormalizer().asciiDomain(String(text)), DomainName.isValid(ascii) else { return nil }
    return ascii
  }

  /// The most problems of the list that are reported one by one; a file of another kind would give one per item.
  private static let mostProblems = 20

  /// Why an item of the list is wrong, and the right form; nil if it is right.
  private static func problem(_ item: String) -> String? {
    if domain(item) != nil { return nil }
    // operators write a dot or a star before a domain to mean all below it, which is meant anyway
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
