/// A set of domains, each with everything below it. A look-up takes time in proportion to the labels of a name, not to the number
/// of domains.
package struct DomainSet: Equatable, Sendable {
  private var domains: Set<String>

  /// - Parameter domains: In lower-case A-labels.
  init(_ domains: some Sequence<String>) { self.domains = Set(domains) }

  package var isEmpty: Bool { domains.isEmpty }

  /// Whether the set has `domain`, or a domain above it.
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
