package import Registration

/// Verifies the audit's tree by the definitions and algorithms of RFC 9162, section 2.1, without the code that makes the tree.
package struct AuditVerifier: Sendable {
  private let cryptography: any AuditCryptography

  package init(_ cryptography: any AuditCryptography) { self.cryptography = cryptography }

  /// The Merkle tree hash (section 2.1.1).
  package func root(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
    guard let first = leaves.first else { return cryptography.digest([]) }
    guard leaves.count > 1 else { return cryptography.digest([0] + first) }
    let middle = leaves.startIndex + Self.split(leaves.count)
    return node(root(leaves[..<middle]), root(leaves[middle...]))
  }

  /// The path of an inclusion proof (section 2.1.3.1).
  package func path(of leaf: Int, _ leaves: ArraySlice<[UInt8]>) -> [[UInt8]] {
    guard leaves.count > 1 else { return [] }
    let middle = leaves.startIndex + Self.split(leaves.count)
    return leaf < middle
      ? path(of: leaf, leaves[..<middle]) + [root(leaves[middle...])]
      : path(of: leaf, leaves[middle...]) + [root(leaves[..<middle])]
  }

  /// The path of a consistency proof (section 2.1.4.1).
  ///
  /// - Parameter size: The size of the smaller tree, at least 1.
  package func path(from size: Int, _ leaves: ArraySlice<[UInt8]>, isWhole: Bool = true) -> [[UInt8]] {
    guard size < leaves.endIndex else { return isWhole ? [] : [root(leaves)] }
    let middle = leaves.startIndex + Self.split(leaves.count)
    return size <= middle
      ? path(from: size, leaves[..<middle], isWhole: isWhole) + [root(leaves[middle...])]
      : path(from: size, leaves[middle...], isWhole: false) + [root(leaves[..<middle])]
  }

  /// Whether a tree has a leaf (section 2.1.3.2).
  package func verify(_ inclusion: AuditInclusion, in size: Int, _ root: [UInt8]) -> Bool {
    guard inclusion.index < size else { return false }
    var (first, second) = (inclusion.index, size - 1)
    var hash = cryptography.digest([0] + inclusion.leaf)
    for part in inclusion.path {
      guard second > 0 else { return false }
      if first & 1 == 1 || first == second {
        hash = node(part, hash)
        while first & 1 == 0, first > 0 { (first, second) = (first >> 1, second >> 1) }
      } else {
        hash = node(hash, part)
      }
      (first, second) = (first >> 1, second >> 1)
    }
    return second == 0 && hash == root
  }

  /// Whether a tree begins with another one (section 2.1.4.2).
  package func verify(
    _ path: [[UInt8]], from old: (size: Int, root: [UInt8]), to new: (size: Int, root: [UInt8])
  ) -> Bool {
    guard old.size > 0, old.size < new.size else {
      return path.isEmpty && (old.size == 0 ? old.root == cryptography.digest([]) : old == new)
    }
    let parts = old.size & (old.size - 1) == 0 ? [old.root] + path : path
    guard let start = parts.first, !path.isEmpty else { return false }
    var (first, second) = (old.size - 1, new.size - 1)
    while first & 1 == 1 { (first, second) = (first >> 1, second >> 1) }
    var (small, large) = (start, start)
    for part in parts.dropFirst() {
      guard second > 0 else { return false }
      if first & 1 == 1 || first == second {
        (small, large) = (node(part, small), node(part, large))
        while first & 1 == 0, first > 0 { (first, second) = (first >> 1, second >> 1) }
      } else {
        large = node(large, part)
      }
      (first, second) = (first >> 1, second >> 1)
    }
    return second == 0 && small == old.root && large == new.root
  }

  private func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { cryptography.digest([1] + left + right) }

  /// The greatest power of two that is less than the count.
  private static func split(_ count: Int) -> Int {
    var power = 1
    while power * 2 < count { power *= 2 }
    return power
  }
}
