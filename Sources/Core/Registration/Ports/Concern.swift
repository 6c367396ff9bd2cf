/// The accounts, requests, claims of addresses and mails that a change of a store is about: their state is not known while its
/// commit is in doubt.
package struct Concern: Sendable {
  package var ids: Set<AccountID> = []
  package var keys: Set<EmailKey> = []
  package var requests: Set<RequestKey> = []
  package var claims: Set<ClaimID> = []
  package var mails: Set<MailID> = []

  /// About claims and mails.
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
    if let request { requests = [request] }
  }

  package func overlaps(_ other: Concern) -> Bool {
    !ids.isDisjoint(with: other.ids) || !keys.isDisjoint(with: other.keys)
      || !requests.isDisjoint(with: other.requests) || !claims.isDisjoint(with: other.claims)
      || !mails.isDisjoint(with: other.mails)
  }
}
