internal import CSimulation
internal import RegdClient

/// A registration that a simulated caller has requested, and its outcome.
final class Attempt {
  enum End: Equatable {
    case open
    /// The connection was lost before the reply, so the outcome is unknown.
    case lost
    /// It never reached regd.
    case unsent
    case acknowledged(id: String, state: String)
    /// regd has answered with a claim, which becomes an account once its code is proven. `id` is the claim's.
    case claimed(id: String)
    case refused(reason: String, pending: Bool)
  }

  let email: String
  let password: String
  let requestId: String?
  let uid: UInt32
  /// The number of the regd that got the request.
  var daemon = 0
  /// The code of an invitation in the request.
  var invitation: String?
  /// The configuration of who may register, when the request was sent.
  var doorway = Doorway()
  var end = End.open {
    didSet { ended = simulated_now() }
  }
  let began = simulated_now()
  private(set) var ended = Int64.max

  init(email: String, password: String, requestId: String?, uid: UInt32) {
    (self.email, self.password, self.requestId, self.uid) = (email, password, requestId, uid)
  }

  /// Whether this registration may have left an account, or was still in flight when the other one was requested.
  func mayHaveMet(_ other: Attempt) -> Bool { !isCertainlyNot || ended > other.began }

  var key: String { email.lowercased() }

  /// Whether regd has answered that the store failed, and that nothing is pending.
  var isNotStored: Bool { if case .refused(let reason, false) = end { reason.hasPrefix("store.") } else { false } }

  /// Whether it has certainly left no account.
  var isCertainlyNot: Bool {
    switch end {
    case .unsent: true
    case .refused(let reason, let pending): !pending && reason != "request.conflict" && !reason.hasPrefix("store.")
    case .open, .lost, .acknowledged, .claimed: false
    }
  }
}

/// Counts the changes of one property that are in flight. If some overlap, it is unknown which one is the last.
struct Changes {
  private var inFlight = 0
  private var isContested = false

  mutating func begin() {
    inFlight += 1
    isContested = isContested || inFlight > 1
  }

  /// - Parameter isOver: Whether the change has ended. False if regd may still do it later.
  /// - Returns: Whether no other change was in flight at the same time.
  mutating func end(isOver: Bool) -> Bool {
    let isAlone = !isContested
    if isOver { inFlight -= 1 }
    if inFlight == 0 { isContested = false }
    return isAlone
  }
}

/// What is known of an account, from regd's answers.
final class KnownAccount {
  let id: String
  let key: String
  let email: String
  /// The number of the regd that has acknowledged the account.
  let daemon: Int
  /// Nil if unknown, for instance because a change of the password got no answer.
  var password: String?
  /// Nil if unknown.
  var isDisabled: Bool? = false
  /// Whether it was deleted, or nil if a deletion got no answer.
  var isDeleted: Bool? = false
  var isActive: Bool
  /// How often its approval was asked for.
  var approvals = 0
  /// Incremented when a change of the account begins, and when it is answered. Between two readings of the same
  /// version, nothing has changed.
  var version = 0
  var passwordChanges = Changes()
  var stateChanges = Changes()
  /// Sign-ins without an answer. regd gives equal simultaneous sign-ins one answer. A sign-in that begins after a
  /// change may therefore get the answer to one that began before the change.
  var signInsInFlight = 0
  var mayShareOldAnswer = false
  /// For each group in a request about the account, by the group's name: whether the account is a member.
  var memberships: [String: Membership] = [:]
  var stamp: String?
  /// Stamps of sessions that have ended for good.
  var oldStamps: [String] = []

  func endStamps() {
    if let stamp { oldStamps.append(stamp) }
    stamp = nil
  }

  init(id: String, email: String, daemon: Int, password: String, isActive: Bool) {
    (self.id, self.email, self.daemon, self.key) = (id, email, daemon, email.lowercased())
    (self.password, self.isActive) = (password, isActive)
  }
}

/// All registrations that were requested, and all accounts that are known.
final class RequestLog {
  private(set) var attempts: [Attempt] = []
  private(set) var accounts: [KnownAccount] = []

  func add(_ attempt: Attempt) { attempts.append(attempt) }

  func attempts(for key: String) -> [Attempt] { attempts.filter { $0.key == key } }
  func account(id: String) -> KnownAccount? { accounts.first { $0.id == id } }
  /// The accounts that are not known to be deleted.
  func standing(for key: String) -> [KnownAccount] { accounts.filter { $0.key == key && $0.isDeleted != true } }

  /// The active or disabled accounts whose passwords are known.
  var accountsToSignIn: [KnownAccount] {
    accounts.filter { $0.isActive && $0.isDeleted == false && $0.password != nil && $0.isDisabled != nil }
  }

  /// Adds an account of which only the id and the address are known.
  func add(_ id: String, _ email: String, by daemon: Int) {
    let known = KnownAccount(id: id, email: email, daemon: daemon, password: "", isActive: true)
    (known.password, known.isDisabled) = (nil, nil)
    accounts.append(known)
  }

  func acknowledge(_ id: String, _ attempt: Attempt, by daemon: Int, isActive: Bool) {
    if let known = account(id: id) {
      if isActive { known.isActive = true }
    } else {
      accounts.append(
        KnownAccount(
          id: id, email: attempt.email, daemon: daemon, password: attempt.password, isActive: isActive))
    }
  }
}
