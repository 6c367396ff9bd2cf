/// A set of domains, each of which covers everything below it. Takes at most nine bytes per domain.
///
/// It keeps a 64-bit keyed hash of each domain instead of its name. So a look-up may find a domain that is not listed:
/// in a list of a million domains, with a probability of 2⁻⁴⁴ for each ending of the name. A name that is found by
/// mistake cannot be chosen without the key, which is random and never leaves the process.
package struct DomainList: Equatable, Sendable {
  /// The hashes of the domains, sorted, each once.
  private let hashes: [UInt64]
  /// The range of hash values is cut into equal parts. For each part, this has the index in `hashes` where the part
  /// begins. The last element is the count of `hashes`.
  private let starts: [Int]
  /// How far a hash is shifted to the right to get the index of its part.
  private let shift: Int
  /// The most labels of a listed domain. A look-up tries at most this many of the last labels of a name.
  private let mostLabels: Int

  /// One key for all lists, so that two lists of the same domains are equal.
  private static let hash = {
    var generator = SystemRandomNumberGenerator()
    return SipHash(using: &generator)
  }()

  /// - Parameter domains: In lower-case A-labels.
  package init(_ domains: some Sequence<String> = []) {
    var draft = Draft()
    for domain in domains {
      var domain = domain
      domain.withUTF8 { draft.add(UnsafeRawBufferPointer($0)) }
    }
    self.init(&draft)
  }

  /// Domains in any order, some perhaps more than once.
  struct Draft {
    fileprivate var hashes: [UInt64] = []
    fileprivate var mostLabels = 0

    /// - Parameter domain: In lower-case A-labels.
    mutating func add(_ domain: UnsafeRawBufferPointer) {
      hashes.append(DomainList.hash.hash(domain))
      mostLabels = max(mostLabels, 1 + domain.count { $0 == UInt8(ascii: ".") })
    }
  }

  /// - Parameter draft: The domains. The draft is emptied, so that its hashes are sorted in place.
  init(_ draft: inout Draft) {
    mostLabels = draft.mostLabels
    var sorted: [UInt64] = []
    swap(&sorted, &draft.hashes)
    sorted.sort()
    var count = 0
    for hash in sorted where count == 0 || sorted[count - 1] != hash {
      sorted[count] = hash
      count += 1
    }
    // a copy without the spare room of a grown array
    hashes = sorted.withUnsafeBufferPointer { [UInt64]($0.prefix(count)) }
    // about eight to sixteen hashes in a part: one or two cache lines
    let bits = UInt64.bitWidth - (count / 16).leadingZeroBitCount
    shift = UInt64.bitWidth - bits
    var starts: [Int] = []
    starts.reserveCapacity(1 << bits + 1)
    var place = 0
    for part in 0..<1 << bits {
      while place < count, hashes[place] >> shift < part { place += 1 }
      starts.append(place)
    }
    starts.append(count)
    self.starts = starts
  }

  package var isEmpty: Bool { hashes.isEmpty }

  /// How many different domains there are.
  package var count: Int { hashes.count }

  /// Whether the list contains `domain`, or a domain above it. Allocates nothing.
  ///
  /// - Parameter domain: In lower-case A-labels.
  package func covers(_ domain: UnsafeRawBufferPointer) -> Bool {
    guard !isEmpty else { return false }
    var labels = 0
    var start = domain.count
    while start >= 0, labels < mostLabels {
      start -= 1
      guard start < 0 || domain[start] == UInt8(ascii: ".") else { continue }
      labels += 1
      if contains(Self.hash.hash(UnsafeRawBufferPointer(rebasing: domain[(start + 1)...]))) { return true }
    }
    return false
  }

  package func covers(_ domain: String) -> Bool {
    var domain = domain
    return domain.withUTF8 { covers(UnsafeRawBufferPointer($0)) }
  }

  private func contains(_ hash: UInt64) -> Bool {
    let part = Int(hash >> shift)
    var place = starts[part]
    let end = starts[part + 1]
    while place < end, hashes[place] < hash { place += 1 }
    return place < end && hashes[place] == hash
  }
}

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
