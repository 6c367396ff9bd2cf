/// The entrances that all operations of a store use; the operations of `AccountStore` are written in terms of them,
/// once for all stores.
///
/// An operation throws nothing but what its transaction throws.
package protocol StoreEntrances: Sendable {
  /// Does a change in one transaction, when it is the share's turn; does it again if another transaction was in the way. Commits
  /// nothing if nothing was changed.
  ///
  /// - Parameter concern: The rows that the change is about. Their state is unknown while the change's commit is in doubt.
  func change<Value: Sendable>(
    _ operation: StoreOperation, _ concern: Concern, for share: Share,
    _ body: @escaping @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value

  /// Looks something up. If a commit in doubt concerns what was asked for or what was found, settles it and looks again.
  ///
  /// - Parameters:
  ///   - concern: The rows that the look-up asks for.
  ///   - found: The rows that an answer is about.
  /// - Throws: `unknown` if the commit cannot be settled: a row that may exist is never called absent.
  func look<Value: Sendable>(
    _ operation: StoreOperation, _ concern: Concern, _ found: @Sendable (Value) -> Concern,
    _ body: @Sendable (inout any StoreTransaction) throws -> Value
  ) async throws(StoreFailure) -> Value

  /// Reads a page, concurrently with look-ups: one account does not wait for a thousand. Settles a commit in doubt
  /// first.
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

/// A store with its own kind of transactions, which make it an `AccountStore`. Its functions are those of
/// `StoreEntrances`.
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
