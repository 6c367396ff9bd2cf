package import Registration
import TestDoubles

/// A model of claims and their accounts, as a value: gives the answers that every store must give, in as little code as
/// possible. Bounds that random runs do not reach are left out.
package struct ClaimModel: Sendable {
  package private(set) var claims: [ClaimID: AddressClaim] = [:]
  package private(set) var accounts: [AccountID: StoredAccount] = [:]
  /// The mails in the order in which they were made, in any state.
  package internal(set) var mails: [StoredMail] = []
  package private(set) var wrong: [WrongCode] = []
  private var requests: [RequestKey: KnownRequest] = [:]
  var asks: [Ask] = []
  /// The share (user and origin) that registered each account by proving its address.
  var registrants: [AccountID: Share] = [:]

  package struct WrongCode: Hashable, Sendable {
    package let key: EmailKey
    package let time: Timestamp
  }

  package init() {}

  /// Applies an operation, and returns the answer that every store must give.
  package mutating func apply(_ operation: ClaimOperation) -> ClaimOperation.Answer {
    switch operation {
    case .findClaim(let id, let now): .claim(living(id, now))
    case .findClaimOf(let request, let now):
      .claim(claims.values.first { $0.request == request && $0.expiresAt > now })
    case .findRequest(let request): .request(known(request))
    case .findKey(let key): .account(holder(of: key))
    case .findAccount(let id): .account(accounts[id])
    case .add(let claim, let mail, let now): .added(add(claim, mail, now))
    case .guess(let id, let guess, let now): .guessed(self.guess(id, guess, now))
    case .wrongCodes(let key, let limit, let now): .counted(count(at: key, limit, now))
    case .renew(let claim, let seen, let mail, let now): .done(renew(claim, seen, mail, now))
    case .end(let id): .done(end(id))
    case .prove(let id, let account, let now): .proved(prove(id, account, now))
    case .activate(let id, let now): .changed(activate(id, now))
    case .resume(let id, let seen, let mark): .resumed(resume(id, seen, mark))
    case .release(let id, let seen, let endingClaim): .done(release(id, seen, endingClaim))
    case .recover(let id, let hash, let epoch, let mail, let now): .changed(recover(id, hash, epoch, mail, now))
    case .changePassword(let id, let old, let new, let epoch, let mail, let now):
      .changed(changePassword(id, old, new, epoch, mail, now))
    case .changeEmail(let id, let old, let hash, let new, let claim, let mail, let now):
      .emailChanged(changeEmail(id, old, hash, new, claim, mail, now))
    case .delete(let id, let hash): .deleted(delete(id, hash))
    }
  }

  /// Ends a mail because the mail system has accepted it or it is no longer needed.
  package mutating func end(mail id: MailID, _ state: StoredMail.State) {
    for index in mails.indices where mails[index].intent.id == id { mails[index].state = state }
  }

  /// Adds an account that existed before the first operation.
  package mutating func add(_ account: StoredAccount) { accounts[account.account.id] = account }

  package func holder(of key: EmailKey) -> StoredAccount? { accounts.values.first { $0.account.email.key == key } }

  private func living(_ id: ClaimID, _ now: Timestamp) -> AddressClaim? {
    claims[id].flatMap { $0.expiresAt > now ? $0 : nil }
  }

  /// Ends a claim. Always returns true, because stores do not report whether the claim existed.
  private mutating func end(_ id: ClaimID) -> Bool {
    claims[id] = nil
    return true
  }

  private func known(_ request: RequestKey) -> KnownRequest? {
    guard let known = requests[request], let found = accounts[known.account.id] else { return nil }
    return KnownRequest(account: found.account, passwordHash: known.passwordHash)
  }

  private mutating func add(_ claim: AddressClaim, _ mail: MailIntent, _ now: Timestamp) -> ClaimAnswer {
    if let request = claim.request {
      if let other = claims.values.first(where: { $0.request == request && $0.expiresAt > now }) {
        return .requestKnown(other)
      }
      if let known = known(request) { return .requestHasAccount(known) }
    }
    if claim.kind == .changeOfEmail, claim.passwordHash != nil {
      guard let found = accounts[claim.account], found.account.state == .active,
        found.passwordHash == claim.passwordHash
      else { return .outdated }
    }
    var claim = claim
    claim.mailed = write(mail)
    claims[claim.id] = claim
    return .added
  }

  private mutating func guess(_ id: ClaimID, _ guess: CodeGuess, _ now: Timestamp) -> GuessAnswer {
    guard let claim = living(id, now) else { return .gone }
    guard claim.generation == guess.generation else { return .outdated }
    if guess.isRight { return .right(claim) }
    wrong.append(WrongCode(key: claim.email.key, time: now))
    let attempts = claim.attempts + 1
    claims[id]?.attempts = attempts
    if attempts >= guess.attempts { claims[id] = nil }
    return .wrong(attemptsLeft: max(0, guess.attempts - attempts))
  }

  private func count(at key: EmailKey, _ limit: Int, _ now: Timestamp) -> WrongCodes {
    WrongCodes(
      atAddress: min(limit, wrong.count { $0.key == key && $0.time > now.advanced(by: .zero - CodeBounds.span) }),
      overAll: min(CodeBounds.all, wrong.count { $0.time > now.advanced(by: .zero - CodeBounds.spanOfAll) }))
  }

  private mutating func renew(
    _ claim: AddressClaim, _ seen: AddressClaim, _ mail: MailIntent?, _ now: Timestamp
  ) -> Bool {
    guard let found = living(claim.id, now), found.generation == seen.generation, found.resendAt == seen.resendAt else {
      return false
    }
    if mail != nil {
      let earlier = found.generation == claim.generation ? found.mailed : nil
      let part = write(mail)
      claims[claim.id]?.mailed = earlier == .shared ? earlier : part ?? earlier
    }
    claims[claim.id]?.generation = claim.generation
    claims[claim.id]?.digits = claim.digits
    claims[claim.id]?.codeUntil = claim.codeUntil
    claims[claim.id]?.resendAt = claim.resendAt
    return true
  }

  private mutating func prove(_ id: ClaimID, _ account: StoredAccount, _ now: Timestamp) -> ProofAnswer {
    guard let claim = living(id, now), claim.kind == .registration else { return .gone }
    if let holder = holder(of: account.account.email.key) ?? accounts[account.account.id] {
      if holder.account.id == account.account.id, holder.account.state != .pending { endClaims(for: holder.account) }
      return .taken(holder)
    }
    guard claim.state == .open else { return .gone }
    if let known = claim.request.flatMap({ known($0) }), let found = accounts[known.account.id] { return .taken(found) }
    accounts[account.account.id] = account
    registrants[account.account.id] = claim.share
    if let request = claim.request {
      requests[request] = KnownRequest(account: account.account, passwordHash: account.passwordHash)
    }
    if account.account.state != .pending { endClaims(for: account.account) }
    return .added
  }

  private mutating func endClaims(for account: Account) {
    for claim in claims.values where claim.email.key == account.email.key && claim.state == .open {
      guard claim.kind != .recovery else { continue }
      let isOwn = claim.kind == .registration && claim.account == account.id
      claims[claim.id]?.state = isOwn ? .proven : .taken
    }
  }

  /// Ends unproven recoveries and changes of address, because the password or the address changes.
  private mutating func endRest(of account: AccountID) {
    claims = claims.filter {
      $0.value.account != account || $0.value.state == .proven || $0.value.kind == .registration
    }
  }
}

extension ClaimModel {
  private mutating func change(_ id: AccountID, _ now: Timestamp, _ body: (inout StoredAccount) -> Void) -> Account? {
    guard var found = accounts[id] else { return nil }
    body(&found)
    found.account.updatedAt = max(found.account.updatedAt, now)
    accounts[id] = found
    return found.account
  }

  private mutating func activate(_ id: AccountID, _ now: Timestamp) -> Account? {
    guard let found = accounts[id]?.account, [.active, .pending].contains(found.state) else { return nil }
    endClaims(for: found)
    return found.state == .active ? found : change(id, now) { $0.account.state = .active }
  }

  private mutating func resume(_ id: AccountID, _ seen: Timestamp, _ mark: Timestamp) -> ResumeAnswer {
    guard let found = accounts[id]?.account, found.state == .pending, found.updatedAt == seen else { return .gone }
    _ = change(id, mark) { _ in }
    return .resumed
  }

  private mutating func release(_ id: AccountID, _ seen: Timestamp, _ endingClaim: Bool) -> Bool {
    guard let found = accounts[id]?.account, found.state == .pending, found.updatedAt == seen else { return false }
    accounts[id] = nil
    requests = requests.filter { $0.value.account.id != id }
    if endingClaim {
      claims = claims.filter { $1.account != id || $1.kind != .registration || $1.state != .open }
    }
    return true
  }

  private mutating func recover(
    _ id: ClaimID, _ hash: PasswordHash, _ epoch: SessionEpoch, _ mail: MailIntent?, _ now: Timestamp
  ) -> Account? {
    guard let claim = living(id, now), claim.kind == .recovery, claim.state == .open,
      accounts[claim.account]?.account.state == .active
    else { return nil }
    claims[id]?.state = .proven
    endRest(of: claim.account)
    write(mail)
    return change(claim.account, now) {
      $0.set(hash, epoch, now)
      $0.account.isProven = true
    }
  }

  private mutating func changePassword(
    _ id: AccountID, _ old: PasswordHash, _ new: PasswordHash, _ epoch: SessionEpoch, _ mail: MailIntent?,
    _ now: Timestamp
  ) -> Account? {
    guard let found = accounts[id], found.passwordHash == old, found.account.state == .active else { return nil }
    endRest(of: id)
    write(mail)
    return change(id, now) { $0.set(new, epoch, now) }
  }

  private mutating func changeEmail(
    _ id: AccountID, _ old: EmailKey, _ hash: PasswordHash?, _ new: EmailAddress, _ claim: ClaimID?,
    _ mail: MailIntent?, _ now: Timestamp
  ) -> EmailChangeAnswer {
    if let claim {
      guard let found = living(claim, now), found.kind == .changeOfEmail, found.account == id else { return .gone }
      guard found.state != .taken else { return .taken }
      guard found.state == .open else { return .gone }
    }
    guard let found = accounts[id]?.account, found.email.key == old, found.state == .active else { return .gone }
    if let hash, hash != accounts[id]?.passwordHash { return .gone }
    if let holder = holder(of: new.key), holder.account.id != id { return .taken }
    if let claim { claims[claim]?.state = .proven }
    endRest(of: id)
    write(mail)
    guard let changed = change(id, now, { ($0.account.email, $0.account.isProven) = (new, claim != nil) }) else {
      return .gone
    }
    endClaims(for: changed)
    return .changed(changed)
  }

  private mutating func delete(_ id: AccountID, _ hash: PasswordHash?) -> DeleteAnswer {
    if let hash, let found = accounts[id], found.passwordHash != hash { return .changed }
    guard let account = accounts.removeValue(forKey: id)?.account else { return .gone }
    claims = claims.filter { $0.value.account != id && $0.value.email.key != account.email.key }
    mails.removeAll { $0.intent.to.key == account.email.key || $0.intent.account == id }
    requests = requests.filter { $0.value.account.id != id }
    return .deleted
  }
}

extension StoredAccount {
  fileprivate mutating func set(_ hash: PasswordHash, _ epoch: SessionEpoch, _ now: Timestamp) {
    passwordHash = hash
    account.epoch = epoch
    confirmedAt = now
  }
}
