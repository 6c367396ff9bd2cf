import PasswordHashing
import TestDoubles
import Testing

@testable import Registration

/// Leaves, and everything that a store keeps of them.
private struct GrownTree {
  private(set) var leaves: [[UInt8]] = []
  private(set) var frontier = AuditFrontier()
  private(set) var kept: [Int: [UInt8]] = [:]
  let cryptography: any AuditCryptography

  init(_ leaves: [[UInt8]], _ cryptography: any AuditCryptography = SodiumAuditCryptography()) {
    self.cryptography = cryptography
    for leaf in leaves { append(leaf) }
  }

  mutating func append(_ leaf: [UInt8]) {
    kept[leaves.count] = frontier.append(cryptography.leafHash(leaf), cryptography)
    leaves.append(leaf)
  }

  var hashes: AuditHashes { AuditHashes(kept) }
  var root: [UInt8] { frontier.root(cryptography) }

  /// The path of a proof, from nothing but the leaves that the proof names.
  func path(_ proof: AuditProof) -> [[UInt8]] {
    let needed = Set(proof.leaves)
    return proof.path(AuditHashes(kept.filter { needed.contains($0.key) }), cryptography)
  }
}

@Suite("Audit tree")
struct AuditTreeTests {
  /// Roots over the first leaves of `leaves`, which were computed from the definition by another program.
  private static let roots = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  private static let leaves = [
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
  ].compactMap { [UInt8](hexadecimal: $0) }

  private static func leaves(_ count: Int) -> [[UInt8]] { (0..<count).map { Array("leaf \($0)".utf8) } }

  @Test("a tree of eight leaves or fewer has the root that RFC 9162 defines")
  func knownRoots() {
    for (size, root) in Self.roots.enumerated() {
      #expect(GrownTree(Array(Self.leaves.prefix(size))).root == [UInt8](hexadecimal: root), "\(size) leaves")
    }
  }

  @Test("a tree of up to 300 leaves has the root that RFC 9162 defines, however its roots were kept")
  func roots() {
    let verifier = AuditVerifier(PlainCryptography())
    var tree = GrownTree([], PlainCryptography())
    for leaf in Self.leaves(300) {
      tree.append(leaf)
      let size = tree.leaves.count
      #expect(tree.root == verifier.root(tree.leaves[...]), "\(size) leaves")
      #expect(AuditFrontier(size: size, tree.hashes) == tree.frontier, "\(size) leaves, read from the leaves")
      #expect(AuditFrontier(size: size, stored: tree.frontier.stored) == tree.frontier, "\(size) leaves, as stored")
    }
  }

  @Test("the hashes that are kept with leaves are two for each leaf on average")
  func hashesPerLeaf() {
    let tree = GrownTree(Self.leaves(256), PlainCryptography())
    #expect(tree.kept.values.reduce(0) { $0 + $1.count } == (2 * 256 - 1) * 32)
  }

  /// For a small tree all leaves, for a larger one some of them, which include the last ones.
  private static func some(of size: Int) -> [Int] {
    size <= 130 ? Array(0..<size) : Array(stride(from: size % 7, to: size - 3, by: 7)) + [size - 3, size - 2, size - 1]
  }

  @Test("an inclusion proof for a tree of up to 300 leaves is the one that RFC 9162 defines, and reads few leaves")
  func inclusions() throws {
    let verifier = AuditVerifier(PlainCryptography())
    let tree = GrownTree(Self.leaves(300), PlainCryptography())
    for size in 1...300 {
      let leaves = tree.leaves[..<size]
      for leaf in Self.some(of: size) {
        let proof = try #require(AuditProof(inclusionOf: leaf, in: size))
        let path = tree.path(proof)
        guard size > 40 || path == verifier.path(of: leaf, leaves), proof.leaves.count <= 18 else {
          Issue.record("leaf \(leaf) of \(size)")
          continue
        }
        let inclusion = AuditInclusion(index: leaf, leaf: tree.leaves[leaf], path: path)
        let root = AuditFrontier(size: size, tree.hashes).root(tree.cryptography)
        if !verifier.verify(inclusion, in: size, root) { Issue.record("leaf \(leaf) of \(size) is not verified") }
      }
    }
  }

  @Test("a consistency proof for trees of up to 300 leaves is the one that RFC 9162 defines, and reads few leaves")
  func consistencies() throws {
    let verifier = AuditVerifier(PlainCryptography())
    let tree = GrownTree(Self.leaves(300), PlainCryptography())
    let roots = (0...300).map { AuditFrontier(size: $0, tree.hashes).root(tree.cryptography) }
    for to in 1...300 {
      for from in Self.some(of: to) + [to] {
        let proof = try #require(AuditProof(consistencyOf: from, in: to))
        let path = tree.path(proof)
        let isDefined = from == 0 ? path.isEmpty : to > 40 || path == verifier.path(from: from, tree.leaves[..<to])
        guard isDefined, proof.leaves.count <= 18 else {
          Issue.record("from \(from) to \(to)")
          continue
        }
        if !verifier.verify(path, from: (from, roots[from]), to: (to, roots[to])) {
          Issue.record("from \(from) to \(to) is not verified")
        }
      }
    }
  }

  @Test("there is no proof of a leaf beyond the tree, and none that a tree begins with a larger one")
  func noProofs() {
    for (leaf, size) in [(0, 0), (1, 1), (5, 4), (-1, 4), (Int.max, Int.max), (0, -1)] {
      #expect(AuditProof(inclusionOf: leaf, in: size) == nil, "leaf \(leaf) of \(size)")
    }
    for (from, to) in [(1, 0), (5, 4), (-1, 4), (0, -1)] {
      #expect(AuditProof(consistencyOf: from, in: to) == nil, "from \(from) to \(to)")
    }
  }

  @Test("a proof for ten million leaves has at most 40 hashes, and reads at most 60 leaves")
  func largeProofs() throws {
    for size in [9_999_999, 10_000_000, 1 << 24 - 1] {
      for leaf in [0, 1, 4_999_999, 8_388_607, 8_388_608, size - 1] {
        let proofs = [
          try #require(AuditProof(inclusionOf: leaf, in: size)),
          try #require(AuditProof(consistencyOf: leaf, in: size)),
        ]
        for proof in proofs {
          #expect(proof.path(AuditHashes([:]), PlainCryptography()).count <= 40)
          #expect(proof.leaves.count <= 60, "\(leaf) of \(size)")
        }
      }
    }
  }

  @Test("a hash that was lost or cut makes another root instead of a failure")
  func lostHashes() {
    let tree = GrownTree(Self.leaves(7), PlainCryptography())
    for leaf in AuditFrontier.leaves(of: 7) {
      var kept = tree.kept
      kept[leaf] = nil
      #expect(AuditFrontier(size: 7, AuditHashes(kept)).root(tree.cryptography) != tree.root)
      kept[leaf] = Array(tree.kept[leaf]?.dropLast() ?? [])
      #expect(AuditFrontier(size: 7, AuditHashes(kept)).root(tree.cryptography) != tree.root)
    }
    #expect(AuditFrontier(size: 7, stored: Array(tree.frontier.stored.dropLast())).root(tree.cryptography) != tree.root)
  }
}
