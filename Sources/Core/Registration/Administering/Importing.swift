package import Sentences

/// An account from elsewhere, as the caller gave it.
package struct ImportRecord: Sendable {
  package var email: String?
  /// A PHC string or a modular crypt string; a `PasswordHashReader` decides which ones are accepted.
  package var passwordHash: String?
  /// The name of a case of `Account.State`; nil means active.
  package var state: String?
  /// A time of RFC 3339; nil means now.
  package var createdAt: String?
  /// A UUID; nil means a new one.
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
  package enum Reason: Equatable, Sendable {
    /// The text is not a record.
    case record
    case email(Problem.Reason)
    case hash(PasswordHashProblem.Reason)
    case state
    case createdAt
    case id
    /// Another account has the address.
    case emailTaken
    /// Another account has the id.
    case idTaken
  }

  package let reason: Reason
  /// The sentence for a person.
  package let sentence: Sentence

  package init(_ reason: Reason, _ sentence: Sentence) {
    self.reason = reason
    self.sentence = sentence
  }
}

extension Administrator {
  /// Imports every record that can be imported, in one transaction; overwrites nothing.
  ///
  /// Idempotent: a record whose account exists already counts as imported, so that the caller can repeat an interrupted import.
  ///
  /// - Returns: For each record nil, or the reason for its refusal.
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
    case .emailTaken: ImportRefusal(.emailTaken, Sentence(ImportSentence.emailTaken))
    case .idTaken: ImportRefusal(.idTaken, Sentence(ImportSentence.idTaken))
    }
  }

  /// Checks everything about a record that needs no look-up in the store.
  private func account(
    _ record: ImportRecord, by rules: RegistrationRules, _ now: Timestamp
  ) -> Result<StoredAccount, ImportRefusal> {
    let email: EmailAddress
    switch rules.email.addressOfAccount(record.email) {
    case .success(let address): email = address
    case .failure(let refusal):
      let problem = refusal.problems.first
      return refuse(.email(problem?.reason ?? .emailSyntax), problem?.sentence ?? Sentence(ImportSentence.email))
    }
    let hash: PasswordHash
    switch record.passwordHash.map(hashes.check) ?? .failure(.missing) {
    case .success(let checked): hash = checked
    case .failure(let problem): return refuse(.hash(problem.reason), problem.sentence)
    }
    guard let state = Account.State(rawValue: record.state ?? "active") else {
      return refuse(.state, Sentence(ImportSentence.state))
    }
    var createdAt = now
    if let text = record.createdAt {
      guard let time = Timestamp(anyRFC3339: text) else {
        return refuse(.createdAt, Sentence(ImportSentence.createdAt))
      }
      createdAt = time
    }
    var id = AccountID(at: createdAt)
    if let text = record.id {
      guard let given = AccountID(text) else {
        return refuse(.id, Sentence(ImportSentence.id))
      }
      id = given
    }
    let account = Account(id: id, email: email, state: state, createdAt: createdAt, updatedAt: now)
    return .success(StoredAccount(account: account, passwordHash: hash))
  }

  private func refuse(_ reason: ImportRefusal.Reason, _ sentence: Sentence) -> Result<StoredAccount, ImportRefusal> {
    .failure(ImportRefusal(reason, sentence))
  }
}
