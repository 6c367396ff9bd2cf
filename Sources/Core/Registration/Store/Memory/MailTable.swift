/// Mails in memory.
struct MailTable {
  private struct Row {
    var mail: StoredMail
    var lease: (instance: String, end: ContinuousClock.Instant)?
  }

  /// A request for a mail, kept to be counted for `MailBounds`.
  private struct Ask {
    let counter: MailCounter
    let part: MailBounds.Part
    var time: Timestamp
  }

  private var rows: [MailID: Row] = [:]
  /// The requests in the order in which they were made.
  private var asks: [Ask] = []

  /// Adds a mail, if `MailBounds` admit it.
  ///
  /// - Parameter isKnown: Returns whether the user and origin of the mail are known at the address
  ///   (`MailIntent.isKnown`).
  /// - Returns: The bound that admits the mail, or nil if the mail is not admitted. The bound is `shared` for a mail
  ///   that is not bounded or was already in the table.
  mutating func add(_ mail: MailIntent, _ key: CodeKey, isKnown: () -> Bool) -> MailBounds.Part? {
    guard rows[mail.id] == nil else { return .shared }
    var part = MailBounds.Part.shared
    if mail.isBounded {
      let (counter, now) = (MailCounter(mail, key), mail.createdAt)
      // times in the future, written by a clock that was ahead, count as now
      for index in asks.indices where asks[index].counter.address == counter.address && asks[index].time > now {
        asks[index].time = now
      }
      let others = asks.filter {
        $0.counter.address == counter.address && $0.time > now.advanced(by: .zero - MailBounds.span)
      }
      let own = others.filter { $0.counter.share == counter.share }
      let counts = MailBounds.Counts(
        sent: others.count { $0.part == .shared }, asked: own.count { $0.part == .shared },
        own: own.count { $0.part == .own })
      guard let admitting = MailBounds.part(counts, isKnown: isKnown) else { return nil }
      part = admitting
      asks.append(Ask(counter: counter, part: part, time: now))
    }
    rows[mail.id] = Row(mail: StoredMail(mail.kept))
    return part
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

  mutating func lease(_ id: MailID, _ claimant: Claimant, _ now: ContinuousClock.Instant) {
    rows[id]?.lease = (claimant.instance, now + claimant.lease)
  }

  mutating func putOff(_ mail: StoredMail) {
    rows[mail.intent.id]?.lease = nil
    rows[mail.intent.id]?.mail.attempts = mail.attempts
    rows[mail.intent.id]?.mail.reason = mail.reason
    rows[mail.intent.id]?.mail.next = mail.next
  }

  mutating func end(_ id: MailID, _ state: StoredMail.State, reason: String?) {
    guard state != .suppressed else {
      rows[id] = nil
      return
    }
    rows[id]?.mail.state = state
    rows[id]?.mail.reason = reason
    rows[id]?.lease = nil
  }

  /// Removes the mails to or about an account that is being deleted.
  mutating func forget(_ account: Account) {
    rows = rows.filter { _, row in
      let mail = row.mail.intent
      return mail.account != account.id && (mail.to.key != account.email.key || mail.claim != nil)
    }
  }

  /// Removes waiting mails of claims that have expired, because their codes no longer work.
  mutating func forget(claims: Set<ClaimID>) {
    rows = rows.filter { _, row in
      row.mail.state != .waiting || !(row.mail.intent.claim.map { claims.contains($0) } ?? false)
    }
  }

  /// Removes old mails that no longer wait.
  ///
  /// - Returns: How many, at most `limit`.
  mutating func sweep(limit: Int, _ isOver: (Timestamp) -> Bool) -> Int {
    let over = rows.values.map(\.mail).filter { $0.state != .waiting && isOver($0.intent.createdAt) }.prefix(limit)
    for mail in over { rows[mail.intent.id] = nil }
    return over.count
  }

  /// Removes requests that no longer count. Times in the future become `now`.
  ///
  /// - Returns: How many, at most `limit`.
  mutating func sweepAsks(at now: Timestamp, limit: Int, _ isOver: (Timestamp) -> Bool) -> Int {
    for index in asks.indices { asks[index].time = min(asks[index].time, now) }
    let old = asks.enumerated().filter { index, ask in
      isOver(ask.time) || index < asks.count - MailBounds.counted
    }.prefix(limit).map(\.offset)
    for index in old.reversed() { asks.remove(at: index) }
    return old.count
  }
}
