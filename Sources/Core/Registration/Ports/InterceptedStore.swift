/// A store that wraps another one. A conformer implements `around`, through which the extension below passes every
/// operation. If an intercepted store wraps another, the outer one calls only the inner one's `change`, `look` and
/// `list`, and the operations at the end of the extension. It bypasses any other operation that the inner one
/// implements.
package protocol InterceptedStore: AccountStore {
  /// The store that does the work.
  var store: any AccountStore { get }

  /// Performs one operation by calling `call`, and adds the conformer's own work before and after it.
  ///
  /// - Parameter call: Performs the operation in `store`. The conformer calls it at most once. If it throws without
  ///   calling it, nothing has changed.
  func around<Value: Sendable>(
    _ operation: StoreOperation, _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value
}

/// The operations of an `AccountStore`, by name.
package enum StoreOperation: String, Sendable {
  case insert, find, note, activate, resume, renew, release, released, replaceHash, confirm, noteGuessed
  case pending, putOff, setPassword, setEnabled, signOut, delete, list, importing, audit, check
  case addClaim, findClaim, guess, renewClaim, endClaim, prove, recover, changePassword, changeEmail, claims, auditOf,
    sweep, wrongCodes
  case addMail, mails, findMail, leaseMail, putOffMail, endMail
  case approve, disapprove, refuse, acceptTerms
  case changeGroups, setDisplayName, groups
  case addInvitation, revokeInvitation, findInvitation, invitations

  /// Whether the operation may change something.
  package var isChange: Bool {
    switch self {
    case .find, .released, .pending, .list, .audit, .check, .findClaim, .claims, .auditOf, .mails, .findMail,
      .wrongCodes, .findInvitation, .invitations, .groups:
      false
    default: true
    }
  }

  /// Whether the operation is done even if its caller no longer waits or regd is stopping. Most such operations record
  /// what has happened, or an answer of an upstream. `note` is one of them, because a caller that gave up got the
  /// answer that its registration is pending. The caller must later find the registration by its request.
  package var ignoresCancellation: Bool {
    switch self {
    case .note, .replaceHash, .confirm, .putOff, .addMail, .putOffMail, .endMail, .disapprove: true
    default: false
    }
  }
}

extension InterceptedStore {
  package var codeKey: CodeKey { store.codeKey }
  package var stampKey: CodeKey { store.stampKey }
  package var isCopied: Bool { store.isCopied }
  /// The wrapped store's own throttle. Operations on it do not go through `around`.
  package var sharedThrottle: (any SharedThrottle)? { store.sharedThrottle }
  package var continuity: (any StoreContinuity)? { store.continuity }

  package func change<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, for share: Share,
    _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await around(operation) { () async throws(StoreFailure) in
      try await store.change(operation, scope, for: share, body)
    }
  }

  package func look<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope,
    _ body: @Sendable (any StoreTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await around(operation) { () async throws(StoreFailure) in
      try await store.look(operation, scope, found, body)
    }
  }

  package func list<Value: Sendable>(
    _ operation: StoreOperation, _ body: @Sendable (any StoreTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await around(operation) { () async throws(StoreFailure) in try await store.list(operation, body) }
  }

  // MARK: The operations that a store may implement itself

  package func guess(_ id: ClaimID, _ guess: CodeGuess, _ stamp: Stamp) async throws(StoreFailure) -> GuessAnswer {
    try await around(.guess) { () async throws(StoreFailure) in try await store.guess(id, guess, stamp) }
  }

  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer] {
    try await around(.importing) { () async throws(StoreFailure) in try await store.importing(accounts, stamp) }
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    try await around(.sweep) { () async throws(StoreFailure) in
      try await store.sweep(at: now, addressesBefore: addressesBefore, limit: limit)
    }
  }

  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) {
    try await around(.find) { () async throws(StoreFailure) in try await store.awaitCommit(of: request) }
  }

  package func check() async throws(StoreFailure) {
    try await around(.check) { () async throws(StoreFailure) in try await store.check() }
  }
}
