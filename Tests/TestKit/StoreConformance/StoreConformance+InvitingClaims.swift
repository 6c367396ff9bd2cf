internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene
  private typealias Invited = InvitationScene

  /// Rules for claims that hold uses of invitations.
  static let holding: [Rule] = [
    Rule("a claim holds a use until it is proven, and then its account has the use") { store in
      for state in [Account.State.active, .pending, .waiting] {
        let invitation = Invited.invitation(seconds: 50)
        try await store.invite(invitation)
        let claim = Stage.claim(.registration, "\(state)@example.com")
        try same(try await store.add(claim, with: invitation, at: 0), .added, "\(state)")
        try await store.expect(invitation, used: 0, held: 1, at: 1, "\(state), claimed")
        try same(try await admitted(store, invitation, "other@example.com", at: 1), false, "\(state), another")
        try same(
          try await store.register("other@example.com", with: invitation), .invitationRejected, "\(state), another")
        try await store.expect(invitation, used: 0, held: 1, at: 60, "\(state), once the invitation has expired")
        let answer = try await store.prove(claim.id, Stage.account(claim, state, at: 61), Stage.stamp(61))
        try same(answer, .added, "\(state), proven")
        try await store.expect(invitation, used: 1, held: 0, at: 61, "\(state), proven")
      }
    },
    Rule("a claim gives its use back when it is ended, guessed too often, taken or expired") { store in
      let invitation = Invited.invitation()
      try await store.invite(invitation)
      var seconds = 0
      func free(_ what: String, _ end: (AddressClaim) async throws -> Void) async throws {
        seconds += 10
        let claim = Stage.claim(.registration, "n\(seconds)@example.com", uid: UInt32(seconds), at: seconds, seconds: 5)
        try same(try await store.add(claim, with: invitation, at: seconds), .added, what)
        try await store.expect(invitation, used: 0, held: 1, at: seconds, what)
        try same(try await admitted(store, invitation, "x@example.com", at: seconds), false, what)
        try await end(claim)
        try await store.expect(invitation, used: 0, held: 0, at: seconds, "\(what), ended")
        try same(try await admitted(store, invitation, "x@example.com", at: seconds), true, "\(what), ended")
      }
      try await free("ended") { try await store.end($0.id) }
      try await free("guessed") { claim in
        _ = try await store.guess(claim.id, Stage.guess(false, attempts: 1), Stage.stamp(seconds))
      }
      try await free("taken") { claim in _ = try await store.insert(Fixtures.account(claim.email.typed)) }
      try await free("expired") { _ in seconds += 5 }
      try same(try await store.register("last@example.com", with: invitation, at: seconds), .inserted, "in the end")
      try await store.expect(invitation, used: 1, held: 0, at: seconds, "in the end")
    },
    Rule("an expired claim holds no use, whether it has been swept or not") { store in
      let invitation = Invited.invitation(uses: 2)
      try await store.invite(invitation)
      let (first, second) = (Stage.claim(seconds: 100), Stage.claim(uid: 8, seconds: 200))
      for claim in [first, second] { try same(try await store.add(claim, with: invitation, at: 0), .added, "add") }
      for isSwept in [false, true] {
        if isSwept {
          while try await store.sweep(at: Stage.time(100), addressesBefore: Stage.time(0), limit: 1) {}
        } else {
          try await store.expect(invitation, used: 0, held: 2, at: 99, "before")
          try same(try await admitted(store, invitation, "x@example.com", at: 99), false, "before")
        }
        try await store.expect(invitation, used: 0, held: 1, at: 100, "swept: \(isSwept)")
        try same(try await admitted(store, invitation, "x@example.com", at: 100), true, "swept: \(isSwept)")
      }
      try same(try await store.register("a@example.com", with: invitation, at: 100), .inserted, "the free use")
      try same(try await store.register("b@example.com", with: invitation, at: 100), .invitationRejected, "one more")
      try same(try await store.register("b@example.com", with: invitation, at: 200), .inserted, "the other use")
      try await store.expect(invitation, used: 2, held: 0, at: 200, "in the end")
    },
    Rule("a clock that runs behind cannot prove an expired claim whose use was taken") { store in
      let invitation = Invited.invitation()
      try await store.invite(invitation)
      let claim = Stage.claim(seconds: 100)
      try same(try await store.add(claim, with: invitation, at: 0), .added, "add")
      try same(try await store.register("a@example.com", with: invitation, at: 100), .inserted, "its use")
      try same(try await store.prove(claim.id, Stage.account(claim, at: 99), Stage.stamp(99)), .gone, "proven before")
      try await store.expect(invitation, used: 1, held: 0, at: 100, "in the end")
    },
    Rule("a decoy holds a use like any other claim") { store in
      let invitation = Invited.invitation()
      try await store.invite(invitation)
      let decoy = Stage.claim(.registration, seconds: 100, state: .decoy)
      try same(try await store.add(decoy, with: invitation, at: 0), .added, "add")
      try await store.expect(invitation, used: 0, held: 1, at: 99, "held")
      try same(try await store.register("a@example.com", with: invitation), .invitationRejected, "another")
      try await store.expect(invitation, used: 0, held: 0, at: 100, "expired")
      let next = Stage.claim(.registration, "next@example.com", at: 1)
      try same(try await store.add(next, with: invitation, at: 1), .added, "taken over")
      try same(try await store.find(decoy.id, at: Stage.time(1)), nil, "the decoy")
    },
    Rule("if no use is left, a claim replaces the oldest claim of its user and origin and takes over its use") {
      store in
      let invitation = Invited.invitation(uses: 3)
      try await store.invite(invitation)
      let old = Stage.claim(.registration, "a@example.com", origin: "o", at: 2)
      let oldest = Stage.claim(.registration, "b@example.com", origin: "o", request: "b", at: 1)
      let other = Stage.claim(.registration, "c@example.com", origin: "p")
      for claim in [old, oldest, other] { try same(try await store.add(claim, with: invitation, at: 2), .added, "add") }
      for (uid, origin, isGood) in [(7, "o", true), (7, "x", false), (8, "o", false), (8, "p", false), (7, nil, false)]
      {
        let share = Share(uid: UInt32(uid), origin: origin.flatMap { Origin($0) })
        let isFound = try await admitted(store, invitation, "n@example.com", claiming: share, at: 3)
        try same(isFound, isGood, "looked up by \(uid) \(origin ?? "-")")
        guard !isGood else { continue }
        let claim = Stage.claim(.registration, "n@example.com", uid: UInt32(uid), origin: origin, at: 3)
        try same(try await store.add(claim, with: invitation, at: 3), .invitationRejected, "\(uid) \(origin ?? "-")")
      }
      try same(try await admitted(store, invitation, "n@example.com", at: 3), false, "looked up for an account")
      try same(try await store.register("n@example.com", with: invitation), .invitationRejected, "an account")
      let next = Stage.claim(.registration, "n@example.com", origin: "o", at: 3)
      try same(try await store.add(next, with: invitation, at: 3), .added, "the same share")
      let left = try await store.claims(after: nil, limit: 9, at: Stage.time(4))
      try same(Set(left.map(\.id)), [old.id, other.id, next.id], "left")
      try same(
        try await store.find(claimOf: try some(oldest.request), at: Stage.time(4)), nil, "the oldest one's request")
      try await store.expect(invitation, used: 0, held: 3, at: 4, "taken over")
      try same(try await store.prove(next.id, Stage.account(next, at: 5), Stage.stamp(5)), .added, "proven")
      try await store.expect(invitation, used: 1, held: 2, at: 5, "proven")
    },
    Rule("without an origin, a use is taken over only if the invitation has a single use") { store in
      let (one, two) = (Invited.invitation(), Invited.invitation(uses: 2))
      try await store.invite(one, two)
      let first = Stage.claim(.registration, "a@example.com")
      try same(try await store.add(first, with: one, at: 0), .added, "of one")
      for number in 1...2 {
        let claim = Stage.claim(.registration, "n\(number)@example.com")
        try same(try await store.add(claim, with: two, at: 0), .added, "of two")
      }
      let share = Share(uid: 7, origin: nil)
      try same(try await admitted(store, one, "b@example.com", claiming: share, at: 1), true, "of one, looked up")
      try same(try await admitted(store, two, "b@example.com", claiming: share, at: 1), false, "of two, looked up")
      let stranger = Stage.claim(.registration, "s@example.com", uid: 8, at: 1)
      try same(try await store.add(stranger, with: one, at: 1), .invitationRejected, "another user")
      let next = Stage.claim(.registration, "b@example.com", at: 1)
      try same(try await store.add(next, with: two, at: 1), .invitationRejected, "of two, taken over")
      try same(try await store.add(next, with: one, at: 1), .added, "of one, taken over")
      try same(try await store.find(first.id, at: Stage.time(1)), nil, "the first")
      try await store.expect(one, used: 0, held: 1, at: 1, "of one")
      try await store.expect(two, used: 0, held: 2, at: 1, "of two")
    },
    Rule("a released account returns its use to its unexpired claim, which can be proven again") { store in
      for (number, isAlive) in [true, false].enumerated() {
        let invitation = Invited.invitation()
        try await store.invite(invitation)
        let claim = Stage.claim(.registration, "n\(number)@example.com", seconds: 100)
        try same(try await store.add(claim, with: invitation, at: 0), .added, "add")
        let pending = Stage.account(claim, .pending, at: 1)
        try same(try await store.prove(claim.id, pending, Stage.stamp(1)), .added, "proven")
        try await store.expect(invitation, used: 1, held: 0, at: 1, "proven")
        try same(try await store.release(pending.account.id, seen: Stage.time(1)), true, "released")
        try await store.expect(invitation, used: 0, held: isAlive ? 1 : 0, at: isAlive ? 99 : 100, "released")
        try same(
          try await admitted(store, invitation, "x@example.com", at: isAlive ? 99 : 100), !isAlive, "for another")
        guard isAlive else { continue }
        try same(try await store.prove(claim.id, Stage.account(claim, at: 2), Stage.stamp(2)), .added, "again")
        try await store.expect(invitation, used: 1, held: 0, at: 2, "again")
      }
    },
    Rule("releasing an account after its invitation was revoked ends its claim") { store in
      let invitation = Invited.invitation()
      try await store.invite(invitation)
      let claim = Stage.claim(.registration, "a@example.com")
      try same(try await store.add(claim, with: invitation, at: 0), .added, "add")
      let pending = Stage.account(claim, .pending, at: 1)
      try same(try await store.prove(claim.id, pending, Stage.stamp(1)), .added, "proven")
      let revoked = try await store.revokeInvitation(invitation.id, Stage.stamp(2))
      try same(revoked?.used, 1, "revoked")
      try same(try await store.find(claim.id, at: Stage.time(2))?.id, claim.id, "its claim, while the account exists")
      try same(try await store.release(pending.account.id, seen: Stage.time(1)), true, "released")
      try same(try await store.find(claim.id, at: Stage.time(2)), nil, "its claim")
      try same(try await store.prove(claim.id, Stage.account(claim, at: 3), Stage.stamp(3)), .gone, "proven again")
    },
    Rule("revoking an invitation ends the claims that hold a use, except taken ones and those with an account") {
      store in
      let (invitation, another) = (Invited.invitation(uses: 5), Invited.invitation())
      try await store.invite(invitation, another)
      let (open, decoy, reserved, taken, others) = (
        Stage.claim(.registration, "o@example.com", request: "o"),
        Stage.claim(.registration, "d@example.com", state: .decoy),
        Stage.claim(.registration, "r@example.com"), Stage.claim(.registration, "t@example.com"),
        Stage.claim(.registration, "x@example.com")
      )
      for claim in [open, decoy, reserved, taken] {
        try same(try await store.add(claim, with: invitation, at: 0), .added, "add")
      }
      try same(try await store.add(others, with: another, at: 0), .added, "add")
      _ = try await store.prove(reserved.id, Stage.account(reserved, .pending, at: 1), Stage.stamp(1))
      _ = try await store.insert(Fixtures.account("t@example.com"))
      func hasOpenClaim(_ claim: AddressClaim) async throws -> Bool {
        try await store.engine.read(ChangeScope(), { _ in ChangeScope() }) { (rows) throws(StoreFailure) in
          try rows.hasOpenClaims(at: claim.email.key)
        }
      }
      try same(try await hasOpenClaim(open), true, "before, a claim that an account would end")
      let answer = try await store.revokeInvitation(invitation.id, Stage.stamp(2))
      try same(answer.map { [$0.used, $0.held] }, [1, 0], "answered")
      for (claim, state) in [
        (open, nil), (decoy, nil), (reserved, .open), (taken, .taken), (others, AddressClaim.State.open),
      ] {
        try same(try await store.state(claim, at: 3), state, claim.email.typed)
      }
      try same(try await store.find(claimOf: try some(open.request), at: Stage.time(3)), nil, "its request")
      for (claim, isOpen) in [(open, false), (reserved, true), (others, true)] {
        try same(try await hasOpenClaim(claim), isOpen, "afterwards, a claim at \(claim.email.typed)")
      }
      let activated = try await store.activate(reserved.account, Stage.stamp(3))
      try same(activated?.state, .active, "the reserved account")
      try await store.expect(invitation, used: 1, held: 0, at: 4, "in the end")
    },
    Rule("deleting an account keeps another user's claim for its address, and the use that the claim holds") { store in
      let invitation = Invited.invitation()
      try await store.invite(invitation)
      let claim = Stage.claim(.registration, "n@example.com", uid: 8)
      try same(try await store.add(claim, with: invitation, at: 0), .added, "add")
      let pending = Fixtures.account("n@example.com", state: .pending)
      _ = try await store.insert(pending)
      try same(try await store.delete(pending.account.id, Stage.stamp(1)), .deleted, "deleted")
      try same(try await store.state(claim, at: 1), .open, "the claim")
      try same(try await store.find(mail: Stage.mail(claim).id) == nil, true, "another mail")
      try same(try await store.mails(after: nil, limit: 9).map(\.intent.claim), [claim.id], "its mail")
      try await store.expect(invitation, used: 0, held: 1, at: 1, "deleted")
      try same(try await store.prove(claim.id, Stage.account(claim, at: 2), Stage.stamp(2)), .added, "proven")
    },
    Rule("a concealed claim keeps its use when its address is taken, and its user can still take the use over") {
      store in
      let invitation = Invited.invitation()
      try await store.invite(invitation)
      let claim = Stage.claim(.registration, "n@example.com", seconds: 100, isConcealed: true)
      try same(try await store.add(claim, with: invitation, at: 0), .added, "add")
      _ = try await store.insert(Fixtures.account("n@example.com"))
      try same(try await store.state(claim, at: 1), .taken, "its state")
      try await store.expect(invitation, used: 0, held: 1, at: 99, "taken")
      try same(try await admitted(store, invitation, "x@example.com", at: 99), false, "for another")
      try await store.expect(invitation, used: 0, held: 0, at: 100, "expired")
      let next = Stage.claim(.registration, "m@example.com", at: 2, isConcealed: true)
      try same(try await store.add(next, with: invitation, at: 2), .added, "taken over")
      try same(try await store.state(claim, at: 2), nil, "the claim")
      _ = try await store.revokeInvitation(invitation.id, Stage.stamp(3))
      try same(try await store.state(next, at: 3), nil, "revoked")
    },
    Rule("a claim whose mail is not admitted holds no use, and takes one when a later mail is admitted") { store in
      let invitation = Invited.invitation(uses: 50, seconds: 9000)
      try await store.invite(invitation)
      let bound = MailBounds.perAddress
      var last: AddressClaim?
      for number in 0..<bound + 9 {
        let claim = Stage.claim(.registration, at: number)
        try same(try await store.add(claim, with: invitation, at: number), .added, "claim \(number)")
        last = claim
      }
      try await store.expect(invitation, used: 0, held: bound, at: bound + 9, "held by claims with a mail")
      let unmailed = try some(try await store.find(try some(last).id, at: Stage.time(bound + 9)))
      try same([unmailed.isMailed, unmailed.hasCode], [false, false], "the last one")
      try same(unmailed.invitation, invitation.id, "its invitation")
      // an hour later the address may get mails again
      let later = 3700
      for _ in 0..<2 {
        let seen = try some(try await store.find(unmailed.id, at: Stage.time(later)))
        var renewed = seen
        renewed.generation += 1
        renewed.resendAt = seen.resendAt.advanced(by: .seconds(1))
        let isDone = try await store.renew(
          renewed, seen: seen,
          Stage.mail(Stage.claim(.registration, at: later), of: seen.id), Stage.stamp(later))
        try same(isDone, true, "renewed")
        try same(try await store.find(unmailed.id, at: Stage.time(later))?.isMailed, true, "mailed")
        try await store.expect(invitation, used: 0, held: bound + 1, at: later, "held")
      }
      let proven = try await store.prove(unmailed.id, Stage.account(unmailed, at: later), Stage.stamp(later))
      try same(proven, .added, "proven")
      try await store.expect(invitation, used: 1, held: 0, at: later, "proven")
    },
    Rule("a claim mailed only under a known client's own bound holds no use, and cannot be proven without one") {
      store in
      let invitation = Invited.invitation(uses: 50, seconds: 9000)
      try await store.invite(invitation)
      for number in 0..<MailBounds.perAddressAtMost {
        try await store.addAll(Stage.claim(uid: 9, origin: "o\(number)"))
      }
      let claim = Stage.claim(.registration, at: 1)
      let answer = try await store.add(
        claim, Stage.mail(claim, isKnown: true), invitation: invitation.id, Stage.stamp(1))
      try same(answer, .added, "added")
      try same(try await store.find(claim.id, at: Stage.time(2))?.mailed, .own, "its mail")
      try await store.expect(invitation, used: 0, held: 0, at: 2, "after it")
      try same(try await store.prove(claim.id, Stage.account(claim, at: 2), Stage.stamp(2)), .gone, "proven")
      try await store.expect(invitation, used: 0, held: 0, at: 2, "after the proof")
      let seen = try some(try await store.find(claim.id, at: Stage.time(3)))
      var renewed = seen
      renewed.resendAt = Stage.time(99)
      let mail = Stage.mail(Stage.claim(.registration, at: 3), of: claim.id, isKnown: true)
      try same(try await store.renew(renewed, seen: seen, mail, Stage.stamp(3)), true, "renewed")
      try same(try await store.find(mail: mail.id), nil, "a second mail")
      try await store.expect(invitation, used: 0, held: 0, at: 3, "after it")
    },
    Rule("a claim without a use gets no code if no use is free later, and no claim is added while none is free") {
      store in
      let invitation = Invited.invitation(uses: 1)
      try await store.invite(invitation)
      for number in 0..<MailBounds.perAddress { try await store.addAll(Stage.claim(at: number)) }
      let claim = Stage.claim(.registration, at: 20)
      try same(try await store.add(claim, with: invitation, at: 20), .added, "add")
      try await store.expect(invitation, used: 0, held: 0, at: 21, "not mailed")
      try same(try await store.register("x@example.com", with: invitation), .inserted, "another")
      let seen = try some(try await store.find(claim.id, at: Stage.time(3700)))
      var renewed = seen
      renewed.generation += 1
      let mail = Stage.mail(Stage.claim(.registration, at: 3700), of: seen.id)
      try same(try await store.renew(renewed, seen: seen, mail, Stage.stamp(3700)), true, "renewed")
      try same(try await store.find(claim.id, at: Stage.time(3700))?.isMailed, false, "mailed")
      try same(try await store.find(mail: mail.id), nil, "its mail")
      let next = Stage.claim(.registration, uid: 9, at: 21)
      try same(try await store.add(next, with: invitation, at: 21), .invitationRejected, "one more")
    },
  ]
}
