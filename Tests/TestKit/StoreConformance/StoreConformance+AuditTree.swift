package import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// The leaves of the entries that a list returns.
  ///
  /// - Throws: `Broken` unless the tree is the tree of these leaves.
  @discardableResult
  package static func checkTree(_ store: Accounts) async throws -> [[UInt8]] {
    var leaves: [[UInt8]] = []
    var last = 0
    while true {
      let entries = try await store.audit(after: last, limit: 100)
      leaves += entries.map { $0.leaf(store.cryptography) }
      guard let end = entries.last?.number else { break }
      last = end
    }
    // another regd may add entries meanwhile
    let tree = try await store.auditTree()
    try same(tree.size >= leaves.count, true, "whether each listed entry is in the tree")
    leaves += try await store.audit(after: last, limit: max(1, tree.size)).map { $0.leaf(store.cryptography) }
    leaves = Array(leaves.prefix(tree.size))
    try same(leaves.count, tree.size, "the tree's size")
    try same(tree.root(store.cryptography), AuditVerifier(store.cryptography).root(leaves[...]), "the tree's root")
    return leaves
  }

  /// Rules for the tree of the audit.
  package static let auditTree: [Rule] = [
    Rule("the audit's tree is empty at first, and there are proofs only for the empty tree") { store in
      try same(try await store.auditTree(), AuditFrontier(), "the tree")
      try same(try await store.auditInclusion(of: 1, in: 0), .unknown, "an entry of the empty tree")
      try same(try await store.auditInclusion(of: 1, in: 1), .beyond, "an entry of a larger tree")
      try same(try await store.auditConsistency(from: 0, to: 0), .found([]), "the empty tree and itself")
      try same(try await store.auditConsistency(from: 0, to: 1), .beyond, "the empty tree and a larger one")
    },
    Rule("each entry is a leaf of the audit's tree, in the order of the numbers, also if a commit has several") {
      store in
      var account = Fixtures.account(Stage.address)
      account.account.groups = try some(Groups([try some(GroupName("a")), try some(GroupName("b"))]))
      _ = try await store.insert(account, request: nil, Admission(), Stage.stamp(0, origin: "192.0.2.1"))
      _ = try await store.insert(Fixtures.account("\u{FC}\"\\@example.com"))
      _ = try await store.importing((0..<20).map { Fixtures.account("i\($0)@example.com") }, Stage.stamp(1))
      _ = try await store.add(InvitationScene.invitation(), nil, Stage.stamp(2))
      _ = try await store.add(InvitationScene.invitation(), nil, Stage.stamp(3, origin: "o\u{1}\n\u{20AC}"))
      _ = try await store.delete(account.account.id, Stage.stamp(4))
      let entries = try await store.audit(after: 0, limit: 99)
      try same(entries.count, 26, "entries")
      try same(try await checkTree(store).count, 26, "leaves")
      // an entry has a salt if it has an address or an origin
      let hasSalt = entries.map { $0.seal?.salt?.count == 32 }
      try same(hasSalt, entries.map { $0.email != nil || $0.by?.origin != nil }, "entries with a salt")
      try same(Set(entries.compactMap { $0.seal?.salt }).count, 25, "different salts")
    },
    Rule("an operation that changes nothing or fails leaves the audit's tree as it is") { store in
      let account = Fixtures.account(Stage.address)
      _ = try await store.insert(account)
      let before = try await store.auditTree()
      try same(try await store.insert(Fixtures.account(Stage.address)), .taken(account), "the address again")
      _ = try await store.setEnabled(account.account.id, true, Stage.stamp(1))
      _ = try await store.delete(AccountID(at: Fixtures.time), Stage.stamp(1))
      try same(try await store.auditTree(), before, "the tree")
    },
    Rule("the time at which a head was read last is remembered, and makes no entry") { store in
      try same(try await store.auditState(), AuditState(size: 0, headAt: nil), "the audit at first")
      _ = try await store.insert(Fixtures.account(Stage.address))
      for seconds in [5, 70, 6] {
        try await store.noteAuditHead(at: Stage.time(seconds))
        try same(try await store.auditState(), AuditState(size: 1, headAt: Stage.time(seconds)), "the audit")
      }
    },
    Rule("fifty simultaneous changes make one tree") { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          group.addTask { _ = try await store.insert(Fixtures.account("n\(number % 40)@example.com")) }
        }
        try await group.waitForAll()
      }
      try same(try await checkTree(store).count, 40, "leaves")
    },
    Rule("each entry has a proof for each tree that has it, and each tree begins with all earlier ones") { store in
      let verifier = AuditVerifier(store.cryptography)
      var trees = [try await store.auditTree()]
      for number in 1...9 {
        _ = try await store.insert(Fixtures.account("n\(number)@example.com"))
        trees.append(try await store.auditTree())
      }
      let roots = trees.map { ($0.size, $0.root(store.cryptography)) }
      for (size, root) in roots {
        for entry in 1...10 {
          switch try await store.auditInclusion(of: entry, in: size) {
          case .found(let proof):
            try same(proof.index, entry - 1, "the place of entry \(entry)")
            try same(verifier.verify(proof, in: size, root), true, "entry \(entry) of \(size)")
          case .unknown: try same(entry > size, true, "whether entry \(entry) is unknown in \(size)")
          case .beyond: throw Broken(description: "\(size) is beyond the tree")
          }
        }
        for (smaller, old) in roots.prefix(size + 1) {
          guard case .found(let path) = try await store.auditConsistency(from: smaller, to: size) else {
            throw Broken(description: "there is no proof from \(smaller) to \(size)")
          }
          try same(verifier.verify(path, from: (smaller, old), to: (size, root)), true, "from \(smaller) to \(size)")
        }
      }
      try same(try await store.auditConsistency(from: 3, to: 10), .beyond, "beyond the tree")
      try same(try await store.auditConsistency(from: 5, to: 3), .unknown, "a larger tree before a smaller one")
      try same(try await store.auditInclusion(of: 1, in: 10), .beyond, "an entry beyond the tree")
    },
    Rule("erasing addresses keeps the tree, its proofs and the commitments, and removes the salts") { store in
      let (gone, kept) = (Fixtures.account(Stage.address), Fixtures.account("kept@example.com"))
      for account in [gone, kept] {
        _ = try await store.insert(
          account, request: nil, Admission(), Stage.stamp(1, origin: "of \(account.account.id)"))
      }
      _ = try await store.delete(gone.account.id, Stage.stamp(10))
      let before = try await store.audit(after: 0, limit: 9)
      let leaves = try await checkTree(store)
      let tree = try await store.auditTree()
      for seconds in [10, 11] {
        _ = try await store.sweep(at: Stage.time(30), addressesBefore: Stage.time(seconds), limit: 100)
        try same(try await checkTree(store), leaves, "the leaves at \(seconds)")
        try same(try await store.auditTree(), tree, "the tree at \(seconds)")
      }
      let after = try await store.audit(after: 0, limit: 9)
      try same(after.map { $0.seal?.salt != nil }, [false, true, false], "entries with a salt")
      let commitments = before.map { $0.commitment(store.cryptography) }
      try same(after.map { $0.commitment(store.cryptography) }, commitments, "commitments")
      guard case .found(let proof) = try await store.auditInclusion(of: 1, in: 3) else {
        throw Broken(description: "there is no proof of an erased entry")
      }
      let root = tree.root(store.cryptography)
      try same(AuditVerifier(store.cryptography).verify(proof, in: 3, root), true, "the proof of an erased entry")
      // an account that gets the address later has nothing to do with the erased entries
      _ = try await store.insert(Fixtures.account(Stage.address))
      _ = try await store.sweep(at: Stage.time(90), addressesBefore: Stage.time(80), limit: 100)
      try await checkTree(store)
    },
  ]

  /// Rules for the tree of several regd processes.
  static let sharedTree: [ConformanceRule<SharedStore>] = [
    .init("several regd processes make one tree, and each sees the leaves of the others") { subject in
      let (a, b) = try await subject.pair()
      for number in 0..<5 {
        _ = try await a.insert(Fixtures.account("a\(number)@example.com"))
        _ = try await b.insert(Fixtures.account("b\(number)@example.com"))
        try same(try await checkTree(a).count, 2 * number + 2, "leaves")
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            _ = try await (number % 2 == 0 ? a : b).insert(Fixtures.account("c\(number)@example.com"))
          }
        }
        // lists see whole trees meanwhile
        for _ in 0..<5 { try await checkTree(b) }
        try await group.waitForAll()
      }
      try same(try await checkTree(a).count, 50, "leaves in the end")
      try same(try await b.auditTree(), try await a.auditTree(), "the tree")
      try same(a.auditKey, b.auditKey, "the key of heads")
    }
  ]

  /// Statements of another program on the tables of the audit, after which the past does not verify: an entry was changed, removed,
  /// swapped or added, an address was changed, or a leaf or its hashes were changed.
  ///
  /// - Parameter table: The table with the leaves.
  package static func tampering(leavesIn table: String) -> [String] {
    [
      "UPDATE audit SET change = 'account.enabled' WHERE number = 2", "DELETE FROM audit WHERE number = 2",
      "DELETE FROM audit WHERE number = 6", "DELETE FROM audit WHERE number = 4",
      """
      UPDATE audit SET account_id = (SELECT other.account_id FROM audit AS other WHERE other.number = 5 - audit.number)
        WHERE number IN (2, 3)
      """,
      "UPDATE audit SET uid = 0 WHERE number = 1", "UPDATE audit_address SET email = 'x@example.com' WHERE number = 2",
      "INSERT INTO audit (number, at, change, account_id) SELECT 9, at, change, account_id FROM audit WHERE number = 2",
      "UPDATE \(table) SET hashes = (SELECT hashes FROM \(table) WHERE number = 1) WHERE number = 4",
      "UPDATE \(table) SET leaf = 7 WHERE number = 6",
    ]
  }

  /// Checks that a head that was kept shows that the past was changed.
  ///
  /// - Parameter tamper: Runs one of the statements of `tampering`.
  package static func checkTampering(_ store: Accounts, _ tamper: () async throws -> Void) async throws {
    for number in 1...6 {
      let stamp = Stage.stamp(number, origin: "o")
      _ = try await store.insert(Fixtures.account("n\(number)@example.com"), request: nil, Admission(), stamp)
    }
    let head = try await store.auditTree()
    try same(try await isIntact(store, since: head), true, "whether the audit verifies at first")
    try await tamper()
    try same(try await isIntact(store, since: head), false, "whether the audit verifies afterwards")
  }

  /// Whether the listed entries make the tree, and an earlier tree before.
  package static func isIntact(_ store: Accounts, since head: AuditFrontier) async throws -> Bool {
    let verifier = AuditVerifier(store.cryptography)
    let leaves = try await store.audit(after: 0, limit: 1000).map { $0.leaf(store.cryptography) }
    let tree = try await store.auditTree()
    guard leaves.count == tree.size, leaves.count >= head.size else { return false }
    return verifier.root(leaves[...]) == tree.root(store.cryptography)
      && verifier.root(leaves[..<head.size]) == head.root(store.cryptography)
  }
}
