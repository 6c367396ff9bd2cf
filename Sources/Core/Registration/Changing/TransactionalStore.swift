/// The three functions through which operations reach a store. The operations of `AccountStore` are written in terms of these
/// functions, once for all stores.
package protocol StoreEntrances: Sendable {
  /// Runs `body` in one transaction, when the share's turn comes in the store's queue. Runs it again if another
  /// transaction has changed the same rows meanwhile. Commits nothing if `body` changes nothing.
  ///
  /// - Parameter scope: The rows that the change is about. Their state is unknown while the change's commit is in doubt.
  func change<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, for share: Share,
    _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value

  /// Runs `body` to look something up. If a commit in doubt concerns rows that it asks for or finds, settles the commit
  /// and looks again.
  ///
  /// - Parameters:
  ///   - scope: The rows that the look-up asks for.
  ///   - found: Returns the rows that an answer is about.
  /// - Throws: `unknown` if that commit cannot be settled, because a row that the store reported as absent might exist.
  func look<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope,
    _ body: @Sendable (any StoreTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value

  /// Runs `body` to read a page, concurrently with look-ups, so that a look-up of one account need not wait for a page
  /// of a thousand. First settles any commit in doubt.
  func list<Value: Sendable>(
    _ operation: StoreOperation, _ body: @Sendable (any StoreTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value
}

extension StoreEntrances {
  func look<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope,
    _ body: @Sendable (any StoreTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await look(operation, scope, { _ in ChangeScope() }, body)
  }
}
