/// Domains with all below them. What it costs to ask depends on how many labels a name has, and not on how many domains
/// there are.
package struct DomainSet: Equatable, Sendable {
  private var domains: Set<String>

  /// - Parameter domains: In lower-case A-labels.
  init(_ domains: some Sequence<String>) { self.domains = Set(domains) }

  package var isEmpty: Bool { domains.isEmpty }

  /// Whether `domain`, or one that it lies below, is in the set.
  func covers(_ domain: String) -> Bool {
    guard !isEmpty else { return false }
    var name = domain[...]
    while true {
      if domains.contains(String(name)) { return true }
      guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
      name = name[name.utf8.index(after: dot)...]
    }
  }
}
