import Synchronization
import TestDoubles

@testable import Registration

/// The rows of a memory store, whose operations are done at once, and which a test can read at any time.
final class ImmediateStore: StoreEngine {
  /// One for all stores of the test process, because making keys takes longer than most tests of a state.
  private static let keys = StoreKeys.random()

  var keys: StoreKeys { Self.keys }
  var cryptography: any AuditCryptography { PlainCryptography() }
  private let rows: Mutex<MemoryTransaction>

  init() {
    rows = Mutex(
      MemoryTransaction(Claimant(), Self.keys.codes, PlainCryptography(), observer: { _ in }, now: { .now }))
  }

  init(copying other: ImmediateStore) { rows = Mutex(other.rows.withLock { MemoryTransaction(copying: $0) }) }

  func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value { try perform(body) }

  func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value { try perform(body) }

  func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value { try perform(body) }

  private func perform<Value: Sendable>(_ body: StoreBody<Value>) throws(StoreFailure) -> Value {
    try rows.withLock { (rows) throws(StoreFailure) in try body(rows) }
  }

  func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async -> Bool {
    rows.withLock { $0.sweep(at: now, addressesBefore: addressesBefore, limit: limit) }
  }

  func check() async {}

  // MARK: The rows

  var entries: [AuditEntry] { rows.withLock { $0.entries } }

  func account(_ key: EmailKey) -> StoredAccount? { rows.withLock { $0.account(key) } }

  func account(_ id: AccountID) -> StoredAccount? { rows.withLock { $0.account(id) } }

  func first(_ state: Account.State) -> StoredAccount? {
    rows.withLock { $0.accounts(state, after: nil, limit: 1).first }
  }

  func request(_ request: RequestKey) -> KnownRequest? { rows.withLock { $0.request(request) } }

  func released(_ request: RequestKey, _ key: EmailKey, at now: Timestamp) -> [ReleasedRegistration] {
    rows.withLock { $0.released(request, key, at: now) }
  }

  func claim(_ id: ClaimID, at now: Timestamp) -> AddressClaim? { rows.withLock { $0.claim(id, at: now) } }

  func claim(of request: RequestKey, at now: Timestamp) -> AddressClaim? {
    rows.withLock { $0.claim(of: request, at: now) }
  }

  func claims(at now: Timestamp) -> [AddressClaim] { rows.withLock { $0.claims(after: nil, limit: .max, at: now) } }

  func countedInvitation(_ id: InvitationID, at now: Timestamp) -> CountedInvitation? {
    rows.withLock { $0.countedInvitation(id, at: now) }
  }
}
