import RegdClient
import Testing
import WireFormats

@testable import AuditVerification

@Suite("The tree of the audit")
struct TreeTests {
  /// The leaves of the tests of Certificate Transparency, and the roots over the first 0 to 8 of them.
  private static let leaves: [[UInt8]] = [
    [], [0], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43], Array(0x50...0x57), Array(0x60...0x6F),
  ]
  private static let roots = [
    "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=",
    "+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=",
    "rra8/idLcKFPsGel5VeCZNsPqbUa9eC6FZFY8yngbnc=",
    "037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=",
    "Tju7H3tHjc/nH7YxYxUZo7yhLJrvyhYSv85ME6hiZNQ=",
    "duZ9rbzfHhDht03cYIq9L5jfsW+851J3tSMqEn8gh+8=",
    "3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw=",
    "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=",
  ]

  private static func leaf(_ bytes: [UInt8]) -> AuditHash { ([0] + bytes).withUnsafeBytes { AuditHash(of: $0) } }

  @Test("a text is a hash only if it is base64 of 32 bytes")
  func texts() {
    for text in ["", "x", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "AAAA", Self.roots[0] + "AAAA"] {
      #expect(AuditHash(base64: text.utf8) == nil, "\(text)")
    }
    #expect(AuditHash(base64: Self.roots[0].utf8) == .empty && AuditHash.empty.base64 == Self.roots[0])
  }

  @Test("the roots of a growing tree are the published ones")
  func published() {
    var tree = MerkleTree()
    #expect(tree.root.base64 == Self.roots[0])
    for (index, bytes) in Self.leaves.enumerated() {
      tree.append(Self.leaf(bytes))
      #expect(tree.root.base64 == Self.roots[index + 1], "\(index + 1)")
    }
    #expect(tree.size == 8 && tree.peaks.count == 1)
  }

  @Test("a proof leads from its own leaf to the root, and from no other leaf, index or path")
  func inclusion() throws {
    let audit = StoredAudit(StoredAudit.rows(21))
    for size in 1...21 {
      let root = try #require(AuditHash(base64: Base64.encoded(audit.hash(0..<size)).utf8))
      var tree = MerkleTree()
      for index in 0..<size {
        let leaf = audit.rows[index].leaf
        let proof = try #require(InclusionProof(audit.proofResult(index, size: size, leaf: leaf), size: size))
        #expect(proof.root(of: proof.leafHash) == root, "\(index) of \(size)")
        #expect(proof.leftHashes == tree.peaks, "\(index) of \(size)")
        #expect(proof.root(of: Self.leaf([1])) != root)
        func other(_ index: Int, _ path: [AuditHash]) -> InclusionProof {
          InclusionProof(index: index, size: size, leaf: proof.leaf, path: path)
        }
        #expect(other(index, proof.path + [.empty]).root(of: proof.leafHash) == nil)
        if size > 1 {
          #expect(other(index, proof.path.dropLast()).root(of: proof.leafHash) == nil)
          #expect(other((index + 1) % size, proof.path).root(of: proof.leafHash) != root)
        }
        tree.append(proof.leafHash)
      }
    }
  }

  @Test("a result is not a proof if a member is missing, is not a hash, or does not belong to the tree")
  func noProof() {
    let hash = JSONValue.string(Self.roots[0])
    let good: JSONValue = ["index": .number("0"), "leaf": "{}", "path": .array([hash])]
    #expect(InclusionProof(good, size: 2) != nil)
    let wrong: [(name: String, value: JSONValue)] = [
      ("index", .number("2")), ("index", .number("-1")), ("index", "0"), ("leaf", .null), ("path", .array(["x"])),
      ("path", .array([hash, .null])), ("path", hash),
    ]
    for (name, value) in wrong {
      guard case .object(let members) = good else { return }
      let bad = JSONValue.object(members.filter { $0.name != name } + [.init(name, value)])
      #expect(InclusionProof(bad, size: 2) == nil, "\(bad.text)")
      #expect(ConsistencyProof(bad, from: 1, to: 2) == nil || name != "path", "\(bad.text)")
    }
    #expect(ConsistencyProof(["path": .array([])], from: 2, to: 1) == nil)
  }

  @Test("a consistency proof connects exactly the trees that it is for")
  func consistency() throws {
    let audit = StoredAudit(StoredAudit.rows(17))
    let roots = try (0...17).map { try #require(AuditHash(base64: Base64.encoded(audit.hash(0..<$0)).utf8)) }
    for to in 1...17 {
      for from in 1...to {
        let path = audit.consistency(from: from, to: to).map { JSONValue.string(Base64.encoded($0)) }
        let proof = try #require(ConsistencyProof(["path": .array(path)], from: from, to: to))
        #expect(proof.connects(roots[from], roots[to]), "\(from) to \(to)")
        #expect(!proof.connects(roots[from], roots[to - 1]) && !proof.connects(roots[from - 1], roots[to]))
        let longer = ConsistencyProof(from: from, to: to, path: proof.path + [.empty])
        #expect(!longer.connects(roots[from], roots[to]), "\(from) to \(to)")
        let shorter = ConsistencyProof(from: from, to: to, path: proof.path.dropLast())
        #expect(from == to || !shorter.connects(roots[from], roots[to]), "\(from) to \(to)")
      }
    }
    #expect(ConsistencyProof(from: 0, to: 3, path: []).connects(.empty, roots[3]))
    #expect(!ConsistencyProof(from: 0, to: 3, path: []).connects(roots[1], roots[3]))
  }
}
