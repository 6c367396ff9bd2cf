import StoreModels
import TestDoubles

@testable import Registration

/// Gives the answers of a script instead of the store's. Nobody types wrong codes.
struct ScriptedStore: StoreHook {
  private static let unused = MemoryStore()

  let script: StoreScript

  /// The accounts of a store that only the script answers for.
  var accounts: Accounts { Accounts(Self.unused, hooks: [self]) }

  var readsArguments: Bool { true }

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    if call.operation == .wrongCodes, let none = WrongCodes(atAddress: 0, overAll: 0) as? Value { return none }
    guard let operation = ClaimOperation(call) else {
      throw .unavailable(detail: "the script has no answer to \(call.operation)")
    }
    guard let value = try script.answer(operation).value(to: operation) as? Value else {
      throw .unavailable(detail: "the script has an answer to another operation")
    }
    return value
  }
}
