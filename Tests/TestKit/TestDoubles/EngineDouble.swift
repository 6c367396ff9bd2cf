package import Registration

/// A store that passes everything to another one, except what the conformer implements itself.
package protocol EngineDouble: StoreEngine, StoreUnderTest {
  var base: any StoreEngine { get }
}

extension EngineDouble {
  package var keys: StoreKeys { base.keys }
  package var cryptography: any AuditCryptography { base.cryptography }
  package var isCopied: Bool { base.isCopied }
  package var sharedThrottle: (any SharedThrottle)? { base.sharedThrottle }
  package var continuity: (any StoreContinuity)? { base.continuity }

  package func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value { try await base.read(scope, found, body) }

  package func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value {
    try await base.scan(body)
  }

  package func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value { try await base.write(scope, for: share, evenIfLate: isLate, body) }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    try await base.sweep(at: now, addressesBefore: addressesBefore, limit: limit)
  }

  package func check() async throws(StoreFailure) { try await base.check() }

  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) {
    try await base.awaitCommit(of: request)
  }
}
