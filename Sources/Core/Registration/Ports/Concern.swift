/// The accounts, requests, claims, mails and invitations that a change of a store is about, or that a look-up asks for.
/// While the commit of a change is in doubt (`Doubt`), the state of all of them is unknown.
package struct Concern: Sendable {
  package var ids: Set<AccountID> = []
  /// The addresses whose accounts are concerned.
  package var keys: Set<EmailKey> = []
  /// The addresses whose claims are concerned. Apart from `keys`, because a change of a claim alters no account.
  package var claimKeys: Set<EmailKey> = []
  package var requests: Set<RequestKey> = []
  package var claims: Set<ClaimID> = []
  package var mails: Set<MailID> = []
  package var invitations: Set<InvitationID> = []
  /// Whether every claim is concerned: a change may remove any of them, or any of them may alter a look-up's answer.
  package var isOfAnyClaim = false

  package init(_ key: EmailKey) { keys = [key] }

  /// The concern of a change that may remove any claim.
  package static var anyClaim: Concern {
    var all = Concern()
    all.isOfAnyClaim = true
    return all
  }

  init(request: RequestKey, anyClaim: Bool) {
    requests = [request]
    isOfAnyClaim = anyClaim
  }

  /// The concern of adding or renewing a claim. Adding a claim may remove other claims for its address.
  init(_ claim: AddressClaim, _ mails: [MailID?]) {
    self.init(claims: [claim.id], mails: mails, request: claim.request)
    claimKeys = [claim.email.key]
  }

  /// Returns a concern that covers all changes of a claim that a look-up has found, or an empty one for nil.
  static func about(_ claim: AddressClaim?) -> Concern {
    guard let claim else { return Concern() }
    var concern = Concern(claims: [claim.id])
    concern.claimKeys = [claim.email.key]
    concern.ids = [claim.account]
    return concern
  }

  /// Returns a concern that covers all changes of an account that a look-up has found, or an empty one for nil.
  static func about(_ account: StoredAccount?) -> Concern { account.map { Concern($0.account.id) } ?? Concern() }

  static func about(_ known: KnownRequest?) -> Concern { known.map { Concern($0.account.id) } ?? Concern() }

  /// Returns a concern that covers the changes that may remove a mail that a look-up has found: those about its address
  /// and its account, but not a sweep.
  static func about(_ mail: StoredMail?) -> Concern {
    guard let mail = mail?.intent else { return Concern() }
    var concern = Concern(mail.to.key)
    concern.ids = Set([mail.account].compactMap(\.self))
    return concern
  }

  /// The concern of a change of an invitation, and of its mail.
  init(invitation: InvitationID, _ mails: [MailID?] = []) {
    self.init(mails: mails)
    invitations = [invitation]
  }

  var ofAnyClaim: Concern {
    var concern = self
    concern.isOfAnyClaim = true
    return concern
  }

  /// Covers all changes that may alter this invitation, which a look-up has found. Empty for nil.
  static func about(_ invitation: Invitation?) -> Concern { invitation.map { Concern(invitation: $0.id) } ?? Concern() }

  /// The concern of a change of claims and mails.
  package init(claims: [ClaimID] = [], mails: [MailID?] = [], request: RequestKey? = nil) {
    self.claims = Set(claims)
    self.mails = Set(mails.compactMap(\.self))
    if let request { requests = [request] }
  }

  package init(_ id: AccountID, _ request: RequestKey? = nil) {
    ids = [id]
    if let request { requests = [request] }
  }

  package init(_ accounts: [StoredAccount], _ request: RequestKey? = nil) {
    ids = Set(accounts.map(\.account.id))
    keys = Set(accounts.map(\.account.email.key))
    claimKeys = keys
    if let request { requests = [request] }
  }

  /// Adds the addresses of accounts that the change alters, because the change also ends claims for these addresses.
  package func widened(_ changed: some Sequence<EmailKey>) -> Concern {
    var concern = self
    concern.keys.formUnion(changed)
    concern.claimKeys.formUnion(changed)
    return concern
  }

  /// Adds everything that another change concerns.
  package mutating func formUnion(_ other: Concern) {
    ids.formUnion(other.ids)
    keys.formUnion(other.keys)
    claimKeys.formUnion(other.claimKeys)
    requests.formUnion(other.requests)
    claims.formUnion(other.claims)
    mails.formUnion(other.mails)
    invitations.formUnion(other.invitations)
    isOfAnyClaim = isOfAnyClaim || other.isOfAnyClaim
  }

  package func overlaps(_ other: Concern) -> Bool {
    !ids.isDisjoint(with: other.ids) || !keys.isDisjoint(with: other.keys)
      || !claimKeys.isDisjoint(with: other.claimKeys)
      || !requests.isDisjoint(with: other.requests) || !claims.isDisjoint(with: other.claims)
      || !mails.isDisjoint(with: other.mails) || !invitations.isDisjoint(with: other.invitations)
      || isOfAnyClaim && !other.claims.isEmpty
      || other.isOfAnyClaim && !claims.isEmpty
  }
}

/// A change whose commit is in doubt: the database gave no valid answer. The change was done, was not done, or will
/// still be done.
package struct Doubt: Sendable {
  package let concern: Concern
  /// The change's audit entries, which the store gives to its observer if the change turns out to be done.
  package let entries: [AuditEntry]

  package init(concern: Concern, entries: [AuditEntry]) {
    self.concern = concern
    self.entries = entries
  }
}
