internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene
  private typealias Invited = InvitationScene

  /// Rules for invitations that make accounts.
  static let inviting: [Rule] = [
    Rule("an invitation is stored unchanged, and its audit entry has neither an account nor an address") { store in
      let invitations = [
        Invited.invitation("Jürgen@example.com", note: "für „J“\n", isMailed: true),
        Invited.invitation(domain: "xn--bcher-kva.example", uses: Invitation.mostUses), Invited.invitation(at: -9),
      ].sorted { $0.id < $1.id }
      let by = Stage.stamp(0, uid: 0, origin: "an origin")
      for invitation in invitations {
        let mail = invitation.isMailed ? Invited.mail(invitation) : nil
        try same(try await store.add(invitation, mail, by), .added, "add")
        try same(try await store.find(invitation: invitation.id), invitation, "by id")
        if let mail { try same(try await store.find(mail: mail.id), StoredMail(mail), "its mail") }
      }
      let counted = invitations.map { CountedInvitation($0, used: 0, held: 0) }
      try same(try await store.invitations(after: nil, limit: 9, at: Stage.time(1)), counted, "listed")
      try same(try await store.invitations(after: nil, limit: 2, at: Stage.time(1)), Array(counted[..<2]), "a page")
      let rest = try await store.invitations(after: counted[1].invitation.id, limit: 2, at: Stage.time(1))
      try same(rest, [counted[2]], "the next page")
      let entries = try await store.audit(after: 0, limit: 9)
      try same(entries.map(\.change), Array(repeating: .invitationCreated, count: 3), "changes")
      try same(entries.map(\.invitation), invitations.map(\.id), "invitations")
      try same(entries.map(\.account), [nil, nil, nil], "accounts")
      try same(entries.map(\.email), [nil, nil, nil], "addresses")
      try same(entries.map(\.by), [by.by, by.by, by.by], "requesters")
    },
    Rule("a missing invitation admits no address, creates nothing and cannot be revoked") { store in
      let invitation = Invited.invitation()
      try same(try await admitted(store, invitation, "a@example.com", at: 1), false, "admitted")
      try same(try await store.find(invitation: invitation.id), nil, "found")
      try same(try await store.register("a@example.com", with: invitation), .invitationRejected, "an account")
      try same(try await store.add(Stage.claim(), with: invitation, at: 1), .invitationRejected, "a claim")
      try same(try await store.revokeInvitation(invitation.id, Stage.stamp(1)), nil, "revoked")
      try same(try await store.list(after: nil, limit: 9), [], "accounts")
      try same(try await store.claims(after: nil, limit: 9, at: Stage.time(1)), [], "claims")
      try same(try await store.mails(after: nil, limit: 9), [], "mails")
      try same(try await store.audit(after: 0, limit: 9), [], "audit")
    },
    Rule("each use allows one account, and a registration beyond the last use leaves nothing behind") { store in
      for state in [Account.State.active, .pending, .waiting] {
        let invitation = Invited.invitation(uses: 2)
        try await store.invite(invitation)
        for number in 1...2 {
          try same(
            try await store.register("\(state)\(number)@example.com", state, with: invitation), .inserted, "\(state)")
          try await store.expect(invitation, used: number, held: 0, at: 1, "\(state), \(number)")
        }
        let before = try await store.audit(after: 0, limit: 99)
        let (late, notice) = (
          Invited.account("late@example.com", state), Stage.notice(.accountWaiting, "late@example.com")
        )
        let request = try some(RequestKey(uid: 7, id: "late"))
        let admission = Admission(invitation: invitation.id, notice: notice)
        let answer = try await store.insert(late, request: request, admission, Stage.stamp(2))
        try same(answer, .invitationRejected, "the third of \(state)")
        try same(try await store.find(late.account.email.key), nil, "its account")
        try same(try await store.find(request), nil, "its request")
        try same(try await store.find(mail: notice.id), nil, "its mail")
        try same(try await store.audit(after: 0, limit: 99), before, "the audit")
        try same(try await store.pending(after: nil, limit: 9).contains { $0.stored == late }, false, "pending")
      }
    },
    Rule("of twenty simultaneous registrations with an invitation for three uses, exactly three succeed") { store in
      let invitation = Invited.invitation(uses: 3)
      try await store.invite(invitation)
      let answers = try await withThrowingTaskGroup(of: InsertAnswer.self) { group in
        for number in 0..<20 {
          group.addTask { try await store.register("n\(number)@example.com", with: invitation) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try same(answers.count { $0 == .inserted }, 3, "inserted")
      try same(answers.count { $0 == .invitationRejected }, 17, "rejected")
      try same(try await store.list(after: nil, limit: 99).count, 3, "accounts")
      try await store.expect(invitation, used: 3, held: 0, at: 1, "afterwards")
    },
    Rule("of simultaneous claims and registrations with a single-use invitation, one gets the use") { store in
      for round in 0..<8 {
        let invitation = Invited.invitation()
        try await store.invite(invitation)
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
          for number in 0..<8 {
            let email = "r\(round)n\(number)@example.com"
            group.addTask {
              guard number % 2 == 0 else { return try await store.register(email, with: invitation) == .inserted }
              let claim = Stage.claim(.registration, email, uid: UInt32(100 + number), at: 1)
              return try await store.add(claim, with: invitation, at: 1) == .added
            }
          }
          return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        try same(count, 1, "round \(round)")
        let found = try some(try await store.counted(invitation, at: 1))
        try same(found.used + found.held, 1, "used or held in round \(round)")
      }
    },
    Rule("a repeated request and a taken address consume no use of an invitation") { store in
      let invitation = Invited.invitation(uses: 2)
      try await store.invite(invitation)
      let (account, request) = (Invited.account("a@example.com"), try some(RequestKey(uid: 7, id: "one")))
      func insert(_ account: StoredAccount, _ request: RequestKey?) async throws -> InsertAnswer {
        try await store.insert(account, request: request, Admission(invitation: invitation.id), Stage.stamp(1))
      }
      try same(try await insert(account, request), .inserted, "the first time")
      let known = try some(try await store.find(request))
      try same(try await insert(Invited.account("a@example.com"), request), .requestKnown(known), "again")
      try same(try await insert(Invited.account("A@example.com"), nil), .taken(account), "a taken address")
      try await store.expect(invitation, used: 1, held: 0, at: 1, "afterwards")
      _ = try await store.revokeInvitation(invitation.id, Stage.stamp(2))
      try same(try await insert(Invited.account("a@example.com"), request), .requestKnown(known), "once revoked")
    },
    Rule("an invitation that is expired, revoked or for another address or domain admits no claim and no account") {
      store in
      let (invited, domain) = (
        Invited.invitation("Name@example.com"), Invited.invitation(domain: "example.org", uses: 9)
      )
      let (short, revoked) = (Invited.invitation(uses: 9, seconds: 100), Invited.invitation(uses: 9))
      try await store.invite(invited, domain, short, revoked)
      _ = try await store.revokeInvitation(revoked.id, Stage.stamp(1))
      let cases: [(Invitation, String, Int, isGood: Bool)] = [
        (invited, "other@example.com", 1, false), (invited, "name@example.org", 1, false),
        (domain, "a@example.com", 1, false), (domain, "a@sub.example.org", 1, false),
        (domain, "a@xexample.org", 1, false),
        (short, "b@example.com", 100, false), (revoked, "c@example.com", 2, false),
        (invited, "NAME@example.com", 1, true), (domain, "A@Example.org", 1, true), (short, "b@example.com", 99, true),
      ]
      for (invitation, email, seconds, isGood) in cases {
        let what = "\(email) at \(seconds)"
        try same(try await admitted(store, invitation, email, at: seconds), isGood, "\(what), looked up")
        let claim = Stage.claim(.registration, email, uid: 9, at: seconds, seconds: 10)
        let claimed = try await store.add(claim, with: invitation, at: seconds)
        try same(claimed, isGood ? .added : .invitationRejected, "\(what), a claim")
        try await store.end(claim.id)
        let answer = try await store.register(email, with: invitation, at: seconds)
        try same(answer, isGood ? .inserted : .invitationRejected, "\(what), an account")
      }
      let last = Timestamp(microseconds: Stage.time(100).microseconds - 1)
      let found = try await store.admittance(short.digest, Stage.email("d@example.com"), claiming: nil, at: last)
      try same(found, .admitted(short), "in its last microsecond")
    },
    Rule("a released registration gives its use back, and a deleted or refused account does not") { store in
      let invitation = Invited.invitation(uses: 3)
      try await store.invite(invitation)
      let (pending, waiting, active) = (
        Invited.account("p@example.com", .pending), Invited.account("w@example.com", .waiting),
        Invited.account("a@example.com")
      )
      for account in [pending, waiting, active] {
        let answer = try await store.insert(
          account, request: nil, Admission(invitation: invitation.id), Stage.stamp(1))
        try same(answer, .inserted, "\(account.account.state)")
      }
      try same(try await admitted(store, invitation, "n@example.com", at: 2), false, "used up")
      try same(try await store.release(pending.account.id, seen: Fixtures.time), true, "released")
      try await store.expect(invitation, used: 2, held: 0, at: 2, "released")
      try same(try await admitted(store, invitation, "n@example.com", at: 2), true, "given back")
      try same(try await store.register("n@example.com", with: invitation), .inserted, "the next")
      try same(try await store.refuse(waiting.account.id, nil, Stage.stamp(3)), true, "refused")
      try same(try await store.delete(active.account.id, Stage.stamp(3)), .deleted, "deleted")
      try await store.expect(invitation, used: 3, held: 0, at: 4, "refused and deleted")
      try same(try await store.register("m@example.com", with: invitation), .invitationRejected, "beyond the last use")
    },
    Rule("revoking an invitation keeps its accounts, and a repeat changes nothing and gets the same answer") { store in
      let invitation = Invited.invitation(uses: 3)
      try await store.invite(invitation)
      try await store.register("a@example.com", with: invitation)
      var expected = invitation
      expected.revokedAt = Stage.time(5)
      for seconds in [5, 6] {
        let answer = try await store.revokeInvitation(invitation.id, Stage.stamp(seconds))
        try same(answer, CountedInvitation(expected, used: 1, held: 0), "at \(seconds)")
      }
      try same(try await store.find(invitation: invitation.id), expected, "found")
      try same(try await store.list(after: nil, limit: 9).count, 1, "accounts")
      let entries = try await store.audit(after: 0, limit: 9).filter { $0.change == .invitationRevoked }
      try same(entries.map(\.invitation), [invitation.id], "entries")
      try same(entries.map(\.account), [nil], "an account")
    },
  ]

  /// Whether the store lets this address register with the invitation. Fails if the store finds another invitation.
  static func admitted(
    _ store: Accounts, _ invitation: Invitation, _ email: String, claiming share: Share? = nil, at seconds: Int
  ) async throws -> Bool {
    let found = try await store.admittance(
      invitation.digest, Stage.email(email), claiming: share, at: Stage.time(seconds))
    if let found = found.invitation { try same(found.id, invitation.id, "the invitation that was found") }
    return found.admitted != nil
  }
}
