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

/// A change whose COMMIT failed: it is in the file, or it is not.
struct Doubt: Sendable {
  let concern: Concern
  /// For the observer, if the change turns out to be there.
  let entries: [AuditEntry]
}

/// The doubt that there is, if any: at most one, for nothing is changed until it is settled.
final class DoubtBoard: Sendable {
  private let doubt = Mutex<Doubt?>(nil)

  var open: Doubt? {
    get { doubt.withLock { $0 } }
    set { doubt.withLock { $0 = newValue } }
  }
}
