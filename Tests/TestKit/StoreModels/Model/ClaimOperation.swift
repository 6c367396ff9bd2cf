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

    /// The answer as the store's operation returns it.
    package func value(to operation: ClaimOperation) -> any Sendable {
      if case .end = operation { return () }
      return switch self {
      case .claim(let claim): claim as any Sendable
      case .request(let known): known as any Sendable
      case .account(let account): account as any Sendable
      case .added(let answer): answer
      case .guessed(let answer): answer
      case .counted(let counts): counts
      case .done(let isDone): isDone
      case .proved(let answer): answer
      case .changed(let account): account as any Sendable
      case .resumed(let answer): answer
      case .emailChanged(let answer): answer
      case .deleted(let answer): answer
      }
    }
  }
}
