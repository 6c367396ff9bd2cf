internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// Rules for deleted and expired data.
  static let erasing: [Rule] = [
    Rule("deleting an account deletes its claims and mails, but not other users' claims for its address") { store in
      let owner = Fixtures.account(Stage.address)
      let id = owner.account.id
      _ = try await store.insert(owner, request: RequestKey(uid: 7, id: "one"), Stage.stamp(0))
      let gone = [
        Stage.claim(of: id, request: "two"), Stage.claim(.recovery, of: id),
        Stage.claim(.changeOfEmail, "new@example.com", of: id),
      ]
      let decoy = Stage.claim(uid: 8, state: .decoy)
      let kept = [
        Stage.claim(.registration, "new@example.com"), Stage.claim(.recovery, "other@example.com"), Stage.claim(uid: 9),
        Stage.claim(.changeOfEmail, uid: 9),
      ]
      try await store.addAll(decoy)
      for claim in gone + kept { try await store.addAll(claim) }
      let notices = [Stage.notice(), Stage.notice(.emailChanged, "old@example.com", of: id)]
      let other = Stage.notice(.passwordChanged, "other@example.com")
      for mail in notices + [other] { try await store.add(mail) }
      try same(try await store.delete(id, Stage.stamp(1)), .deleted, "delete")
      for claim in gone { try same(try await store.state(claim, at: 1), nil, "\(claim.kind) of \(claim.email.typed)") }
      for claim in kept { try same(try await store.state(claim, at: 1), .open, "\(claim.kind) of another") }
      try same(try await store.state(decoy, at: 1), .decoy, "another's decoy")
      for mail in notices { try same(try await store.find(mail: mail.id), nil, "\(mail.kind)") }
      try same(try await store.mails(after: nil, limit: 99).count, 2 + kept.count, "mails")
      try same(try await store.find(try some(RequestKey(uid: 7, id: "one"))), nil, "its request")
      try same(
        try await store.find(claimOf: try some(RequestKey(uid: 7, id: "two")), at: Stage.time(1)), nil, "a claim's")
    },
    Rule("a sweep erases the address of a deleted or released account from the audit, and keeps the entries") { store in
      let (deleted, released, kept) = (
        Fixtures.account(Stage.address), Fixtures.account("r@example.com", state: .pending),
        Fixtures.account("kept@example.com")
      )
      for account in [deleted, released, kept] { _ = try await store.insert(account) }
      _ = try await store.setPassword(of: deleted.account.id, to: PasswordHash(phc: "x"), Stage.stamp(1))
      _ = try await store.delete(deleted.account.id, Stage.stamp(10))
      _ = try await store.release(released.account.id, seen: Fixtures.time, remembered: false, Stage.stamp(20))
      let before = try await store.audit(after: 0, limit: 99)
      try same(before.allSatisfy { $0.email != nil }, true, "every entry has an address")
      for (seconds, gone) in [(10, []), (11, [deleted.account.id]), (21, [deleted.account.id, released.account.id])] {
        let isMore = try await store.sweep(at: Stage.time(30), addressesBefore: Stage.time(seconds), limit: 100)
        try same(isMore, false, "whether there is more")
        let expected = before.map { entry in
          var entry = entry
          if entry.account.map({ gone.contains($0) }) ?? false { entry.eraseAddress(store.cryptography) }
          return entry
        }
        try same(try await store.audit(after: 0, limit: 99), expected, "at \(seconds)")
        let own = expected.filter { $0.account == deleted.account.id }
        try same(try await store.audit(of: deleted.account.id, limit: 9), own, "of the account")
      }
      try same(try await store.insert(Fixtures.account(Stage.address)), .inserted, "the address, again")
      _ = try await store.sweep(at: Stage.time(90), addressesBefore: Stage.time(80), limit: 100)
      try same(try await store.audit(after: before.count, limit: 9).map(\.email), [Stage.address], "a new account's")
    },
    Rule("the origin of an audit entry is erased together with the address, and other origins are kept") { store in
      let (gone, kept) = (Fixtures.account(Stage.address), Fixtures.account("kept@example.com"))
      for account in [gone, kept] {
        let stamp = Stage.stamp(1, origin: account.account.email.typed)
        try same(try await store.insert(account, request: nil, Admission(), stamp), .inserted, "inserted")
      }
      _ = try await store.delete(gone.account.id, Stage.stamp(10, origin: Stage.address))
      func origins() async throws -> [String?] {
        try await store.audit(after: 0, limit: 9).map { $0.by?.origin?.text }
      }
      let before = [Stage.address, "kept@example.com", Stage.address]
      _ = try await store.sweep(at: Stage.time(30), addressesBefore: Stage.time(10), limit: 100)
      try same(try await origins(), before, "before its time")
      _ = try await store.sweep(at: Stage.time(30), addressesBefore: Stage.time(11), limit: 100)
      try same(try await origins(), [nil, "kept@example.com", nil], "after its time")
      try same(try await store.audit(after: 0, limit: 9).map { $0.by?.uid }, [7, 7, 7], "users")
    },
    Rule("after a change of address, a sweep erases the old address from the audit and keeps the new one") { store in
      let owner = Fixtures.account(Stage.address)
      let id = owner.account.id
      _ = try await store.insert(owner)
      let answer = try await store.changeEmail(
        of: id, from: owner.account.email.key, having: nil, to: Stage.email("new@example.com"), proving: nil, nil,
        Stage.stamp(10))
      guard case .changed = answer else { throw Broken(description: "the address was not changed: \(answer)") }
      _ = try await store.setPassword(of: id, to: PasswordHash(phc: "x"), Stage.stamp(11))
      func addresses(_ seconds: Int) async throws -> [String?] {
        _ = try await store.sweep(at: Stage.time(seconds), addressesBefore: Stage.time(seconds), limit: 9)
        return try await store.audit(of: id, limit: 9).map(\.email)
      }
      let new = "new@example.com"
      try same(try await addresses(10), [Stage.address, new, new], "at the time of the change")
      try same(try await addresses(11), [nil, new, new], "afterwards")
      _ = try await store.delete(id, Stage.stamp(20))
      try same(try await addresses(20), [nil, new, new, new], "when it is deleted")
      try same(try await addresses(21), [nil, nil, nil, nil], "in the end")
    },
    Rule("a sweep removes old ended mails in batches, and keeps waiting and recent mails and live claims") { store in
      let span = Int(MailBounds.span.components.seconds)
      var (old, waiting): ([MailIntent], [MailIntent]) = ([], [])
      for number in 0..<5 {
        let mail = Stage.notice(.passwordChanged, "n\(number)@example.com")
        let other = Stage.notice(.passwordChanged, "w\(number)@example.com")
        try await store.add(mail)
        try await store.add(other)
        _ = try await store.end(mail: mail.id, .sent, reason: nil)
        old.append(mail)
        waiting.append(other)
      }
      let recent = Stage.notice(.passwordChanged, "n@example.com", at: 1)
      try await store.add(recent)
      _ = try await store.end(mail: recent.id, .sent, reason: nil)
      let (claim, expired) = (Stage.claim(at: 1, seconds: span), Stage.claim(request: "one", seconds: span))
      try await store.addAll(claim, expired)
      var rounds = 1
      while try await store.sweep(at: Stage.time(span), addressesBefore: Stage.time(0), limit: 2) {
        rounds += 1
        guard rounds < 99 else { throw Broken(description: "the sweep does not end") }
      }
      try same(rounds >= 3, true, "the number of rounds: \(rounds)")
      for mail in old { try same(try await store.find(mail: mail.id), nil, "an ended mail") }
      for mail in waiting { try same(try await store.find(mail: mail.id)?.state, .waiting, "a waiting mail") }
      try same(try await store.find(mail: recent.id)?.state, .sent, "a recent ended mail")
      try same(try await store.find(claim.id, at: Stage.time(span)), claim, "a live claim")
      let isMore = try await store.sweep(at: Stage.time(span), addressesBefore: Stage.time(0), limit: 2)
      try same(isMore, false, "again")
      try same(try await store.find(claim.id, at: Stage.time(span)), claim, "a live claim, again")
    },
    Rule("a sweep removes each kind of record at the microsecond that SweptRecord gives") { store in
      for record in SweptRecord.allCases {
        let (time, isLeft) = try await add(record, to: store)
        for offset in [-1, 0, 1] {
          let then = time.advanced(by: .microseconds(offset))
          let now = then.advanced(by: record.span ?? .seconds(86_400))
          let before = record.span == nil ? then : Stage.time(0)
          _ = try await store.sweep(at: now, addressesBefore: before, limit: 99)
          let isOver = record.isOver(time, by: record.end(at: now, addressesBefore: before))
          if offset != 0 { try same(isOver, offset > 0, "\(record) is over at \(offset)") }
          try same(try await isLeft(), !isOver, "\(record) is left at \(offset)")
        }
      }
    },
    Rule("the audit of one account returns its latest entries and no other account's") { store in
      let owner = Fixtures.account(Stage.address)
      _ = try await store.insert(owner)
      _ = try await store.insert(Fixtures.account("other@example.com"))
      for number in 1...4 {
        _ = try await store.setEnabled(owner.account.id, number % 2 == 0, Stage.stamp(number))
      }
      let all = try await store.audit(after: 0, limit: 99).filter { $0.account == owner.account.id }
      try same(all.count, 5, "entries")
      try same(try await store.audit(of: owner.account.id, limit: 99), all, "all")
      try same(try await store.audit(of: owner.account.id, limit: 2), Array(all.suffix(2)), "the latest two")
      try same(try await store.audit(of: AccountID(at: Fixtures.time), limit: 9), [], "of a missing account")
    },
    Rule("an account and its audit entries are read as of one moment, even while the account changes") { store in
      let owner = Fixtures.account(Stage.address)
      let id = owner.account.id
      try same(try await store.history(of: id, after: 0, limit: 9), nil, "of a missing account")
      _ = try await store.insert(owner)
      _ = try await store.insert(Fixtures.account("other@example.com"))
      let before = try await store.audit(of: id, limit: 9)
      try same(
        try await store.history(of: id, after: 0, limit: 9), AccountHistory(account: owner, entries: before), "at rest")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 1...40 { _ = try await store.setEnabled(id, number % 2 == 0, Stage.stamp(number)) }
        }
        for _ in 0..<40 {
          let seen = try await store.history(of: id, after: 0, limit: 99)
          try same(seen?.entries.last?.time, seen?.account.account.updatedAt, "the time of the latest change")
        }
        try await group.waitForAll()
      }
      let all = try await store.history(of: id, after: 0, limit: 99)?.entries ?? []
      try same(all.count, 41, "entries")
      let page = try await store.history(of: id, after: all[9].number, limit: 5)?.entries
      try same(page, Array(all[10..<15]), "a page")
    },
  ]

  /// Adds a record that a sweep will remove.
  ///
  /// - Returns: The record's time, and a function that returns whether the record is left.
  private static func add(
    _ record: SweptRecord, to store: Accounts
  ) async throws -> (time: Timestamp, isLeft: @Sendable () async throws -> Bool) {
    let (email, made) = ("\(record)@example.com", Stage.time(0))
    switch record {
    case .claim:
      let claim = Stage.claim(.recovery, email, seconds: 900)
      try await store.addAll(claim)
      return (claim.expiresAt, { try await store.find(claim.id, at: made) != nil })
    case .mail:
      let mail = Stage.notice(.passwordChanged, email)
      try await store.add(mail)
      try same(try await store.end(mail: mail.id, .sent, reason: nil), true, "ended")
      return (made, { try await store.find(mail: mail.id) != nil })
    case .mailAsk:
      @Sendable func isAdmitted() async throws -> Bool {
        let mail = Stage.notice(.passwordChanged, email, isProven: false)
        try await store.add(mail)
        return try await store.find(mail: mail.id) != nil
      }
      for _ in 0..<MailBounds.perAddress { try same(try await isAdmitted(), true, "a mail") }
      return (made, { try await !isAdmitted() })
    case .wrongCode:
      let claim = Stage.claim(.recovery, email)
      try await store.addAll(claim)
      _ = try await store.guess(claim.id, Stage.guess(false), Stage.stamp(0))
      return (made, { try await store.wrongCodes(at: claim.email.key, limit: 1, made).atAddress == 1 })
    case .released:
      let (account, request) = (Fixtures.account(email, state: .pending), try some(RequestKey(uid: 7, id: email)))
      let (id, key) = (account.account.id, account.account.email.key)
      try same(try await store.insert(account, request: request, Stage.stamp(0)), .inserted, "inserted")
      try same(try await store.release(id, seen: made, remembered: true, Stage.stamp(0)), true, "released")
      return (made, { try await !store.released(request, key, at: made).isEmpty })
    case .auditAddress:
      let account = Fixtures.account(email)
      let id = account.account.id
      try same(try await store.insert(account), .inserted, "inserted")
      try same(try await store.delete(id, Stage.stamp(0)), .deleted, "deleted")
      return (made, { try await store.audit(of: id, limit: 9).first?.email != nil })
    case .invitation:
      let invitation = InvitationScene.invitation(email, seconds: 10)
      try await store.invite(invitation)
      return (invitation.expiresAt, { try await store.find(invitation: invitation.id)?.email != nil })
    }
  }
}
