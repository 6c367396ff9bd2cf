internal import AddressNormalization
internal import Registration

/// `email`: which addresses are accepted.
package struct EmailSettings: Equatable, Sendable {
  package var maximumLength: Int
  package var internationalized: Bool
  package var allowedDomains: [String]
  package var blockedDomains: [String]
  /// A file with one blocked domain per line, or "" for none.
  package var blockedDomainsFile: String

  /// The domain as A-labels, or nil if no address could have it.
  private static func domain(_ text: some StringProtocol) -> String? {
    DomainName.ascii(String(text), UnicodeNormalizer())
  }

  /// How many problems of a list are reported one by one. A file of another kind would have a problem in each line.
  static let mostProblems = 20

  /// Why an item of a list of blocked domains is wrong, and the right form, or nil if it is right.
  static func problem(_ item: String) -> String? {
    if domain(item) != nil { return nil }
    guard let meant = meant(item) else {
      return "\"\(item)\" is not a domain such as example.org; a domain includes all domains below it"
    }
    return "\"\(item)\" is not a domain, and would block nothing; write \(meant), which includes all domains below it"
  }

  /// Reads a list of domains for `DomainPatterns`, and refuses each item that no domain could match.
  ///
  /// - Parameter effect: What the list does for its domains, as a verb such as `allow`. Used in the problem of an item.
  static func patterns(_ key: String, to effect: String, _ reader: inout SettingsReader) -> [String] {
    let items = reader.list(key, default: [])
    for problem in items.lazy.compactMap({ Self.problemOfPattern($0, to: effect) }).prefix(Self.mostProblems) {
      reader.refuse(key, problem)
    }
    return items
  }

  /// Why an item of a list of patterns is wrong, and the right form, or nil if it is right.
  private static func problemOfPattern(_ item: String, to effect: String) -> String? {
    if item.hasPrefix("*.") {
      if domain(item.dropFirst(2)) != nil { return nil }
    } else if let domain = domain(item) {
      if domain.contains(".") { return nil }
      return "\"\(item)\" has no dot, and would \(effect) nothing; write *.\(domain) for all domains below it"
    }
    guard let meant = meant(item) else { return "\"\(item)\" is not a domain such as example.org or *.example.org" }
    return
      "\"\(item)\" is not a domain, and would \(effect) nothing; write \(meant) for only that domain, *.\(meant) for all domains below it"
  }

  /// Returns the domain that an operator means by a text such as `@example.org` or `*.example.org`, or nil if it is unclear.
  private static func meant(_ item: String) -> String? {
    let bare = item.drop { $0 == "*" || $0 == "." || $0 == "@" }.prefix { !$0.isWhitespace }
    let name = bare.last == "." ? bare.dropLast() : bare
    return name.count < item.count ? domain(name) : nil
  }

  init(_ reader: inout SettingsReader) {
    maximumLength = reader.integer("email.maximumLength", default: 254, 6...254)
    internationalized = reader.flag("email.internationalized", default: true)
    allowedDomains = Self.patterns("email.allowedDomains", to: "allow", &reader)
    blockedDomains = reader.list("email.blockedDomains", default: [])
    blockedDomainsFile = reader.optionalPath(Self.fileKey)
    for problem in blockedDomains.lazy.compactMap(Self.problem).prefix(Self.mostProblems) {
      reader.refuse("email.blockedDomains", problem)
    }
  }

  static let fileKey = "email.blockedDomainsFile"
}
