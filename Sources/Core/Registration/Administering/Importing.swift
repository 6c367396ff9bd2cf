/// An account from elsewhere, as it was given.
package struct ImportRecord: Sendable {
  package var email: String?
  /// A PHC string or a modular crypt string; see `PasswordHashFormat`.
  package var passwordHash: String?
  /// As `Account.State` names it; nil is active.
  package var state: String?
  /// RFC 3339; nil is now.
  package var createdAt: String?
  /// A UUID; nil is a new one.
  package var id: String?

  package init(email: String?, passwordHash: String?, state: String?, createdAt: String?, id: String?) {
    self.email = email
    self.passwordHash = passwordHash
    self.state = state
    self.createdAt = createdAt
    self.id = id
  }
}

/// Why a record was not imported.
package struct ImportRefusal: Error, Equatable, Sendable {
  /// What programs switch on.
  package let reason: String
  /// A sentence for a person.
  package let message: String

  package init(_ reason: String, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

extension Administrator {
  /// Imports what can be imported, in one transaction; nothing is ever overwritten.
  ///
  /// A record whose account is there already counts as imported, so that an import which was interrupted can be done again.
  ///
  /// - Returns: For each record nil, or why it was refused.
  package func importing(
    _ records: [Result<ImportRecord, ImportRefusal>], by requester: Requester?
  ) async throws(StoreFailure) -> [ImportRefusal?] {
    let now = time.now()
    let read = records.map { record in record.flatMap { account($0, now) } }
    let accounts = read.compactMap { try? $0.get() }
    var answers = accounts.isEmpty ? [] : try await store.importing(accounts, Stamp(now, by: requester))[...]
    if accounts.contains(where: { $0.account.state == .pending }) { pendings?.wantReading() }
    return read.map { result in
      switch result {
      case .failure(let refusal): refusal
      case .success: answers.popFirst().flatMap(Self.refusal)
      }
    }
  }

  private static func refusal(_ answer: ImportAnswer) -> ImportRefusal? {
    switch answer {
    case .imported, .present: nil
    case .emailTaken: ImportRefusal("email.taken", "Another account has this address; it was left as it is.")
    case .idTaken: ImportRefusal("id.taken", "Another account has this id; it was left as it is.")
    }
  }

  /// Everything about a record that can be known without the store.
  private func account(_ record: ImportRecord, _ now: Timestamp) -> Result<StoredAccount, ImportRefusal> {
    let email: EmailAddress
    switch rules.email.addressOfAccount(record.email) {
    case .success(let address): email = address
    case .failure(let refusal):
      let problem = refusal.problems.first
      return refuse(problem?.reason.rawValue ?? "email.syntax", problem?.message ?? "The address is none.")
    }
    let hash: PasswordHash
    switch PasswordHashFormat.check(record.passwordHash ?? "") {
    case .success(let checked): hash = checked
    case .failure(let problem): return refuse(problem.reason.rawValue, problem.message)
    }
    guard let state = Account.State(rawValue: record.state ?? "active") else {
      return refuse("state.invalid", "The state must be \"active\", \"disabled\" or \"pending\".")
    }
    var createdAt = now
    if let text = record.createdAt {
      guard let time = Timestamp(anyRFC3339: text) else {
        return refuse("createdAt.invalid", "createdAt must be a time of RFC 3339, as 2026-11-21T10:57:00Z.")
      }
      createdAt = time
    }
    var id = AccountID(at: createdAt)
    if let text = record.id {
      guard let given = AccountID(text) else {
        return refuse("id.invalid", "The id must be a UUID, as 0192d3a4-7c1e-7b32-9f00-0123456789ab.")
      }
      id = given
    }
    let account = Account(id: id, email: email, state: state, createdAt: createdAt, updatedAt: now)
    return .success(StoredAccount(account: account, passwordHash: hash))
  }

  private func refuse(_ reason: String, _ message: String) -> Result<StoredAccount, ImportRefusal> {
    .failure(ImportRefusal(reason, message))
  }
}
