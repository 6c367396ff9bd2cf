/// Takes the place of a store whose server has not been reached since the start. Every operation fails with `unavailable`,
/// and changes nothing.
///
/// The keys are random, and no record of any store was made with them. Code that makes a record from a key must therefore
/// read the key after an operation of the store has succeeded.
package struct UnopenedEngine: StoreEngine {
  package let keys = StoreKeys.random()
  private let reason: Reloadable<String>

  /// - Parameter reason: Why the store is not open, for the log and `daemon.status`.
  package init(_ reason: Reloadable<String>) { self.reason = reason }

  private var failure: StoreFailure { .unavailable(detail: reason.value) }

  package func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value { throw failure }

  package func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value { throw failure }

  package func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value { throw failure }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    throw failure
  }

  package func check() async throws(StoreFailure) { throw failure }

  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) { throw failure }
}
