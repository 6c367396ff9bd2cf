internal import AddressNormalization
internal import Linux
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

extension SettingsReader {
  /// Reads the file of blocked domains that the settings name, and notes its problems.
  mutating func blockedDomains(_ settings: EmailSettings) -> DomainList {
    let (path, key) = (settings.blockedDomainsFile, EmailSettings.fileKey)
    // no file is configured, or its path is not absolute and was already refused
    guard path.hasPrefix("/") else { return DomainList() }
    var reader = DomainListReader(normalizer: UnicodeNormalizer())
    do throws(SystemError) {
      // opens without waiting and requires a regular file, because reading a pipe could block the start or a reload
      let file = try Descriptor.open(path, [.reading, .withoutWaiting, .withoutTerminal])
      guard try file.status().kind == .regular else {
        refuse(key, "\(path) is a directory, a device or a pipe, but must be a regular file")
        return DomainList()
      }
      while reader.problems.count < EmailSettings.mostProblems {
        let chunk = try file.read(atMost: Self.chunk)
        if chunk.isEmpty { break }
        chunk.withUnsafeBytes { reader.take($0) }
      }
    } catch {
      refuse(key, "\(path) cannot be read: \(error.text)")
      return DomainList()
    }
    let (list, problems) = reader.finish()
    for problem in problems.prefix(EmailSettings.mostProblems) {
      let message = problem.text.map { EmailSettings.problem($0) ?? "\"\($0)\" is not a domain" } ?? "is not UTF-8"
      refuse(ConfigurationProblem(place: "\(path):\(problem.line)", key: key, message: message))
    }
    return list
  }

  private static let chunk = 65_536
}
