/// Work around every operation of `Accounts`: a hook looks at an operation before and after it is done, or lets it fail.
package protocol StoreHook: Sendable {
  /// Whether the hook needs the arguments of operations.
  var readsArguments: Bool { get }

  /// Performs one operation by calling `proceed`, and does the hook's own work before and after it.
  ///
  /// - Parameter proceed: Performs the operation. The hook calls it at most once. If the hook throws without calling it,
  ///   nothing has changed.
  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value
}

extension StoreHook {
  package var readsArguments: Bool { false }
}

/// An operation, as a hook sees it.
package struct StoreCall: Sendable {
  package let operation: StoreOperation
  /// The records that the operation is about. Empty for lists and sweeps.
  package let scope: ChangeScope
  /// The arguments of an operation on claims and their accounts, if a hook reads them. Otherwise `()`.
  package let arguments: any Sendable
}
