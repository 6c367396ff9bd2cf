package import RegdClient

/// A proof that a tree of a certain size contains an entry (RFC 9162 §2.1.3), as `audit.prove` returns it.
package struct InclusionProof: Sendable {
  /// The entry's place in the tree, from 0.
  package let index: Int
  /// The size of the tree.
  package let size: Int
  /// The bytes of the leaf, which are the entry in canonical JSON.
  package let leaf: [UInt8]
  package let path: [AuditHash]

  /// Returns nil if the result is not a proof for a tree of this size.
  package init?(_ result: JSONValue, size: Int) {
    guard let index = result["index"]?.integer, (0..<size).contains(index), let leaf = result["leaf"]?.string,
      let path = AuditHash.path(result)
    else { return nil }
    self.init(index: index, size: size, leaf: Array(leaf.utf8), path: path)
  }

  init(index: Int, size: Int, leaf: [UInt8], path: [AuditHash]) {
    (self.index, self.size, self.leaf, self.path) = (index, size, leaf, path)
  }

  /// The hash of the proof's own leaf.
  package var leafHash: AuditHash { ([0] + leaf).withUnsafeBytes { AuditHash(of: $0) } }

  /// The number of hashes below the level at which the path reaches the right edge of the tree. Above it, all hashes of
  /// the path are on the left.
  private var innerCount: Int { Int.bitWidth - (index ^ (size - 1)).leadingZeroBitCount }

  private func isLeft(_ level: Int) -> Bool { level >= innerCount || index >> level & 1 == 1 }

  /// The root of the tree with this leaf at the proof's place, or nil if the path is too short or too long.
  package func root(of leaf: AuditHash) -> AuditHash? {
    guard path.count == innerCount + (index >> innerCount).nonzeroBitCount else { return nil }
    var node = leaf
    for (level, sibling) in path.enumerated() {
      node = isLeft(level) ? .node(sibling, node) : .node(node, sibling)
    }
    return node
  }

  /// The hashes to the left of the path, the largest subtree first. They hash all entries before this one.
  package var leftHashes: [AuditHash] {
    path.enumerated().filter { isLeft($0.offset) }.map(\.element).reversed()
  }
}

extension AuditHash {
  /// The member `path` of a proof, or nil if it is not a list of hashes.
  static func path(_ result: JSONValue) -> [AuditHash]? {
    guard let texts = result["path"]?.array else { return nil }
    let hashes = texts.compactMap { $0.string.flatMap { AuditHash(base64: $0.utf8) } }
    return hashes.count == texts.count ? hashes : nil
  }
}
