/// The accounts, requests, claims, mails and invitations that a change of a store is about, or that a look-up asks for.
/// While the commit of a change is in doubt (`InDoubtCommit`), the state of all of them is unknown.
package struct ChangeScope: Sendable {
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

  /// The scope of a change that may remove any claim.
  package static var anyClaim: ChangeScope {
    var all = ChangeScope()
    all.isOfAnyClaim = true
    return all
  }

  init(request: RequestKey, anyClaim: Bool) {
    requests = [request]
    isOfAnyClaim = anyClaim
  }

  /// The scope of adding or renewing a claim. Adding a claim may remove other claims for its address.
  init(_ claim: AddressClaim, _ mails: [MailID?]) {
    self.init(claims: [claim.id], mails: mails, request: claim.request)
    claimKeys = [claim.email.key]
  }

  /// Returns a scope that covers all changes of a claim that a look-up has found, or an empty one for nil.
  static func about(_ claim: AddressClaim?) -> ChangeScope {
    guard let claim else { return ChangeScope() }
    var scope = ChangeScope(claims: [claim.id])
    scope.claimKeys = [claim.email.key]
    scope.ids = [claim.account]
    return scope
  }

  /// Returns a scope that covers all changes of an account that a look-up has found, or an empty one for nil.
  static func about(_ account: StoredAccount?) -> ChangeScope {
    account.map { ChangeScope($0.account.id) } ?? ChangeScope()
  }

  static func about(_ known: KnownRequest?) -> ChangeScope { known.map { ChangeScope($0.account.id) } ?? ChangeScope() }

  /// Returns a scope that covers the changes that may remove a mail that a look-up has found: those about its address
  /// and its account, but not a sweep.
  static func about(_ mail: StoredMail?) -> ChangeScope {
    guard let mail = mail?.intent else { return ChangeScope() }
    var scope = ChangeScope(mail.to.key)
    scope.ids = Set([mail.account].compactMap(\.self))
    return scope
  }

  /// The scope of a change of an invitation, and of its mail.
  init(invitation: InvitationID, _ mails: [MailID?] = []) {
    self.init(mails: mails)
    invitations = [invitation]
  }

  var ofAnyClaim: ChangeScope {
    var scope = self
    scope.isOfAnyClaim = true
    return scope
  }

  /// Covers all changes that may alter this invitation, which a look-up has found. Empty for nil.
  static func about(_ invitation: Invitation?) -> ChangeScope {
    invitation.map { ChangeScope(invitation: $0.id) } ?? ChangeScope()
  }

  /// The scope of a change of claims and mails.
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
  package func widened(_ changed: some Sequence<EmailKey>) -> ChangeScope {
    var scope = self
    scope.keys.formUnion(changed)
    scope.claimKeys.formUnion(changed)
    return scope
  }

  /// Adds everything that another change concerns.
  package mutating func formUnion(_ other: ChangeScope) {
    ids.formUnion(other.ids)
    keys.formUnion(other.keys)
    claimKeys.formUnion(other.claimKeys)
    requests.formUnion(other.requests)
    claims.formUnion(other.claims)
    mails.formUnion(other.mails)
    invitations.formUnion(other.invitations)
    isOfAnyClaim = isOfAnyClaim || other.isOfAnyClaim
  }

  package func overlaps(_ other: ChangeScope) -> Bool {
    !ids.isDisjoint(with: other.ids) || !keys.isDisjoint(with: other.keys)
      || !claimKeys.isDisjoint(with: other.claimKeys)
      || !requests.isDisjoint(with: other.requests) || !claims.isDisjoint(with: other.claims)
      || !mails.isDisjoint(with: other.mails) || !invitations.isDisjoint(with: other.invitations)
      || isOfAnyClaim && !other.claims.isEmpty
      || other.isOfAnyClaim && !claims.isEmpty
  }
}
