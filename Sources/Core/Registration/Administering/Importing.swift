package import Localization

/// An account to be imported, as the caller wrote it.
package struct ImportRecord: Sendable {
  package var email: String?
  /// A PHC string or a modular crypt string, as a `PasswordHashReader` accepts them, or "*" for an account without a password.
  package var passwordHash: String?
  /// The name of a case of `Account.State`. Nil means active.
  package var state: String?
  /// A time of RFC 3339. Nil means now.
  package var createdAt: String?
  /// A UUID. Nil means a new one.
  package var id: String?
  /// The version of the terms that the owner has accepted, and when, as a time of RFC 3339. Nil means none.
  package var terms: (version: String?, acceptedAt: String?)?
  /// The names of the account's groups. Nil means none.
  package var groups: [String]?
  /// The display name as it was typed. Nil and "" mean none.
  package var displayName: String?

  package init(
    email: String?, passwordHash: String?, state: String?, createdAt: String?, id: String?,
    terms: (version: String?, acceptedAt: String?)? = nil
  ) {
    self.terms = terms
    self.email = email
    self.passwordHash = passwordHash
    self.state = state
    self.createdAt = createdAt
    self.id = id
  }
}

/// Why a record was not imported.
package struct ImportRefusal: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// The caller's value is not a record at all.
    case record
    case email(Problem.Reason)
    case hash(PasswordHashProblem.Reason)
    case state
    case createdAt
    case id
    case terms
    /// A name that is not a group name, or too many groups.
    case groups
    case displayName(Problem.Reason)
    /// Another account has the address.
    case emailTaken
    /// Another account has the id.
    case idTaken
  }

  package let reason: Reason
  /// The reason, in words for a person.
  package let sentence: LocalizedMessage

  package init(_ reason: Reason, _ sentence: LocalizedMessage) {
    self.reason = reason
    self.sentence = sentence
  }
}

extension Administrator {
  /// Imports every record that can be imported, in one transaction. Overwrites nothing.
  ///
  /// Idempotent: a record whose account exists already counts as imported, so that the caller can repeat an interrupted import.
  ///
  /// - Returns: One element for each record, in order: nil if the record is imported, else the reason for its refusal.
  package func importing(
    _ records: [Result<ImportRecord, ImportRefusal>], by requester: Requester?
  ) async throws(StoreFailure) -> [ImportRefusal?] {
    let now = time.now()
    let rules = rules
    let read = records.map { record in record.flatMap { account($0, by: rules, now) } }
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
    case .emailTaken: ImportRefusal(.emailTaken, LocalizedMessage(ImportMessageKey.emailTaken))
    case .idTaken: ImportRefusal(.idTaken, LocalizedMessage(ImportMessageKey.idTaken))
    }
  }

  /// Makes the account of a record, or refuses the record for a reason that needs no look-up in the store.
  private func account(
    _ record: ImportRecord, by rules: RegistrationRules, _ now: Timestamp
  ) -> Result<StoredAccount, ImportRefusal> {
    let email: EmailAddress
    switch rules.email.addressOfAccount(record.email) {
    case .success(let address): email = address
    case .failure(let refusal):
      let problem = refusal.problems.first
      return refuse(
        .email(problem?.reason ?? .emailSyntax), problem?.sentence ?? LocalizedMessage(ImportMessageKey.email))
    }
    guard let state = Account.State(rawValue: record.state ?? "active") else {
      return refuse(.state, LocalizedMessage(ImportMessageKey.state))
    }
    let hash: PasswordHash
    switch self.hash(record.passwordHash, of: state) {
    case .success(let checked): hash = checked
    case .failure(let problem): return refuse(.hash(problem.reason), problem.sentence)
    }
    var createdAt = now
    if let text = record.createdAt {
      guard let time = Timestamp(anyRFC3339: text) else {
        return refuse(.createdAt, LocalizedMessage(ImportMessageKey.createdAt))
      }
      createdAt = time
    }
    var id = AccountID(at: createdAt)
    if let text = record.id {
      guard let given = AccountID(text) else {
        return refuse(.id, LocalizedMessage(ImportMessageKey.id))
      }
      id = given
    }
    var terms: AcceptedTerms?
    if let given = record.terms {
      guard let version = given.version, TermsOfUse.isVersion(version),
        let time = given.acceptedAt.flatMap(Timestamp.init(anyRFC3339:))
      else {
        let limit = LocalizedMessage.Content.number(TermsOfUse.longestVersion)
        return refuse(.terms, LocalizedMessage(ImportMessageKey.terms, ["limit": limit]))
      }
      terms = AcceptedTerms(version: version, acceptedAt: time)
    }
    var account = Account(
      id: id, email: email, state: state, createdAt: createdAt, updatedAt: now, terms: terms, epoch: .random(),
      isProven: false)
    if let refusal = name(&account, record, by: rules) { return .failure(refusal) }
    return .success(StoredAccount(account: account, passwordHash: hash))
  }

  /// Gives the account the groups and the display name of its record.
  private func name(
    _ account: inout Account, _ record: ImportRecord, by rules: RegistrationRules
  ) -> ImportRefusal? {
    let names = record.groups?.compactMap { GroupName($0) } ?? []
    guard names.count == record.groups?.count ?? 0, let groups = Groups(names) else {
      return ImportRefusal(.groups, LocalizedMessage(ImportMessageKey.groups, ["limit": .number(Groups.most)]))
    }
    account.groups = groups
    switch rules.displayName(record.displayName) {
    case nil: return nil
    case .success(let name)?:
      account.displayName = name
      return nil
    case .failure(let refusal)?:
      guard let problem = refusal.problems.first else { return nil }
      return ImportRefusal(.displayName(problem.reason), problem.sentence)
    }
  }

  /// Reads a record's hash. A pending or waiting account must have one, because the registration continues with that hash.
  private func hash(_ text: String?, of state: Account.State) -> Result<PasswordHash, PasswordHashProblem> {
    guard let text else { return .failure(.missing) }
    guard text == PasswordHash.none.phc else { return hashes.check(text) }
    return state == .active || state == .disabled ? .success(.none) : .failure(.missing)
  }

  private func refuse(_ reason: ImportRefusal.Reason, _ sentence: LocalizedMessage) -> Result<
    StoredAccount, ImportRefusal
  > {
    .failure(ImportRefusal(reason, sentence))
  }
}
