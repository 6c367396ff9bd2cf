internal import WireFormats

// The audit's tree is a Merkle tree as in RFC 9162, section 2.1. Appending a leaf completes some subtrees, namely those that end
// with this leaf. A store keeps their hashes with the leaf, the smallest subtree's first, and never changes them. Each proof
// consists of hashes of complete subtrees, or is computed from few of them.

/// A complete subtree: the 2^level leaves from the leaf index · 2^level on. Leaves are counted from 0.
package struct AuditNode: Hashable, Sendable {
  package let level: Int
  package let index: Int

  package init(level: Int, index: Int) { (self.level, self.index) = (level, index) }

  /// The subtree's last leaf, with which its hash is kept.
  package var last: Int { ((index + 1) << level) - 1 }

  /// The complete subtrees that together have these leaves, from left to right. There are as few as possible.
  ///
  /// - Parameter leaves: Leaves that RFC 9162 hashes together. The first is a multiple of a power of two that is not less
  ///   than their number.
  package static func peaks(of leaves: Range<Int>) -> [AuditNode] {
    var start = leaves.lowerBound
    var nodes: [AuditNode] = []
    for level in (0..<Int.bitWidth - 1).reversed() where leaves.count >> level & 1 == 1 {
      nodes.append(AuditNode(level: level, index: start >> level))
      start += 1 << level
    }
    return nodes
  }
}

/// The hashes that a store keeps with some leaves, by the leaf.
package struct AuditHashes: Sendable {
  private let kept: [Int: [UInt8]]

  package static let hashLength = 32
  /// Stands for a hash that the store has lost. Roots and proofs that are computed with it fit no tree, so a verifier notices
  /// the loss.
  static let lost = [UInt8](repeating: 0, count: hashLength)

  /// - Parameter kept: For each leaf, the hashes of the subtrees that end with it, the smallest subtree's first.
  package init(_ kept: [Int: [UInt8]]) { self.kept = kept }

  package subscript(node: AuditNode) -> [UInt8] {
    let (start, hashes) = (node.level * Self.hashLength, kept[node.last] ?? [])
    guard hashes.count >= start + Self.hashLength else { return Self.lost }
    return Array(hashes[start..<start + Self.hashLength])
  }
}

/// The complete subtrees that the whole tree consists of: all that appending a leaf needs.
package struct AuditFrontier: Equatable, Sendable {
  /// The number of the tree's leaves.
  package private(set) var size: Int
  /// The roots of the subtrees, from left to right.
  package private(set) var peaks: [[UInt8]]

  package init() { (size, peaks) = (0, []) }

  /// - Parameter hashes: The hashes that are kept with `AuditFrontier.leaves(of:)`.
  package init(size: Int, _ hashes: AuditHashes) {
    self.size = size
    peaks = AuditNode.peaks(of: 0..<size).map { hashes[$0] }
  }

  /// Reads the roots as `stored` writes them. Roots that are missing are lost.
  package init(size: Int, stored: [UInt8]) {
    let length = AuditHashes.hashLength
    self.size = size
    peaks = (0..<size.nonzeroBitCount).map { place in
      stored.count >= (place + 1) * length ? Array(stored[place * length..<(place + 1) * length]) : AuditHashes.lost
    }
  }

  /// The roots, one after the other.
  package var stored: [UInt8] { Array(peaks.joined()) }

  /// The leaves with which the roots are kept.
  package static func leaves(of size: Int) -> [Int] { AuditNode.peaks(of: 0..<size).map(\.last) }

  package func root(_ cryptography: any AuditCryptography) -> [UInt8] { cryptography.root(of: peaks) }

  /// Appends a leaf.
  ///
  /// - Parameter leaf: The leaf's hash.
  /// - Returns: The hashes to keep with the leaf: those of the subtrees that end with it, the smallest subtree's first.
  package mutating func append(_ leaf: [UInt8], _ cryptography: any AuditCryptography) -> [UInt8] {
    var (node, hashes) = (leaf, leaf)
    // the subtrees that end the tree so far, and are as large as the one that ends with the new leaf
    for _ in 0..<(~size).trailingZeroBitCount {
      node = cryptography.nodeHash(peaks.removeLast(), node)
      hashes += node
    }
    peaks.append(node)
    size += 1
    return hashes
  }
}

/// A proof about the tree, as the leaves whose hashes make up its path.
package struct AuditProof: Equatable, Sendable {
  /// For each hash of the path, the leaves that RFC 9162 hashes together.
  private let path: [Range<Int>]

  /// The proof that a tree of this size has the leaf (RFC 9162, section 2.1.3.1). Nil if it does not.
  package init?(inclusionOf leaf: Int, in size: Int) {
    guard leaf >= 0, leaf < size else { return nil }
    var ranges: [Range<Int>] = []
    var leaves = 0..<size
    while leaves.count > 1 {
      let (left, right) = Self.split(leaves)
      if leaf < right.lowerBound {
        (leaves, ranges) = (left, ranges + [right])
      } else {
        (leaves, ranges) = (right, ranges + [left])
      }
    }
    path = ranges.reversed()
  }

  /// The proof that the tree of size `to` begins with the tree of size `from` (RFC 9162, section 2.1.4.1). It is empty for
  /// equal sizes, and for an empty tree, with which every tree begins. Nil if `from` is greater than `to`.
  package init?(consistencyOf from: Int, in to: Int) {
    guard from >= 0, from <= to else { return nil }
    var ranges: [Range<Int>] = []
    var leaves = 0..<(from == 0 ? 0 : to)
    while leaves.upperBound != from {
      let (left, right) = Self.split(leaves)
      if from <= right.lowerBound {
        (leaves, ranges) = (left, ranges + [right])
      } else {
        (leaves, ranges) = (right, ranges + [left])
      }
    }
    // a verifier knows the root of the smaller tree, but no hash of a part of that tree
    if leaves.lowerBound > 0 { ranges.append(leaves) }
    path = ranges.reversed()
  }

  /// Divides two or more leaves as RFC 9162 does: after the greatest power of two that is less than their number.
  private static func split(_ leaves: Range<Int>) -> (left: Range<Int>, right: Range<Int>) {
    let power = 1 << (Int.bitWidth - 1 - (leaves.count - 1).leadingZeroBitCount)
    let middle = leaves.lowerBound + power
    return (leaves.lowerBound..<middle, middle..<leaves.upperBound)
  }

  /// The leaves with which the hashes are kept from which the path is computed.
  package var leaves: [Int] { path.flatMap { AuditNode.peaks(of: $0).map(\.last) } }

  /// - Parameter hashes: The hashes that are kept with `leaves`.
  package func path(_ hashes: AuditHashes, _ cryptography: any AuditCryptography) -> [[UInt8]] {
    path.map { leaves in cryptography.root(of: AuditNode.peaks(of: leaves).map { hashes[$0] }) }
  }
}

/// The answer to a question about the audit's tree at an earlier or its present size.
package enum AuditAnswer<Proof: Equatable & Sendable>: Equatable, Sendable {
  case found(Proof)
  /// The tree is smaller than the size.
  case beyond
  /// A tree of this size does not have the entry, or does not begin with the other tree.
  case unknown
}

/// A proof that a tree has an entry (RFC 9162, section 2.1.3).
package struct AuditInclusion: Equatable, Sendable {
  /// The entry's place in the tree, from 0 on.
  package let index: Int
  /// The bytes of the leaf, which are JSON.
  package let leaf: [UInt8]
  package let path: [[UInt8]]

  package init(index: Int, leaf: [UInt8], path: [[UInt8]]) { (self.index, self.leaf, self.path) = (index, leaf, path) }
}

/// A signed statement: at this time, the audit was the tree with this size and this root. Operators keep heads elsewhere, to
/// verify later that the audit still begins with the same entries.
package struct AuditHead: Equatable, Sendable {
  package let size: Int
  package let root: [UInt8]
  package let time: Timestamp
  /// The public key of the signature.
  package let key: [UInt8]
  /// The Ed25519 signature of `signed`.
  package let signature: [UInt8]

  init(_ tree: AuditFrontier, at time: Timestamp, by seed: CodeKey, _ cryptography: any AuditCryptography) {
    (size, root, self.time) = (tree.size, tree.root(cryptography), time)
    key = cryptography.publicKey(of: seed)
    signature = cryptography.signature(of: Self.signed(size, root, time), by: seed)
  }

  /// The signed bytes: size, root and time as canonical JSON.
  private static func signed(_ size: Int, _ root: [UInt8], _ time: Timestamp) -> [UInt8] {
    CanonicalJSON.object([
      ("root", .text(Base64.encoded(root))), ("size", .number(size)), ("time", .text(time.rfc3339)),
    ])
  }
}

/// The size of the audit, and when its head was last read.
package struct AuditState: Equatable, Sendable {
  /// The number of entries in the tree.
  package let size: Int
  /// When a head was last read. Nil if never.
  package let headAt: Timestamp?

  package init(size: Int, headAt: Timestamp?) { (self.size, self.headAt) = (size, headAt) }
}
