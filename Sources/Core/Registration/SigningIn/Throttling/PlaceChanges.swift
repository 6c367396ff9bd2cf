/// A change of an account's known clients that is worth keeping over a restart.
enum PlaceChange: Sendable {
  /// The owner of the account has been at the client, or the client counts as a stranger's from now on.
  case known(KnownClient, account: UInt64)
  /// All clients of the account are unknown from now on.
  case forgotten(account: UInt64)
}

/// Notes which changes of known clients the file of known clients (`KeptClients`) does not contain yet, in order. regd
/// appends them to the file a moment later.
///
/// Between two whole writes of the file, the number of noted changes is limited, so that no caller can make the file
/// grow without end. Quotas nest:
/// - An account gets as many changes as it can have clients. The first sign-ins from many origins to one account cost
///   only one hash if a door remembers the password (`PasswordMemory`).
/// - A user gets at most half of the changes that other users leave.
/// - An origin gets one change, or half of those that the user's other origins leave.
///
/// Changes beyond a quota are not noted. Only the next whole write of the file contains them.
struct PlaceChanges: Sendable {
  /// The most changes between two whole writes of the file.
  static let most = 8192

  enum Change: Equatable, Sendable {
    case known(SignInAttempt.Key)
    case forgotten(account: UInt64)
  }

  /// The changes that were noted since the last call of `take`.
  private(set) var waiting: [Change] = []
  private var count = 0
  private var accounts: [UInt64: Int] = [:]
  private var users: [UInt32: Int] = [:]
  private var clients: [SignInAttempt.ShareHash: Int] = [:]

  /// Notes a change of one client, unless its account, its user or its origin has used up a quota.
  mutating func note(known key: SignInAttempt.Key) {
    let ofAccount = accounts[key.account] ?? 0
    let (ofUser, ofPlace) = (users[key.client.uid] ?? 0, clients[key.client] ?? 0)
    let quotaOfUser = (Self.most - (count - ofUser)) / 2
    let quotaOfPlace = max(1, (quotaOfUser - (ofUser - ofPlace)) / 2)
    guard ofAccount < KnownClients.perAccount, ofUser < quotaOfUser, ofPlace < quotaOfPlace else { return }
    accounts[key.account] = ofAccount + 1
    users[key.client.uid] = ofUser + 1
    clients[key.client] = ofPlace + 1
    count += 1
    waiting.append(.known(key))
  }

  /// Notes that all clients of the account were forgotten. The account's quota begins anew, because only the owner, who
  /// has set another password, and administrators can make regd forget them.
  mutating func note(forgotten account: UInt64) {
    guard count < Self.most else { return }
    accounts[account] = nil
    count += 1
    waiting.append(.forgotten(account: account))
  }

  /// Returns the waiting changes. They still count towards the quotas.
  mutating func take() -> [Change] {
    defer { waiting = [] }
    return waiting
  }
}
