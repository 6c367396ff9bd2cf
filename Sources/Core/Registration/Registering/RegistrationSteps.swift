extension RegistrationConductor {
  /// An event that the driver of a registration reports to its conductor.
  package enum Event: Equatable, Sendable, UpstreamEvents {
    case foundRequest(KnownRequest?)
    case found(StoredAccount?)
    /// The released registrations of this request and address, the newest release first.
    case foundReleased([ReleasedRegistration])
    case hashed(PasswordHash)
    case verified(PasswordVerdict)
    case inserted(InsertAnswer)
    case proved(ProofAnswer)
    case noted(NoteAnswer)
    /// The reservation's present mark (`updatedAt`), or nil if another regd has changed the reservation since it was
    /// read.
    case resumed(mark: Timestamp?)
    /// Another regd claims the reservation, and may be asking the upstream right now. `wasPutOff` has the same meaning
    /// as in `ResumeAnswer`.
    case claimedElsewhere(wasPutOff: Bool)
    /// Another attempt of this process at this reservation has ended with an outcome, which holds here too.
    case joined(RegistrationOutcome)
    /// Another attempt of this process at this reservation was given up without an outcome.
    case gaveUp
    case upstreamAnswered(UpstreamAnswer)
    case takenPerhaps
    case activated(ActivationAnswer)
    case released(Bool)
    /// The action has failed. `cancelled` comes only before the first change of the store.
    case obstructed(Obstacle)
  }

  /// The action that the driver has to do next.
  package enum Action: ConductedAction, Equatable, Sendable {
    case findRequest(RequestKey)
    case find(EmailKey)
    case findReleased(RequestKey, EmailKey)
    case hash
    /// Compare the entry's password with this hash. A wrong password counts as a guess at the subject.
    case verify(PasswordHash, of: GuessSubject)
    /// Compare the entry's password with that of a released registration. The caller does not learn the result, so a wrong
    /// password does not count as a guess.
    case recognise(PasswordHash)
    case insert(StoredAccount, request: RequestKey?)
    /// Add the account of a proven claim.
    case prove(ClaimID, StoredAccount)
    /// Note that the request belongs to this account.
    case note(RequestKey, for: AccountID)
    case resume(AccountID, seen: Timestamp, at: Timestamp)
    case ask(UpstreamRegistration)
    case activate(StoredAccount, request: RequestKey?)
    /// `remembered`: the upstream was asked under the account's id, and a later request for the same registration has to use that
    /// id again. `endingClaim`: the upstream has refused the claim's registration for good.
    case release(AccountID, seen: Timestamp, remembered: Bool, endingClaim: Bool)
    case finish(RegistrationOutcome)
  }
}
