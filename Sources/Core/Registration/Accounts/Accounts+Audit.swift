/// The record of changes, for operators and for programs that reconcile their own data with regd's.
extension Accounts {
  /// Entries in the order of their numbers, starting after `after`. A list, as described at `Accounts`.
  ///
  /// - Parameters:
  ///   - after: The number of an entry. 0 starts with the first entry.
  ///   - limit: The most entries to return, at least 1.
  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await scan(.audit) { (rows) throws(StoreFailure) in try rows.audit(after: after, limit: limit) }
  }

  /// The audit entries of one account, in the order of their numbers: the latest `limit` of them. A list.
  package func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await scan(.auditOf) { (rows) throws(StoreFailure) in try rows.audit(of: id, limit: limit) }
  }

  /// The account with this id in any state, and the entries about it, starting after the number `after`, both from the same
  /// moment: each change is in both or in neither. A list. Fails with `unavailable` if the account cannot be read.
  ///
  /// - Parameter limit: The most entries to return, at least 1.
  /// - Returns: Nil if there is no such account.
  package func history(of id: AccountID, after: Int, limit: Int) async throws(StoreFailure) -> AccountHistory? {
    try await scan(.auditOf) { (rows) throws(StoreFailure) in try rows.history(of: id, after: after, limit: limit) }
  }

  /// The audit's tree as it is now. It has each entry that a list has returned. A list.
  package func auditTree() async throws(StoreFailure) -> AuditFrontier {
    try await scan(.audit) { (rows) throws(StoreFailure) -> AuditFrontier in
      let size = try rows.auditSize()
      return AuditFrontier(size: size, try rows.auditHashes(of: AuditFrontier.leaves(of: size)))
    }
  }

  /// The size of the audit's tree, and when its head was last read. A list.
  package func auditState() async throws(StoreFailure) -> AuditState {
    try await scan(.audit) { (rows) throws(StoreFailure) in
      AuditState(size: try rows.auditSize(), headAt: try rows.auditHeadAt())
    }
  }

  /// Records that a head of the audit was read. An idempotent change.
  package func noteAuditHead(at time: Timestamp) async throws(StoreFailure) {
    try await write(.noteAuditHead, ChangeScope(), for: .current) { (rows) throws(StoreFailure) in
      try rows.write(.noteAuditHead(at: time))
    }
  }

  /// The proof that a tree of this size has an entry. A list.
  ///
  /// - Parameters:
  ///   - number: The entry's number, at least 1.
  ///   - size: At least 0.
  package func auditInclusion(
    of number: Int, in size: Int
  ) async throws(StoreFailure) -> AuditAnswer<AuditInclusion> {
    let cryptography = cryptography
    return try await scan(.audit) { (rows) throws(StoreFailure) -> AuditAnswer<AuditInclusion> in
      guard try size <= rows.auditSize() else { return .beyond }
      guard let leaf = try rows.auditLeaf(of: number), let proof = AuditProof(inclusionOf: leaf, in: size),
        let entry = try rows.audit(after: number - 1, limit: 1).first, entry.number == number
      else { return .unknown }
      return .found(
        AuditInclusion(
          index: leaf, leaf: entry.leaf(cryptography),
          path: proof.path(try rows.auditHashes(of: proof.leaves), cryptography)))
    }
  }

  /// The path of the proof that the tree of size `to` begins with the tree of size `from`. A list.
  ///
  /// - Parameter from: From 0 to `to`.
  package func auditConsistency(from: Int, to: Int) async throws(StoreFailure) -> AuditAnswer<[[UInt8]]> {
    let cryptography = cryptography
    return try await scan(.audit) { (rows) throws(StoreFailure) -> AuditAnswer<[[UInt8]]> in
      guard try to <= rows.auditSize() else { return .beyond }
      guard let proof = AuditProof(consistencyOf: from, in: to) else { return .unknown }
      return .found(proof.path(try rows.auditHashes(of: proof.leaves), cryptography))
    }
  }
}
