package import Registration
internal import Synchronization

/// A store whose n-th call fails. With n = 1, 2, 3 … a test makes each call fail once.
package final class FaultyStore: StoreHook, StoreUnderTest {
  private let inner: Accounts
  private let callsLeft: Mutex<Int>
  private let failure: StoreFailure
  private let askers = Mutex<Set<Share>>([])

  package var accounts: Accounts { inner.with(self) }

  /// The shares by which look-ups and lists have taken turns so far.
  package var shares: Set<Share> { askers.withLock { $0 } }

  /// - Parameter call: The number of the failing call, from 1, or 0 for no failure.
  package init(_ store: some StoreUnderTest, failing call: Int, with failure: StoreFailure = .full) {
    inner = store.accounts
    callsLeft = Mutex(call > 0 ? call : .max)
    self.failure = failure
  }

  /// Whether the failing call has been made.
  package var hasFailed: Bool { callsLeft.withLock { $0 <= 0 } }

  package func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let left = callsLeft.withLock { left in
      left -= 1
      return left
    }
    if left == 0 { throw failure }
    if !call.operation.isChange { askers.withLock { _ = $0.insert(Share.current) } }
    return try await proceed()
  }
}

/// The store's operations without the parameters that most tests ignore: requester and request.
extension StoreUnderTest {
  package func insert(_ account: StoredAccount) async throws(StoreFailure) -> InsertAnswer {
    try await accounts.insert(account, request: nil, Stamp(account.account.createdAt))
  }

  package func activate(_ id: AccountID, at time: Timestamp) async throws(StoreFailure) -> Account? {
    try await accounts.activate(id, Stamp(time))
  }

  package func resume(
    _ id: AccountID, seen: Timestamp, at time: Timestamp
  ) async throws(StoreFailure) -> ResumeAnswer {
    try await accounts.resume(id, seen: seen, Stamp(time))
  }

  /// Releases (removes) a pending account, and keeps its claim.
  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await release(id, seen: seen, remembered: remembered, endingClaim: false, stamp)
  }

  /// Releases (removes) a pending account, keeps its claim, and remembers nothing of its request.
  package func release(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await release(id, seen: seen, remembered: false, stamp)
  }

  package func release(_ id: AccountID, seen: Timestamp) async throws(StoreFailure) -> Bool {
    try await release(id, seen: seen, Stamp(seen))
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, at time: Timestamp
  ) async throws(StoreFailure) -> Bool {
    try await replaceHash(of: id, from: old, to: new, Stamp(time))
  }

  /// Replaces the hash by another one of the same password.
  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await replaceHash(of: id, from: old, to: new, epoch: nil, stamp)
  }
}

/// The store's operations with a fixed session epoch, whose value matters only to tests that compare two stores.
extension StoreUnderTest {
  package func setPassword(
    of id: AccountID, to hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.setPassword(of: id, to: hash, epoch: .another, stamp)
  }

  package func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await accounts.setEnabled(id, isEnabled, epoch: .another, stamp)
  }

  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.recover(id, of: account, to: hash, epoch: .another, notice, stamp)
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await accounts.changePassword(of: id, from: old, to: new, epoch: .another, notice, stamp)
  }
}

extension SessionEpoch {
  package static let another = SessionEpoch(stored: "another")
}
