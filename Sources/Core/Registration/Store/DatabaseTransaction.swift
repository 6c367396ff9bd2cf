/// A transaction of a database that reports more about a failure than a `StoreFailure` does, such as whether the
/// transaction may succeed if it is repeated. The store that runs the transaction gets the database's failure.
package protocol DatabaseTransaction: StoreTransaction {
  associatedtype Failure: DatabaseFailure

  /// The last failure of the database in this transaction.
  var failure: Failure? { get set }
}

/// What a database reports about a failure.
package protocol DatabaseFailure: Error {
  var storeFailure: StoreFailure { get }

  /// - Parameter failure: A failure that an operation has thrown although no statement of its transaction had failed.
  init(_ failure: StoreFailure)
}

extension DatabaseTransaction {
  /// Runs statements. If they fail, keeps the database's failure, and throws the failure that callers get.
  @discardableResult
  package func kept<Value>(_ statements: @autoclosure () throws(Failure) -> Value) throws(StoreFailure) -> Value {
    try keeping(statements)
  }

  /// As `kept`, for more than one statement.
  @discardableResult
  package func keeping<Value>(_ statements: () throws(Failure) -> Value) throws(StoreFailure) -> Value {
    do {
      return try statements()
    } catch {
      failure = error
      throw error.storeFailure
    }
  }

  /// Runs an operation in this transaction.
  ///
  /// - Throws: The database's failure.
  package func run<Value>(
    _ operation: (any StoreTransaction) throws(StoreFailure) -> Value
  ) throws(Failure) -> Value {
    do {
      return try operation(self)
    } catch {
      throw failure ?? Failure(error)
    }
  }
}
