internal import Registration
internal import Synchronization

/// The accounts and requests that a change is about: their state is not known while its commit is in doubt.
struct Concern: Sendable {
  var ids: Set<AccountID> = []
  var keys: Set<EmailKey> = []
  var requests: Set<RequestKey> = []

  init(_ id: AccountID, _ request: RequestKey? = nil) {
    ids = [id]
    if let request { requests = [request] }
  }

  init(_ accounts: [StoredAccount], _ request: RequestKey? = nil) {
    ids = Set(accounts.map(\.account.id))
    keys = Set(accounts.map(\.account.email.key))
    if let request { requests = [request] }
  }

  func overlaps(_ other: Concern) -> Bool {
    !ids.isDisjoint(with: other.ids) || !keys.isDisjoint(with: other.keys) || !requests.isDisjoint(with: other.requests)
  }
}

/// A change whose COMMIT was sent and has no answer that counts: it is done, it is not, or it will be.
struct Doubt: Sendable {
  let concern: Concern
  /// For the observer, if the change turns out to be there.
  let entries: [AuditEntry]
}

/// The doubts that there are: one of each session at the most.
final class DoubtBoard: Sendable {
  private let doubts = Mutex<[Doubt]>([])

  var open: [Doubt] { doubts.withLock { $0 } }

  func add(_ doubt: Doubt) { doubts.withLock { $0.append(doubt) } }

  /// Takes away the first `count`, which were settled.
  func removeFirst(_ count: Int) { doubts.withLock { $0.removeFirst(count) } }

  /// Whether a change in doubt may alter what was seen.
  func concerns(_ isConcerned: (Concern) -> Bool) -> Bool {
    doubts.withLock { $0.contains { isConcerned($0.concern) } }
  }
}
