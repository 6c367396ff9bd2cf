package import Registration
import TestDoubles

/// The store operations that handling claims needs, as values, with their answers.
package enum ClaimOperation: Sendable {
  case findClaim(ClaimID, Timestamp)
  case findClaimOf(RequestKey, Timestamp)
  case findRequest(RequestKey)
  case findKey(EmailKey)
  case findAccount(AccountID)
  case add(AddressClaim, MailIntent, Timestamp)
  case guess(ClaimID, CodeGuess, Timestamp)
  case wrongCodes(EmailKey, limit: Int, Timestamp)
  case renew(AddressClaim, seen: AddressClaim, MailIntent?, Timestamp)
  case end(ClaimID)
  case prove(ClaimID, StoredAccount, Timestamp)
  case activate(AccountID, Timestamp)
  case resume(AccountID, seen: Timestamp, at: Timestamp)
  case release(AccountID, seen: Timestamp, endingClaim: Bool)
  case recover(ClaimID, PasswordHash, SessionEpoch, MailIntent?, Timestamp)
  case changePassword(AccountID, from: PasswordHash, to: PasswordHash, SessionEpoch, MailIntent?, Timestamp)
  case changeEmail(AccountID, from: EmailKey, PasswordHash?, to: EmailAddress, ClaimID?, MailIntent?, Timestamp)
  case delete(AccountID, PasswordHash?)

  package enum Answer: Equatable, Sendable {
    case claim(AddressClaim?)
    case request(KnownRequest?)
    case account(StoredAccount?)
    case added(ClaimAnswer)
    case guessed(GuessAnswer)
    case counted(WrongCodes)
    case done(Bool)
    case proved(ProofAnswer)
    case changed(Account?)
    case resumed(ResumeAnswer)
    case emailChanged(EmailChangeAnswer)
    case deleted(DeleteAnswer)
  }
}
