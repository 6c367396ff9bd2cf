/// A Merkle tree that grows (RFC 9162 §2.1). It keeps only its peaks: the roots of its complete subtrees, the largest first.
/// For 10 million entries these are at most 24 hashes.
package struct MerkleTree: Sendable {
  /// The number of leaves.
  package private(set) var size: Int
  /// Also the hashes to the left of the path from the next leaf to the root, in whatever larger tree.
  package private(set) var peaks: [AuditHash]

  package init() { self.init(size: 0, peaks: []) }

  init(size: Int, peaks: [AuditHash]) {
    self.size = size
    self.peaks = peaks
  }

  package mutating func append(_ leaf: AuditHash) {
    var node = leaf
    size += 1
    for _ in 0..<size.trailingZeroBitCount { node = .node(peaks.removeLast(), node) }
    peaks.append(node)
  }

  package var root: AuditHash {
    guard var root = peaks.last else { return .empty }
    for peak in peaks.dropLast().reversed() { root = .node(peak, root) }
    return root
  }
}
