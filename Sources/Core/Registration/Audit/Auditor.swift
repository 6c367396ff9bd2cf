/// Answers questions about the audit's tree, for administrators and observers.
package struct Auditor: Sendable {
  private let store: Accounts
  private let time: any TimeSource
  private let key: @Sendable () -> CodeKey?

  /// - Parameter key: Returns the seed of the key pair that signs heads. Nil means the store's own.
  init(store: Accounts, time: any TimeSource, key: @escaping @Sendable () -> CodeKey?) {
    (self.store, self.time, self.key) = (store, time, key)
  }

  /// A head of the present tree, signed now. The store remembers the time.
  package func head() async throws(StoreFailure) -> AuditHead {
    let tree = try await store.auditTree()
    let now = time.now()
    await note(now)
    return AuditHead(tree, at: now, by: key() ?? store.auditKey, store.cryptography)
  }

  /// The shortest time between two records that a head was read, so that frequent readers cost few commits.
  private static let pause = Duration.seconds(60)

  private func note(_ now: Timestamp) async {
    do throws(StoreFailure) {
      if let last = try await store.auditState().headAt, last <= now, now < last.advanced(by: Self.pause) { return }
      try await store.noteAuditHead(at: now)
    } catch {
      // the head is valid without the record, and the store's hooks report its failures
    }
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
