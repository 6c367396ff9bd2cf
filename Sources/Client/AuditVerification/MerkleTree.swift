internal import CSodium
package import RegdClient
internal import WireFormats

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

/// A hash of the audit's tree: SHA-256 (RFC 9162 §2.1.1).
package struct AuditHash: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  /// The number of bytes of a hash.
  static let byteCount = 32

  /// The hash of bytes. Those of a leaf begin with a zero byte.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = [UInt8](repeating: 0, count: Self.byteCount)
    crypto_hash_sha256(&hash, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: hash) }
  }

  /// Reads a hash in base64. Returns nil if the text is not one.
  package init?(base64 text: some Collection<UInt8>) {
    guard let bytes = Base64.decoded(text), bytes.count == Self.byteCount else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// The root of a tree without entries.
  package static let empty = AuditHash(of: UnsafeRawBufferPointer(start: nil, count: 0))

  /// The hash of the node above two nodes.
  package static func node(_ left: AuditHash, _ right: AuditHash) -> AuditHash {
    withUnsafeTemporaryAllocation(byteCount: 1 + 2 * byteCount, alignment: 1) { node in
      node[0] = 1
      node.storeBytes(of: left.words, toByteOffset: 1, as: SIMD4<UInt64>.self)
      node.storeBytes(of: right.words, toByteOffset: 1 + byteCount, as: SIMD4<UInt64>.self)
      return AuditHash(of: UnsafeRawBufferPointer(node))
    }
  }

  package var base64: String { Base64.encoded(withUnsafeBytes(of: words) { [UInt8]($0) }) }

  /// The member `path` of a proof, or nil if it is not a list of hashes.
  static func path(_ result: JSONValue) -> [AuditHash]? {
    guard let texts = result["path"]?.array else { return nil }
    let hashes = texts.compactMap { $0.string.flatMap { AuditHash(base64: $0.utf8) } }
    return hashes.count == texts.count ? hashes : nil
  }
}

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
