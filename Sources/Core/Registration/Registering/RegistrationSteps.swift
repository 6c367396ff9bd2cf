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
    /// What has been asked under this request before, for this address, and was released: newest first.
    case foundReleased([ReleasedRegistration])
    case upstreamAnswered(UpstreamAnswer)
    /// The upstream calls the address taken, and is not believed: what was asked before may still be at work.
    case takenPerhaps
    /// With the mark that the reservation bears now; nil where somebody else was quicker.
    case resumed(mark: Timestamp?)
    /// The reservation's own attempt was under way here, and this came of it.
    case joined(RegistrationOutcome)
    /// The same, and it has let go of the account.
    case gaveUp
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
    /// Compare the entry's password with this hash; a wrong one is a guess.
    case verify(PasswordHash)
    case findReleased(RequestKey, EmailKey)
    /// Compare the entry's password with that of a registration that was released: nobody learns what came of it.
    case recognise(PasswordHash)
    case insert(StoredAccount)
    case ask(UpstreamRegistration)
    case resume(AccountID, seen: Timestamp, at: Timestamp)
    /// Note the request as one that has asked for this account.
    case note(RequestKey, for: AccountID)
    case activate(AccountID)
    /// `remembered`: the upstream has been asked under its id, which a later ask for the same registration has again.
    case release(AccountID, seen: Timestamp, remembered: Bool)
    case finish(RegistrationOutcome)

    var changesStore: Bool {
      switch self {
      case .insert, .resume, .note, .activate, .release: true
      case .findRequest, .find, .findReleased, .hash, .verify, .recognise, .ask, .finish: false
      }
    }
  }
}
