internal import JSONRPC
internal import Localization
package import Reasons
package import Registration

/// The only table that maps outcomes to errors on the wire.
package enum OutcomeReplies {
  /// The success of an operation for an account's owner.
  enum Made {
    /// `isOwners`: the caller has proven to be the account's owner.
    case account(Account, isOwners: Bool)
    /// The owner must first prove the address, with a mailed code.
    case claim(AddressClaim)
  }

  static func result(of outcome: RegistrationOutcome) -> Result<Made, RPCError> {
    switch outcome {
    case .registered(let account): .success(.account(account.proven(in: .first), isOwners: true))
    case .deferred(let account, _): .success(.account(account, isOwners: false))
    case .claimed(let claim): .success(.claim(claim))
    case .claimGone: .failure(claimNotFound)
    case .taken: .failure(taken)
    case .invitationRejected:
      .failure(RPCError(.invitationRejected, LocalizedMessage(InvitationMessageKey.rejected), field: "invitation"))
    case .conflict:
      .failure(RPCError(.requestConflict, LocalizedMessage(RequestMessageKey.conflict), field: "requestId"))
    case .obstructed(let obstacle, let isPending): .failure(error(obstacle, isPending: isPending))
    }
  }

  static func result(of outcome: ProofOutcome) -> Result<Made, RPCError> {
    switch outcome {
    case .proven(let account): .success(.account(account, isOwners: true))
    case .deferred(let account, _): .success(.account(account, isOwners: false))
    case .codeRejected(let left, let isVerified): .failure(codeRejected(left, isVerified: isVerified))
    case .gone: .failure(claimNotFound)
    case .taken: .failure(taken)
    case .obstructed(let obstacle, let isPending): .failure(error(obstacle, isPending: isPending))
    }
  }

  static func result(of outcome: ClaimOutcome) -> Result<Made, RPCError> {
    switch outcome {
    case .claimed(let claim): .success(.claim(claim))
    case .changed(let account): .success(.account(account, isOwners: true))
    case .taken: .failure(taken)
    case .gone: .failure(claimNotFound)
    case .tooSoon(let seconds): .failure(tooManyMails(seconds))
    case .refused(let refusal): .failure(error(of: refusal))
    case .obstructed(let obstacle): .failure(error(obstacle))
    }
  }

  static func result(of outcome: SignInOutcome) -> Result<Made, RPCError> {
    switch outcome {
    case .signedIn(let account): .success(.account(account, isOwners: true))
    case .refused(let refusal): .failure(error(of: refusal))
    case .obstructed(let obstacle): .failure(error(obstacle))
    }
  }

  /// Why an operation failed, in terms that every protocol can report. For doors that do not speak JSON-RPC.
  package struct Failure: Equatable, Sendable {
    package let reason: ErrorReason
    /// Seconds to wait before a repeat, if known.
    package let retryAfter: Int?

    fileprivate init(_ error: RPCError) { (reason, retryAfter) = (error.reason, error.retryAfter) }
  }

  package static func failure(of refusal: SignInRefusal) -> Failure { Failure(error(of: refusal)) }

  package static func failure(of obstacle: Obstacle) -> Failure { Failure(error(obstacle)) }

  // in the functions below, `stamps` is nil if replies have no stamps

  static func reply(to outcome: RegistrationOutcome, _ stamps: SessionStamps?) -> Reply {
    reply(result(of: outcome), stamps)
  }

  /// - Parameter terms: The current terms of use. The reply has them until the owner has accepted them.
  static func reply(to outcome: SignInOutcome, _ terms: TermsOfUse?, _ stamps: SessionStamps?) -> Reply {
    if case .signedIn(let account) = outcome, let terms, terms.version != account.terms?.version {
      return AccountReply.reply(account, stamp: stamps?.stamp(of: account), toAccept: terms)
    }
    return reply(result(of: outcome), stamps)
  }

  /// - Parameter ranges: The languages stored with the claim, in which an error's message is chosen.
  static func reply(to outcome: ProofOutcome, _ stamps: SessionStamps?, in ranges: String?) -> Reply {
    reply(result(of: outcome), stamps, in: ranges)
  }

  /// - Parameter ranges: The languages stored with the claim, in which an error's message is chosen.
  static func reply(to outcome: ClaimOutcome, _ stamps: SessionStamps? = nil, in ranges: String? = nil) -> Reply {
    reply(result(of: outcome), stamps, in: ranges)
  }

  private static func reply(
    _ result: Result<Made, RPCError>, _ stamps: SessionStamps?, in ranges: String? = nil
  ) -> Reply {
    switch result {
    case .success(.account(let account, let isOwners)):
      return AccountReply.reply(account, stamp: isOwners ? stamps?.stamp(of: account) : nil)
    case .success(.claim(let claim)): return ClaimReply.reply(claim)
    case .failure(var error):
      error.ranges = ranges
      return .error(error)
    }
  }

  /// - Parameter room: The page of an export ends after this many bytes, but has at least one entry.
  static func reply(to outcome: OwnerOutcome, _ stamps: SessionStamps? = nil, room: Int = 0) -> Reply {
    switch outcome {
    case .account(let account): AccountReply.reply(account, stamp: stamps?.stamp(of: account))
    case .exported(let account, let language, let entries, let next):
      AccountReply.reply(account, language: language, entries, next: next, room: room)
    case .deleted: .object { _ in }
    case .refused(let refusal): .error(error(of: refusal))
    case .pending: .error(pending)
    case .obstructed(let obstacle): .error(error(obstacle))
    }
  }

  static func reply(to outcome: SessionOutcome) -> Reply {
    switch outcome {
    case .present(let account): AccountReply.reply(account)
    case .ended: .error(RPCError(.sessionEnded, LocalizedMessage(SessionMessageKey.ended)))
    case .obstructed(let obstacle): .error(error(obstacle))
    }
  }

  static func reply(to outcome: AvailabilityOutcome) -> Reply {
    switch outcome {
    case .available: .object { $0.member("available", true) }
    case .unavailable: .object { $0.member("available", false) }
    case .obstructed(let obstacle): .error(error(obstacle))
    }
  }

  /// - Parameter hasTerms: Whether the reply includes the terms of use that the owner has accepted.
  static func reply(to outcome: AdministrationOutcome, withTerms hasTerms: Bool = false) -> Reply {
    switch outcome {
    case .account(let account): AccountReply.reply(account, withTerms: hasTerms)
    case .deleted: .object { _ in }
    case .notFound: .error(RPCError(.accountNotFound, LocalizedMessage(AccountMessageKey.notFound)))
    case .taken: .error(taken)
    case .waiting: .error(waiting)
    case .tooManyGroups:
      .error(
        RPCError(
          .groupsTooMany, LocalizedMessage(GroupMessageKey.tooMany, ["limit": .number(Groups.most)]), field: "groups"))
    case .unfinished(let failure): .error(error(.network(failure), isPending: true))
    case .pending: .error(pending)
    case .obstructed(let obstacle): .error(error(obstacle))
    }
  }

  static func reply(to outcome: InvitationOutcome) -> Reply {
    switch outcome {
    case .created(let invitation, let code):
      InvitationReply.reply(CountedInvitation(invitation, used: 0, held: 0), code)
    case .found(let invitation): InvitationReply.reply(invitation)
    case .notFound: .error(RPCError(.invitationNotFound, LocalizedMessage(InvitationMessageKey.notFound)))
    case .taken: .error(taken)
    case .tooManyMails(let seconds): .error(tooManyMails(seconds))
    case .obstructed(let obstacle): .error(error(obstacle))
    }
  }

  static func reply(to answer: Outbox.Answer) -> Reply {
    switch answer {
    case .done: .object { _ in }
    case .notFound: .error(RPCError(.accountNotFound, LocalizedMessage(AccountMessageKey.notWaiting)))
    case .inFlight: .error(pending)
    case .noNetwork: .error(RPCError(.networkOffline, LocalizedMessage(NetworkMessageKey.none)))
    case .obstructed(let obstacle): .error(error(obstacle))
    }
  }

  static func reply(to answer: MailQueue.Answer) -> Reply {
    switch answer {
    case .done: .object { _ in }
    case .notFound: .error(RPCError(.mailNotFound, LocalizedMessage(MailMessageKey.notFound)))
    case .obstructed(let obstacle): .error(error(obstacle))
    }
  }

  // MARK: Errors

  private static func error(of refusal: SignInRefusal) -> RPCError {
    switch refusal {
    case .rejected: RPCError(.credentialsRejected, LocalizedMessage(CredentialsMessageKey.rejected))
    case .disabled: RPCError(.accountDisabled, LocalizedMessage(AccountMessageKey.disabled))
    case .pending: pending
    case .waiting: waiting
    case .notMember: RPCError(.groupRequired, LocalizedMessage(GroupMessageKey.required))
    }
  }

  private static func tooManyMails(_ seconds: Int) -> RPCError {
    RPCError(
      .rateLimited, LocalizedMessage(RateMessageKey.mails, ["seconds": .number(seconds)]), retryable: true,
      retryAfter: seconds)
  }

  private static func codeRejected(_ left: Int, isVerified: Bool) -> RPCError {
    let sentence =
      if isVerified {
        LocalizedMessage(CodeMessageKey.verified)
      } else if left > 0 {
        LocalizedMessage(CodeMessageKey.rejected).followed(
          by: LocalizedMessage(FormMessageKey.tries, ["left": .number(left)]))
      } else {
        LocalizedMessage(CodeMessageKey.over)
      }
    var error = RPCError(.codeRejected, sentence)
    error.attemptsLeft = left
    return error
  }

  private static let pending = RPCError(.accountPending, LocalizedMessage(AccountMessageKey.pending), retryable: true)
  private static let waiting = RPCError(.accountWaiting, LocalizedMessage(AccountMessageKey.waiting))
  private static let taken = RPCError(.emailTaken, LocalizedMessage(EmailMessageKey.taken))
  static let claimNotFound = RPCError(.claimNotFound, LocalizedMessage(ClaimMessageKey.notFound))
}
