extension RegistrationConductor {
  /// What has happened, as the driver of a registration tells its conductor.
  package enum Event: Equatable, Sendable, HashingEvents, StoreEvents, UpstreamEvents {
    case foundRequest(KnownRequest?)
    case found(StoredAccount?)
    /// What this request has asked for before, for this address, and was released: newest first.
    case foundReleased([ReleasedRegistration])
    case hashed(PasswordHash)
    case verified(PasswordVerdict)
    /// There were too many wrong passwords; nothing was compared.
    case throttled(retryAfterSeconds: Int)
    case inserted(InsertAnswer)
    case proved(ProofAnswer)
    case claimEnded
    case noted(NoteAnswer)
    /// The mark that the reservation bears now; nil if another regd has changed it since it was read.
    case resumed(mark: Timestamp?)
    /// Another regd has a claim of the reservation: it may be asking the upstream just now.
    case claimedElsewhere
    /// The attempt that was under way for this reservation in this process has ended.
    case joined(RegistrationOutcome)
    /// The attempt that was under way for this reservation in this process goes on without it.
    case gaveUp
    case upstreamAnswered(UpstreamAnswer)
    case takenPerhaps
    case activated(ActivationAnswer)
    case released(Bool)
    /// The caller withdrew before the store was changed for the first time.
    case cancelled
    case hashingFailed(HashingFailure)
    case networkFailed(NetworkFailure)
    case storeFailed(StoreFailure)
  }

  /// What the driver is to do next.
  package enum Action: Equatable, Sendable {
    case findRequest(RequestKey)
    case find(EmailKey)
    case findReleased(RequestKey, EmailKey)
    case hash
    /// Compare the entry's password with this hash. A wrong password counts as a guess at the subject.
    case verify(PasswordHash, of: GuessSubject)
    /// Compare the entry's password with that of a released registration. The caller does not learn the result, so a wrong
    /// password is no guess.
    case recognise(PasswordHash)
    case insert(StoredAccount, request: RequestKey?)
    /// Add the account of a claim that was proven.
    case prove(ClaimID, StoredAccount)
    case endClaim(ClaimID)
    /// Note the request as one that has asked for this account.
    case note(RequestKey, for: AccountID)
    case resume(AccountID, seen: Timestamp, at: Timestamp)
    case ask(UpstreamRegistration)
    case activate(StoredAccount, request: RequestKey?)
    /// `remembered`: the upstream has been asked under its id, which a later ask for the same registration has again.
    case release(AccountID, seen: Timestamp, remembered: Bool)
    case finish(RegistrationOutcome)
  }
}
