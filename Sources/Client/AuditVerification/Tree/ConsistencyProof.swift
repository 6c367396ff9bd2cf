package import RegdClient

/// A proof that a tree begins with a smaller one (RFC 9162 §2.1.4), as `audit.consistency` returns it.
package struct ConsistencyProof: Sendable {
  package let from: Int
  package let to: Int
  package let path: [AuditHash]

  /// Returns nil if the result is not a proof for these sizes.
  package init?(_ result: JSONValue, from: Int, to: Int) {
    guard (0...to).contains(from), let path = AuditHash.path(result) else { return nil }
    self.init(from: from, to: to, path: path)
  }

  init(from: Int, to: Int, path: [AuditHash]) { (self.from, self.to, self.path) = (from, to, path) }

  /// Whether the tree with the root `larger` begins with the tree with the root `smaller` (RFC 9162 §2.1.4.2).
  package func connects(_ smaller: AuditHash, _ larger: AuditHash) -> Bool {
    if from == to { return path.isEmpty && smaller == larger }
    if from == 0 { return path.isEmpty && smaller == .empty }
    // a complete subtree is itself the first hash, which the path leaves out
    var hashes = (from.nonzeroBitCount == 1 ? [smaller] : []) + path
    guard !hashes.isEmpty else { return false }
    let first = hashes.removeFirst()
    let complete = (from - 1).trailingOnes
    var (node, last) = ((from - 1) >> complete, (to - 1) >> complete)
    var (old, new) = (first, first)
    for hash in hashes {
      guard last > 0 else { return false }
      if node & 1 == 1 || node == last {
        (old, new) = (.node(hash, old), .node(hash, new))
        let skipped = node == 0 ? 0 : node.trailingZeroBitCount
        (node, last) = (node >> skipped, last >> skipped)
      } else {
        new = .node(new, hash)
      }
      (node, last) = (node >> 1, last >> 1)
    }
    return last == 0 && old == smaller && new == larger
  }
}

extension Int {
  /// The number of one bits below the lowest zero bit.
  fileprivate var trailingOnes: Int { (~self).trailingZeroBitCount }
}
