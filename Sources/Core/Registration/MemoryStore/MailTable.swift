/// Mails in memory.
struct MailTable {
  private struct Row {
    var mail: StoredMail
    var lease: (instance: String, end: ContinuousClock.Instant)?
  }

  private var rows: [MailID: Row] = [:]

  mutating func add(_ mail: MailIntent) {
    guard rows[mail.id] == nil else { return }
    let since = mail.createdAt.advanced(by: .zero - MailBounds.span)
    let others = rows.values.map(\.mail).filter { $0.intent.to.key == mail.to.key && $0.intent.createdAt > since }
    let isAdmitted = MailBounds.admits(
      sent: others.count { $0.state != .suppressed }, asked: others.count { $0.intent.share == mail.share })
    rows[mail.id] = Row(mail: StoredMail(mail, state: mail.isWanted && isAdmitted ? .waiting : .suppressed))
  }

  func waiting(_ claimant: Claimant, _ now: ContinuousClock.Instant) -> [StoredMail] {
    rows.keys.sorted().compactMap { find($0, claimant, now) }.filter { $0.state == .waiting }
  }

  func find(_ id: MailID, _ claimant: Claimant, _ now: ContinuousClock.Instant) -> StoredMail? {
    guard let row = rows[id] else { return nil }
    var mail = row.mail
    mail.isClaimedElsewhere = row.lease.map { $0.instance != claimant.instance && $0.end > now } ?? false
    return mail
  }

  mutating func lease(_ id: MailID, _ claimant: Claimant, _ now: ContinuousClock.Instant) -> StoredMail? {
    guard let mail = find(id, claimant, now), mail.state == .waiting else { return nil }
    if !mail.isClaimedElsewhere { rows[id]?.lease = (claimant.instance, now + claimant.lease) }
    return mail
  }

  mutating func putOff(_ mail: StoredMail, _ claimant: Claimant, _ now: ContinuousClock.Instant) -> Bool {
    guard let found = find(mail.intent.id, claimant, now), found.state == .waiting, !found.isClaimedElsewhere else {
      return false
    }
    var row = Row(mail: found)
    row.mail.attempts = mail.attempts
    row.mail.reason = mail.reason
    row.mail.next = mail.next
    rows[mail.intent.id] = row
    return true
  }

  mutating func end(_ id: MailID, _ state: StoredMail.State, reason: String?) -> Bool {
    guard let row = rows[id], row.mail.state == .waiting else { return false }
    rows[id]?.mail.state = state
    rows[id]?.mail.reason = reason
    rows[id]?.lease = nil
    return true
  }

  /// The account is deleted.
  mutating func forget(_ account: Account) {
    rows = rows.filter {
      $0.value.mail.intent.to.key != account.email.key && $0.value.mail.intent.account != account.id
    }
  }

  /// - Returns: Whether there may be more.
  mutating func sweep(at now: Timestamp, limit: Int) -> Bool {
    let since = now.advanced(by: .zero - MailBounds.span)
    let over = rows.values.map(\.mail).filter { $0.state != .waiting && $0.intent.createdAt <= since }.prefix(limit)
    for mail in over { rows[mail.intent.id] = nil }
    return over.count == limit
  }
}
