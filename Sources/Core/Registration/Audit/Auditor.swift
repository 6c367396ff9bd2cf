/// Answers questions about the audit's tree, for administrators and observers.
package struct Auditor: Sendable {
  private let store: Accounts
  private let time: any TimeSource
  private let key: @Sendable () -> CodeKey?

  /// - Parameter key: Returns the seed of the key pair that signs heads. Nil means the store's own.
  init(store: Accounts, time: any TimeSource, key: @escaping @Sendable () -> CodeKey?) {
    (self.store, self.time, self.key) = (store, time, key)
  }

  /// A head of the present tree, signed now.
  package func head() async throws(StoreFailure) -> AuditHead {
    let tree = try await store.auditTree()
    return AuditHead(tree, at: time.now(), by: key() ?? store.auditKey, store.cryptography)
  }

  /// As `Accounts.auditInclusion`.
  package func proof(of entry: Int, in size: Int) async throws(StoreFailure) -> AuditAnswer<AuditInclusion> {
    try await store.auditInclusion(of: entry, in: size)
  }

  /// As `Accounts.auditConsistency`.
  package func consistency(from: Int, to: Int) async throws(StoreFailure) -> AuditAnswer<[[UInt8]]> {
    try await store.auditConsistency(from: from, to: to)
  }

  package func commitment(of entry: AuditEntry) -> [UInt8]? { entry.commitment(store.cryptography) }
}

extension Administrator {
  /// The auditor of the same store.
  ///
  /// - Parameter key: Returns the seed of the key pair that signs heads. Nil means the store's own.
  package func auditor(signingBy key: @escaping @Sendable () -> CodeKey? = { nil }) -> Auditor {
    Auditor(store: store, time: time, key: key)
  }
}
