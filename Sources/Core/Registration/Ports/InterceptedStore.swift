/// A store in front of another one: a conformer describes in `around` what happens around each operation, and thereby is an
/// `AccountStore`. It may still implement an operation itself.
package protocol InterceptedStore: AccountStore {
  /// The store that does the work.
  var store: any AccountStore { get }

  /// Performs one operation, with whatever the conformer adds.
  ///
  /// - Parameter call: Calls `store`. Called at most once; an interceptor that throws before calling it has changed nothing.
  func around<Value: Sendable>(
    _ operation: StoreOperation, _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value
}

/// The operations of an `AccountStore`, by name.
package enum StoreOperation: String, Sendable {
  case insert, find, note, activate, resume, renew, release, released, replaceHash, confirm, noteGuessed
  case pending, putOff, setPassword, setEnabled, delete, list, importing, audit, check
  case addClaim, findClaim, guess, renewClaim, endClaim, prove, recover, changePassword, changeEmail, claims, auditOf,
    sweep, wrongCodes
  case addMail, mails, findMail, leaseMail, putOffMail, endMail

  /// Whether the operation may change something.
  package var isChange: Bool {
    switch self {
    case .find, .released, .pending, .list, .audit, .check, .findClaim, .claims, .auditOf, .mails, .findMail,
      .wrongCodes:
      false
    case .insert, .note, .activate, .resume, .renew, .release, .replaceHash, .confirm, .noteGuessed, .putOff,
      .setPassword, .setEnabled, .delete, .importing, .addClaim, .guess, .renewClaim, .endClaim, .prove, .recover,
      .changePassword,
      .changeEmail, .sweep, .addMail, .leaseMail, .putOffMail, .endMail:
      true
    }
  }

  /// Whether the operation is done even if its caller no longer waits, as `AccountStore` describes.
  var ignoresCancellation: Bool {
    switch self {
    case .note, .replaceHash, .confirm, .putOff, .addMail, .putOffMail, .endMail: true
    case .insert, .find, .activate, .resume, .renew, .release, .released, .noteGuessed, .pending, .setPassword,
      .setEnabled,
      .delete, .list, .importing, .audit, .check, .addClaim, .findClaim, .guess, .renewClaim, .endClaim, .prove,
      .recover, .changePassword, .changeEmail, .claims, .auditOf, .sweep, .mails, .findMail, .leaseMail,
      .wrongCodes:
      false
    }
  }
}

extension InterceptedStore {
  /// The wrapped store's own throttle; operations on it do not go through `around`.
  package var sharedThrottle: (any SharedThrottle)? { store.sharedThrottle }

  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await around(.insert) { () async throws(StoreFailure) in
      try await store.insert(account, request: request, stamp)
    }
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await around(.find) { () async throws(StoreFailure) in try await store.find(key) }
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await around(.find) { () async throws(StoreFailure) in try await store.find(id) }
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try await around(.find) { () async throws(StoreFailure) in try await store.find(request) }
  }

  package func awaitCommits(for share: Share) async throws(StoreFailure) {
    try await around(.find) { () async throws(StoreFailure) in try await store.awaitCommits(for: share) }
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    try await around(.note) { () async throws(StoreFailure) in try await store.note(request, for: id) }
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await around(.activate) { () async throws(StoreFailure) in try await store.activate(id, stamp) }
  }

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer {
    try await around(.resume) { () async throws(StoreFailure) in try await store.resume(id, seen: seen, stamp) }
  }

  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    try await around(.renew) { () async throws(StoreFailure) in try await store.renew(id, seen: seen, for: share) }
  }

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await around(.release) { () async throws(StoreFailure) in
      try await store.release(id, seen: seen, remembered: remembered, stamp)
    }
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    try await around(.released) { () async throws(StoreFailure) in try await store.released(request, key, at: now) }
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await around(.replaceHash) { () async throws(StoreFailure) in
      try await store.replaceHash(of: id, from: old, to: new, stamp)
    }
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await around(.confirm) { () async throws(StoreFailure) in try await store.confirm(id, at: time) }
  }

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount] {
    try await around(.pending) { () async throws(StoreFailure) in try await store.pending(after: after, limit: limit) }
  }

  package func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount? {
    try await around(.find) { () async throws(StoreFailure) in try await store.find(pending: id) }
  }

  package func putOff(
    _ id: AccountID, seen: Timestamp, _ delivery: Delivery
  ) async throws(StoreFailure) -> Bool {
    try await around(.putOff) { () async throws(StoreFailure) in
      try await store.putOff(id, seen: seen, delivery)
    }
  }

  package func setPassword(
    of id: AccountID, to hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await around(.setPassword) { () async throws(StoreFailure) in
      try await store.setPassword(of: id, to: hash, stamp)
    }
  }

  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await around(.noteGuessed) { () async throws(StoreFailure) in try await store.noteGuessed(id, stamp) }
  }

  package func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await around(.setEnabled) { () async throws(StoreFailure) in
      try await store.setEnabled(id, isEnabled, stamp)
    }
  }

  package func delete(
    _ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> DeleteAnswer {
    try await around(.delete) { () async throws(StoreFailure) in try await store.delete(id, having: hash, stamp) }
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await around(.list) { () async throws(StoreFailure) in try await store.list(after: after, limit: limit) }
  }

  package func importing(
    _ accounts: [StoredAccount], _ stamp: Stamp
  ) async throws(StoreFailure) -> [ImportAnswer] {
    try await around(.importing) { () async throws(StoreFailure) in try await store.importing(accounts, stamp) }
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await around(.audit) { () async throws(StoreFailure) in try await store.audit(after: after, limit: limit) }
  }

  package func check() async throws(StoreFailure) {
    try await around(.check) { () async throws(StoreFailure) in try await store.check() }
  }
}
