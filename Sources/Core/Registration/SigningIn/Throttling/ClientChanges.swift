/// A change of an account's known clients that is worth keeping over a restart.
enum ClientChange: Sendable {
  /// The owner of the account has used the client, or the client counts as a stranger's from now on.
  case known(KnownClient, account: UInt64)
  /// The client is unknown from now on.
  case gone(SignInAttempt.Key)
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
/// Changes by which clients become unknown have a separate limit, so that they do not use up the quotas of other users'
/// sign-ins, and the other way round.
///
/// Changes beyond a quota are not noted. Only the next whole write of the file contains them.
struct ClientChanges: Sendable {
  /// The most clients that become known between two whole writes of the file. Each may have taken the room of another client.
  static let most = 8192
  /// The most accounts and clients that are forgotten between two whole writes of the file.
  static let mostForgotten = 8192

  enum Change: Equatable, Sendable {
    /// The client is known, or is no longer known.
    case client(SignInAttempt.Key)
    case forgotten(account: UInt64)
  }

  /// The changes that were noted since the last call of `take`.
  private(set) var waiting: [Change] = []
  private var count = 0
  private var forgotten = 0
  private var accounts: [UInt64: Int] = [:]
  private var users: [UInt32: Int] = [:]
  private var clients: [SignInAttempt.ShareHash: Int] = [:]

  /// Notes a change of one client, unless its account, its user or its origin has used up a quota.
  ///
  /// - Parameter removed: The client that has made room for it, or nil if there was room.
  mutating func note(known key: SignInAttempt.Key, insteadOf removed: SignInAttempt.Key? = nil) {
    let ofAccount = accounts[key.account] ?? 0
    let (ofUser, ofClient) = (users[key.client.uid] ?? 0, clients[key.client] ?? 0)
    let quotaOfUser = (Self.most - (count - ofUser)) / 2
    let quotaOfClient = max(1, (quotaOfUser - (ofUser - ofClient)) / 2)
    guard ofAccount < KnownClients.perAccount, ofUser < quotaOfUser, ofClient < quotaOfClient else { return }
    accounts[key.account] = ofAccount + 1
    users[key.client.uid] = ofUser + 1
    clients[key.client] = ofClient + 1
    count += 1
    if let removed { waiting.append(.client(removed)) }
    waiting.append(.client(key))
  }

  /// Notes that one client was forgotten.
  mutating func note(gone key: SignInAttempt.Key) {
    guard forgotten < Self.mostForgotten else { return }
    forgotten += 1
    waiting.append(.client(key))
  }

  /// Notes that all clients of the account were forgotten. The account's quota begins anew, because only the owner, who
  /// has set another password, and administrators can make regd forget them.
  mutating func note(forgotten account: UInt64) {
    guard forgotten < Self.mostForgotten else { return }
    accounts[account] = nil
    forgotten += 1
    waiting.append(.forgotten(account: account))
  }

  /// Returns the waiting changes. They still count towards the quotas.
  mutating func take() -> [Change] {
    defer { waiting = [] }
    return waiting
  }
}
