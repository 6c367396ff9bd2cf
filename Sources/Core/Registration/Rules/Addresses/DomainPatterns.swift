/// The domains that an operator lists in `email.allowedDomains` or `registration.approvedDomains`. Kept as names, not as hashes
/// (`DomainList`), because a collision would favour a stranger's domain.
package struct DomainPatterns: Equatable, Sendable {
  private var exact: Set<String> = []
  /// The domains of which all subdomains are contained.
  private var parents: Set<String> = []

  /// No domain.
  package init() {}

  /// - Parameter entries: `example.org` for that domain alone, `*.example.org` for all domains below it but not
  ///   `example.org` itself.
  package init(_ entries: [String], _ normalizer: any TextNormalizer) {
    for entry in entries {
      let isParent = entry.hasPrefix(Self.wildcard)
      let name = String(entry.dropFirst(isParent ? Self.wildcard.count : 0))
      let domain = normalizer.asciiDomain(name) ?? name
      if isParent { parents.insert(domain) } else { exact.insert(domain) }
    }
  }

  static let wildcard = "*."

  var isEmpty: Bool { exact.isEmpty && parents.isEmpty }

  /// - Parameter domain: In lower-case A-labels.
  func contains(_ domain: String) -> Bool {
    if exact.contains(domain) { return true }
    guard !parents.isEmpty else { return false }
    var name = domain[...]
    while let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) {
      name = name[name.utf8.index(after: dot)...]
      if parents.contains(String(name)) { return true }
    }
    return false
  }
}
