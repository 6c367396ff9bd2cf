extension RegistrationConductor {
  /// What has happened, as the driver of a registration tells its conductor.
  package enum Event: Equatable, Sendable {
    case foundRequest(KnownRequest?)
    case found(StoredAccount?)
    case hashed(PasswordHash)
    case verified(PasswordVerdict)
    /// There were too many wrong passwords; nothing was compared.
    case throttled(retryAfterSeconds: Int)
    case inserted
    case insertionLost(to: StoredAccount)
    /// The request has made an account meanwhile.
    case insertionKnown(KnownRequest)
    case upstreamAnswered(UpstreamAnswer)
    case resumed(Bool)
    /// The reservation's own attempt was under way here, and this came of it.
    case joined(RegistrationOutcome)
    case noted(NoteAnswer)
    case activated(Account?)
    case released(Bool)
    case hashingFailed(HashingFailure)
    case networkFailed(NetworkFailure)
    case storeFailed(StoreFailure)
  }

  /// What the driver is to do next.
  package enum Action: Equatable, Sendable {
    case findRequest(RequestKey)
    case find(EmailKey)
    case hash
    /// Compare the entry's password with this hash.
    case verify(PasswordHash)
    case insert(StoredAccount)
    case ask(UpstreamRegistration)
    case resume(AccountID, seen: Timestamp, at: Timestamp)
    /// Note the request as one that has asked for this account.
    case note(AccountID)
    case activate(AccountID)
    case release(AccountID, seen: Timestamp)
    case finish(RegistrationOutcome)

    var changesStore: Bool {
      switch self {
      case .insert, .resume, .note, .activate, .release: true
      case .findRequest, .find, .hash, .verify, .ask, .finish: false
      }
    }
  }
}
