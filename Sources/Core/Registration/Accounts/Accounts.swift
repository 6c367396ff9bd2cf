/// The accounts of a store, and everything that can be done with them. Each operation is one function with its promise,
/// its scope (the records whose state is unknown while its commit is in doubt) and its meaning, for every store. Only the
/// store decides whether an address or a request is unique.
///
/// Rules for every store:
/// - Each operation is atomic: it is done completely or not at all. After a failure other than `unknown`, it was not
///   done.
/// - If the store is durable (`StoreBackend.isDurable`), an operation that has returned survives a killed process and a
///   killed machine.
/// - At most one account has a given address key (`EmailKey`), and at most one registration has a given request
///   (`RequestKey`), however many calls run at once. The store's own constraint ensures this, not a look-up before the
///   write. A later call with the same key or request does not fail, but returns the account that was first.
/// - Keys and ids are compared byte by byte, with no collation.
/// - Operations are serializable: an earlier one sees no effect of a later one.
/// - An operation that changes an account writes an audit entry in the same transaction, with the call's stamp (time
///   and requester). An operation that changes nothing writes no entry. After the commit, the store reports each entry
///   to its observer, in the order of the entries' numbers.
///
/// Several regd processes may have one store open. Each has an instance name (`Claimant`), which remains the same after
/// a restart:
/// - A *claim* of a pending account determines which regd may ask the upstream for the account, and until when, by the
///   store's own clock. A claim lasts for `Claimant.lease`, unless it is ended earlier. An expired claim has no effect.
///   An account has at most one claim. A regd's own claim never blocks that regd, even after a restart.
/// - A *mark* is the account's `updatedAt`. It serves as a fence. A regd that takes over an account gives the account
///   another mark. Changes that the previous regd still makes under the old mark then have no effect.
/// - Every audit entry names the instance of the regd that made the change.
///
/// Failures. Each operation may fail with the failures of its kind, and with those that its own documentation names:
/// - A *look-up* (`find`, `released`, `wrongCodes`) fails with `unavailable`, with `cancelled`, or with `unknown` if a commit in
///   doubt (one whose outcome the store does not know) concerns the record and cannot be settled now. It never changes
///   anything.
/// - A *list* (every operation that reads with `scan`, such as `list`, `pending` and `audit`) fails with `unavailable` or
///   `cancelled`. The store skips a row that cannot be read, reports it to the damage observer once, and continues. Only
///   the last page is therefore shorter than its limit. A look-up of such a row, or a change of it, fails with
///   `unavailable`.
/// - A *change* (every operation with `StoreOperation.isChange`) fails with any `StoreFailure`. After `unavailable`, `full`,
///   `readOnly` and `cancelled` nothing was changed, and the caller may repeat the call. After `unknown`, the change
///   was done completely or not at all. A look-up that succeeds shows which.
///
/// Cancellation. An operation that waits in the store's queue fails with `cancelled` if its task is cancelled before
/// its turn comes. A store without a queue never fails like this. Once its turn has come, an operation runs to its end
/// and returns its answer. Some changes ignore cancellation, as their documentation states: they record an answer of the
/// upstream, which is true whether or not a caller still waits.
package struct Accounts: Sendable {
  package let engine: any StoreEngine
  private let hooks: [any StoreHook]
  private let showsArguments: Bool

  /// - Parameter hooks: The first one is the outermost.
  package init(_ engine: any StoreEngine, hooks: [any StoreHook] = []) {
    self.engine = engine
    self.hooks = hooks
    showsArguments = hooks.contains(where: \.readsArguments)
  }

  /// Returns the same accounts with one more hook, around the others.
  package func with(_ hook: some StoreHook) -> Accounts { Accounts(engine, hooks: [hook] + hooks) }

  package var codeKey: CodeKey { engine.keys.codes }
  package var stampKey: CodeKey { engine.keys.stamps }
  package var auditKey: CodeKey { engine.keys.audit }
  package var cryptography: any AuditCryptography { engine.cryptography }

  /// Checks that the store works (`StoreEngine.check`).
  package func check() async throws(StoreFailure) {
    try await run(.check, ChangeScope()) { () async throws(StoreFailure) in try await engine.check() }
  }

  /// Returns when the changes in flight about a request have ended (`StoreEngine.awaitCommit`).
  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) {
    try await run(.find, ChangeScope(request: request, anyClaim: false)) { () async throws(StoreFailure) in
      try await engine.awaitCommit(of: request)
    }
  }
}

// MARK: - What operations are written in terms of

extension Accounts {
  /// Changes something: `StoreEngine.write` between the hooks.
  ///
  /// - Parameter arguments: The operation's arguments, for hooks that read them.
  func write<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, for share: Share,
    of arguments: @autoclosure () -> any Sendable = (), _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await run(operation, scope, of: arguments()) { () async throws(StoreFailure) in
      try await engine.write(scope, for: share, evenIfLate: operation.ignoresCancellation, body)
    }
  }

  /// Looks something up: `StoreEngine.read` between the hooks.
  func read<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope,
    of arguments: @autoclosure () -> any Sendable = (), _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await run(operation, scope, of: arguments()) { () async throws(StoreFailure) in
      try await engine.read(scope, found, body)
    }
  }

  func read<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, of arguments: @autoclosure () -> any Sendable = (),
    _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await read(operation, scope, { _ in ChangeScope() }, of: arguments(), body)
  }

  /// Reads a page: `StoreEngine.scan` between the hooks.
  func scan<Value: Sendable>(
    _ operation: StoreOperation, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await run(operation, ChangeScope()) { () async throws(StoreFailure) in try await engine.scan(body) }
  }

  func run<Value: Sendable>(
    _ operation: StoreOperation, _ scope: ChangeScope, of arguments: @autoclosure () -> any Sendable = (),
    _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    guard !hooks.isEmpty else { return try await body() }
    return try await run(
      StoreCall(operation: operation, scope: scope, arguments: showsArguments ? arguments() : ()), from: 0, body)
  }

  private func run<Value: Sendable>(
    _ call: StoreCall, from index: Int, _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    guard index < hooks.count else { return try await body() }
    return try await hooks[index].around(call) { () async throws(StoreFailure) in
      try await run(call, from: index + 1, body)
    }
  }
}

/// Work around every operation of `Accounts`: a hook looks at an operation before and after it is done, or lets it fail.
package protocol StoreHook: Sendable {
  /// Whether the hook needs the arguments of operations.
  var readsArguments: Bool { get }

  /// Performs one operation by calling `proceed`, and does the hook's own work before and after it.
  ///
  /// - Parameter proceed: Performs the operation. The hook calls it at most once. If the hook throws without calling it,
  ///   nothing has changed.
  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value
}

extension StoreHook {
  package var readsArguments: Bool { false }
}

/// An operation, as a hook sees it.
package struct StoreCall: Sendable {
  package let operation: StoreOperation
  /// The records that the operation is about. Empty for lists and sweeps.
  package let scope: ChangeScope
  /// The arguments of an operation on claims and their accounts, if a hook reads them. Otherwise `()`.
  package let arguments: any Sendable
}

/// The operations of `Accounts`, by name.
package enum StoreOperation: String, Sendable {
  case insert, find, note, activate, resume, renew, release, released, replaceHash, confirm, noteGuessed
  case pending, putOff, setPassword, setEnabled, signOut, delete, list, importing, audit, check
  case addClaim, findClaim, guess, renewClaim, endClaim, prove, recover, changePassword, changeEmail, claims, auditOf,
    sweep, wrongCodes
  case addMail, mails, findMail, leaseMail, putOffMail, endMail
  case approve, disapprove, refuse, acceptTerms
  case changeGroups, setDisplayName, groups
  case addInvitation, revokeInvitation, findInvitation, invitations
  case noteAuditHead

  /// Whether the operation may change something.
  package var isChange: Bool {
    switch self {
    case .find, .released, .pending, .list, .audit, .check, .findClaim, .claims, .auditOf, .mails, .findMail,
      .wrongCodes, .findInvitation, .invitations, .groups:
      false
    case .insert, .note, .activate, .resume, .renew, .release, .replaceHash, .confirm, .noteGuessed, .putOff,
      .setPassword, .setEnabled, .signOut, .delete, .importing, .addClaim, .guess, .renewClaim, .endClaim, .prove,
      .recover, .changePassword, .changeEmail, .sweep, .addMail, .leaseMail, .putOffMail, .endMail, .approve,
      .disapprove, .refuse, .acceptTerms, .changeGroups, .setDisplayName, .addInvitation, .revokeInvitation,
      .noteAuditHead:
      true
    }
  }

  /// Whether the operation is done even if its caller no longer waits or regd is stopping. Most such operations record
  /// what has happened, or an answer of an upstream. `note` is one of them, because a caller that gave up got the
  /// answer that its registration is pending. The caller must later find the registration by its request.
  package var ignoresCancellation: Bool {
    switch self {
    case .note, .replaceHash, .confirm, .putOff, .addMail, .putOffMail, .endMail, .disapprove: true
    case .insert, .find, .activate, .resume, .renew, .release, .released, .noteGuessed, .pending, .setPassword,
      .setEnabled, .signOut, .delete, .list, .importing, .audit, .check, .addClaim, .findClaim, .guess, .renewClaim,
      .endClaim, .prove, .recover, .changePassword, .changeEmail, .claims, .auditOf, .sweep, .wrongCodes, .mails,
      .findMail, .leaseMail, .approve, .refuse, .acceptTerms, .changeGroups, .setDisplayName, .groups, .addInvitation,
      .revokeInvitation, .findInvitation, .invitations, .noteAuditHead:
      false
    }
  }
}
