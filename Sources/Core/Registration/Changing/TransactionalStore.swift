/// The three functions through which operations reach a store. The operations of `AccountStore` are written in terms of these
/// functions, once for all stores.
///
/// `body` throws only what its transaction throws.
package protocol StoreEntrances: Sendable {
  /// Runs `body` in one transaction, when the share's turn comes in the store's queue. Runs it again if another
  /// transaction has changed the same rows meanwhile. Commits nothing if `body` changes nothing.
  ///
  /// - Parameter concern: The rows that the change is about. Their state is unknown while the change's commit is in doubt.
  func change<Value: Sendable>(
    _ operation: StoreOperation, _ concern: Concern, for share: Share,
    _ body: @escaping @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value

  /// Runs `body` to look something up. If a commit in doubt concerns rows that it asks for or finds, settles the commit
  /// and looks again.
  ///
  /// - Parameters:
  ///   - concern: The rows that the look-up asks for.
  ///   - found: Returns the rows that an answer is about.
  /// - Throws: `unknown` if that commit cannot be settled, because a row that the store reported as absent might exist.
  func look<Value: Sendable>(
    _ operation: StoreOperation, _ concern: Concern, _ found: @Sendable (Value) -> Concern,
    _ body: @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value

  /// Runs `body` to read a page, concurrently with look-ups, so that a look-up of one account need not wait for a page
  /// of a thousand. First settles any commit in doubt.
  func list<Value: Sendable>(
    _ operation: StoreOperation, _ body: @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value
}

extension StoreEntrances {
  func look<Value: Sendable>(
    _ operation: StoreOperation, _ concern: Concern, _ body: @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value {
    try await look(operation, concern, { _ in Concern() }, body)
  }
}

/// A store with its own type of transactions. Its functions are those of `StoreEntrances`, but with this type.
package protocol TransactionalStore: AccountStore {
  associatedtype Transaction: StoreTransaction

  /// - Parameter isLate: Whether the change ignores cancellation.
  func change<Value: Sendable>(
    _ concern: Concern, for share: Share, evenIfLate isLate: Bool,
    _ body: @escaping @Sendable (inout Transaction) throws(Transaction.Failure) -> Value
  ) async throws(StoreFailure) -> Value

  func look<Value: Sendable>(
    _ concern: Concern, _ found: @Sendable (Value) -> Concern,
    _ body: @Sendable (inout Transaction) throws(Transaction.Failure) -> Value
  ) async throws(StoreFailure) -> Value

  func list<Value: Sendable>(
    _ body: @Sendable (inout Transaction) throws(Transaction.Failure) -> Value
  ) async throws(StoreFailure) -> Value
}

extension TransactionalStore {
  package func change<Value: Sendable>(
    _ operation: StoreOperation, _ concern: Concern, for share: Share,
    _ body: @escaping @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value {
    try await change(concern, for: share, evenIfLate: operation.ignoresCancellation) {
      (rows) throws(Transaction.Failure) in
      try rows.run(body)
    }
  }

  package func look<Value: Sendable>(
    _ operation: StoreOperation, _ concern: Concern, _ found: @Sendable (Value) -> Concern,
    _ body: @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value {
    try await look(concern, found) { (rows) throws(Transaction.Failure) in try rows.run(body) }
  }

  package func list<Value: Sendable>(
    _ operation: StoreOperation, _ body: @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value {
    try await list { (rows) throws(Transaction.Failure) in try rows.run(body) }
  }
}

extension StoreTransaction {
  /// Runs an operation that is written for every kind of transaction.
  fileprivate mutating func run<Value>(
    _ operation: (inout any StoreTransaction) throws -> Value
  ) throws(Failure) -> Value {
    var rows: any StoreTransaction = self
    defer { if let rows = rows as? Self { self = rows } }
    do {
      return try operation(&rows)
    } catch let failure as Failure {
      throw failure
    } catch {
      preconditionFailure("an operation has thrown what no transaction of its store throws: \(error)")
    }
  }
}
