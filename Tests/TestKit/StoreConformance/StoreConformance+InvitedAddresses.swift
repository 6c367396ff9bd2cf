internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene
  private typealias Invited = InvitationScene

  /// Rules for the addresses and the mails of invitations.
  static let invitedAddresses: [Rule] = [
    Rule("an address that has an account in any state cannot be invited, and the attempt leaves nothing behind") {
      store in
      for state in Account.State.allCases {
        _ = try await store.insert(Fixtures.account("\(state)@example.com", state: state))
        let before = try await store.audit(after: 0, limit: 99)
        let invitation = Invited.invitation("\(state)@EXAMPLE.com", isMailed: true)
        let mail = Invited.mail(invitation)
        try same(try await store.add(invitation, mail, Stage.stamp(1)), .emailTaken, "\(state)")
        try same(try await store.find(invitation: invitation.id), nil, "\(state), found")
        try same(try await store.find(mail: mail.id), nil, "\(state), its mail")
        try same(try await store.audit(after: 0, limit: 99), before, "\(state), the audit")
      }
    },
    Rule("an invitation's mail counts for its address, and beyond the bound no mailed invitation is added") { store in
      for number in 1..<MailBounds.perAddress { try await store.addAll(Stage.claim(at: number)) }
      let last = Invited.invitation(Stage.address, isMailed: true)
      let mail = Invited.mail(last, at: 20)
      // Each from another origin, up to `perAddressAtMost`. Below it, a new origin would still get a mail.
      for number in MailBounds.perAddress..<MailBounds.perAddressAtMost {
        try await store.addAll(Stage.claim(origin: "o\(number)", at: 15))
      }
      try same(try await store.add(last, mail, Stage.stamp(20)), .added, "the last one")
      try same(try await store.find(mail: mail.id), StoredMail(mail), "its mail")
      let before = try await store.audit(after: 0, limit: 99)
      let (next, another) = (Invited.invitation(Stage.address, isMailed: true), Invited.invitation(Stage.address))
      let late = Invited.mail(next, at: 21)
      try same(try await store.add(next, late, Stage.stamp(21)), .tooManyMails, "the next one")
      try same(try await store.find(invitation: next.id), nil, "found")
      try same(try await store.find(mail: late.id), nil, "its mail")
      try same(try await store.audit(after: 0, limit: 99), before, "the audit")
      try same(try await store.add(another, nil, Stage.stamp(22)), .added, "without a mail")
    },
    Rule("deleting or refusing an invited account erases its invitation's address and note, and keeps the rest") {
      store in
      for state in [Account.State.active, .waiting] {
        let email = "\(state)@example.com"
        let invitation = Invited.invitation(email, note: "for \(state)", isMailed: true)
        try await store.invite(invitation)
        let account = Invited.account(email, state)
        let answer = try await store.insert(
          account, request: nil, Admission(invitation: invitation.id), Stage.stamp(1))
        try same(answer, .inserted, "\(state)")
        try same(try await store.find(invitation: invitation.id), invitation, "\(state), before")
        if state == .waiting {
          try same(try await store.refuse(account.account.id, nil, Stage.stamp(2)), true, "refused")
        } else {
          try same(try await store.delete(account.account.id, Stage.stamp(2)), .deleted, "deleted")
        }
        var expected = invitation
        (expected.email, expected.note) = (nil, nil)
        try same(try await store.find(invitation: invitation.id), expected, "\(state), afterwards")
        try same(try await store.mails(after: nil, limit: 9), [], "\(state), mails")
        try same(try await admitted(store, invitation, email, at: 3), false, "\(state), once more")
      }
    },
    Rule("a multi-use invitation keeps its note when an account is deleted, until a sweep after it has expired") {
      store in
      let choir = Invited.invitation(uses: 2, seconds: 300, note: "the choir")
      try await store.invite(choir)
      let account = Invited.account("a@example.com")
      _ = try await store.insert(account, request: nil, Admission(invitation: choir.id), Stage.stamp(1))
      try same(try await store.delete(account.account.id, Stage.stamp(2)), .deleted, "deleted")
      for (before, note) in [(300, "the choir"), (301, nil)] as [(Int, String?)] {
        while try await store.sweep(at: Stage.time(400), addressesBefore: Stage.time(before), limit: 1) {}
        try same(try await store.find(invitation: choir.id)?.note, note, "before \(before)")
      }
    },
    Rule("a multi-use invitation's note is swept once accounts have all uses and none of them is still pending") {
      store in
      let (full, half, held) = (
        Invited.invitation(uses: 3, note: "full"), Invited.invitation(uses: 2, note: "half"),
        Invited.invitation(uses: 2, note: "held")
      )
      let unsure = Invited.invitation(uses: 2, note: "unsure")
      try await store.invite(full, half, held, unsure)
      for (invitation, name) in [(full, "a"), (half, "b"), (held, "c"), (unsure, "d")] {
        try same(try await store.register("\(name)@example.com", with: invitation, at: 10), .inserted, name)
      }
      // the last use of `full` is given back, and then a claim's account has it
      let pending = Invited.account("pending@example.com", .pending)
      _ = try await store.insert(pending, request: nil, Admission(invitation: full.id), Stage.stamp(20))
      let claim = Stage.claim(.registration, "claim@example.com", at: 30)
      try same(try await store.add(claim, with: full, at: 30), .added, "the claim")
      try same(try await store.prove(claim.id, Stage.account(claim, at: 40), nil, Stage.stamp(40)), .added, "proof")
      try same(try await store.release(pending.account.id, seen: Fixtures.time), true, "released")
      let waits = Stage.claim(.registration, "waits@example.com", at: 30)
      try same(try await store.add(waits, with: held, at: 30), .added, "the claim that waits")
      let doubtful = Invited.account("doubtful@example.com", .pending)
      _ = try await store.insert(doubtful, request: nil, Admission(invitation: unsure.id), Stage.stamp(50))
      @Sendable func notes(_ before: Int) async throws -> [String] {
        while try await store.sweep(at: Stage.time(400), addressesBefore: Stage.time(before), limit: 1) {}
        return try await store.invitations(after: nil, limit: 9, at: Stage.time(400)).compactMap(\.invitation.note)
          .sorted()
      }
      try same(try await notes(300), ["full", "half", "held", "unsure"], "before the last use")
      try same(try await store.register("last@example.com", with: full, at: 100), .inserted, "the last one")
      try same(try await notes(100), ["full", "half", "held", "unsure"], "before 100")
      try same(try await notes(101), ["half", "held", "unsure"], "before 101")
      try await store.expect(full, used: 3, held: 0, at: 400, "the invitation that was used up")
      _ = try some(try await store.activate(doubtful.account.id, at: Stage.time(200)))
      try same(try await notes(300), ["half", "held"], "after its last pending account is activated")
    },
    Rule("a sweep erases the address and note of an invitation that was used up, revoked or expired before a time") {
      store in
      let (used, revoked, short, kept) = (
        Invited.invitation("used@example.com", note: "used"), Invited.invitation("revoked@example.com", note: "r"),
        Invited.invitation("short@example.com", seconds: 300), Invited.invitation("kept@example.com")
      )
      let (domain, given) = (
        Invited.invitation(domain: "example.org", seconds: 1), Invited.invitation("given@example.com")
      )
      let unsure = Invited.invitation("unsure@example.com")
      try await store.invite(used, revoked, short, kept, domain, given, unsure)
      // `unsure` keeps its address: its pending account may be released, and then only this address may use the
      // invitation
      try same(try await store.register("unsure@example.com", .pending, with: unsure), .inserted, "unsure")
      try same(try await store.register("used@example.com", with: used, at: 100), .inserted, "used")
      _ = try await store.revokeInvitation(revoked.id, Stage.stamp(200))
      let pending = Invited.account("given@example.com", .pending)
      _ = try await store.insert(pending, request: nil, Admission(invitation: given.id), Stage.stamp(50))
      _ = try await store.release(pending.account.id, seen: Fixtures.time)
      for (before, left) in [(100, 6), (101, 5), (200, 5), (201, 4), (300, 4), (301, 3)] {
        while try await store.sweep(at: Stage.time(400), addressesBefore: Stage.time(before), limit: 1) {}
        let found = try await store.invitations(after: nil, limit: 9, at: Stage.time(400)).map(\.invitation)
        try same(found.count, 7, "invitations, before \(before)")
        try same(found.count { $0.email != nil }, left, "addresses, before \(before)")
        let notes = (before > 100 ? 0 : 1) + (before > 200 ? 0 : 1)
        try same(found.count { $0.note != nil }, notes, "notes, before \(before)")
      }
      for invitation in [kept, given, domain, unsure] {
        try same(try await store.find(invitation: invitation.id), invitation, "kept")
      }
      try await store.expect(used, used: 1, held: 0, at: 400, "the invitation that was used")
    },
  ]
}
