import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  private static let new = PasswordHash(phc: "new")

  /// Rules for owners' operations on their accounts, and for the claims that these end.
  package static let owning: [Rule] = [
    Rule("only an open recovery of an active account sets its password, and other claims change and mail nothing") {
      store in
      for state in [Account.State.pending, .disabled] {
        let account = Fixtures.account("\(state)@example.com", state: state)
        let claim = Stage.claim(.recovery, account.account.email.typed, of: account.account.id)
        _ = try await store.insert(account)
        try await store.addAll(claim)
        try same(
          try await store.recover(claim.id, of: claim.account, to: new, Stage.notice(), Stage.stamp(1)), nil, "\(state)"
        )
        try same(try await store.find(account.account.id), account, "\(state) afterwards")
      }
      let owner = Fixtures.account(Stage.address)
      _ = try await store.insert(owner)
      for claim in [
        Stage.claim(.registration, of: owner.account.id), Stage.claim(.changeOfEmail, of: owner.account.id),
        Stage.claim(.recovery, of: owner.account.id, state: .proven), Stage.claim(.recovery, state: .decoy),
        Stage.claim(.recovery, of: owner.account.id, state: .decoy),
      ] {
        try await store.addAll(claim)
        let answer = try await store.recover(claim.id, of: claim.account, to: new, Stage.notice(), Stage.stamp(1))
        try same(answer, nil, "\(claim.kind) \(claim.state)")
        try same(try await store.state(claim, at: 1), claim.state, "\(claim.kind) \(claim.state) afterwards")
      }
      try same(try await store.find(owner.account.id), owner, "the account")
      let kinds = try await store.mails(after: nil, limit: 99).map(\.intent.kind)
      try same(kinds.contains(.passwordChanged), false, "a notice")
    },
    Rule("a recovery sets the password once, mails the owner, and ends the account's other claims") { store in
      let owner = Fixtures.account(Stage.address, hash: "old")
      let id = owner.account.id
      _ = try await store.insert(owner)
      let claim = Stage.claim(.recovery, of: id)
      let besides = [Stage.claim(.recovery, of: id, uid: 8), Stage.claim(.changeOfEmail, "new@example.com", of: id)]
      let others = [Stage.claim(), Stage.claim(.recovery, state: .decoy), Stage.claim(.recovery, "other@example.com")]
      for each in [claim] + besides + others { try await store.addAll(each) }
      let notice = Stage.notice(of: id, at: 5)
      let changed = try await store.recover(claim.id, of: claim.account, to: new, notice, Stage.stamp(5))
      try same(changed?.updatedAt, Stage.time(5), "updatedAt")
      let found = try await store.find(id)
      try same(found?.account, changed, "stored")
      try same(found?.passwordHash, new, "its hash")
      try same(found?.confirmedAt, Stage.time(5), "confirmedAt")
      try same(try await store.state(claim, at: 5), .proven, "the claim")
      for each in besides { try same(try await store.state(each, at: 5), nil, "another \(each.kind)") }
      for each in others { try same(try await store.state(each, at: 5), each.state, "an unrelated claim") }
      try same(try await store.find(mail: notice.id)?.state, .waiting, "the notice")
      let entry = try some(try await store.audit(after: 1, limit: 9).first)
      try same(entry.change, .passwordRecovered, "the entry")
      try same(Stamp(entry.time, by: entry.by), Stage.stamp(5), "its stamp")
      let again = try await store.recover(
        claim.id, of: claim.account, to: PasswordHash(phc: "x"), Stage.notice(), Stage.stamp(6))
      try same(again, nil, "a second time")
      try same(try await store.find(id), found, "stored")
    },
    Rule("an owner changes the password only of an active account, and only if the compared hash is still stored") {
      store in
      for state in Account.State.allCases {
        let owner = Fixtures.account("\(state)@example.com", state: state, hash: "old")
        let id = owner.account.id
        _ = try await store.insert(owner)
        let claim = Stage.claim(.recovery, owner.account.email.typed, of: id)
        try await store.addAll(claim)
        let notice = Stage.notice(.passwordChanged, owner.account.email.typed, of: id, at: 1)
        let stale = try await store.changePassword(of: id, from: new, to: new, notice, Stage.stamp(1))
        try same(stale, nil, "\(state), from another hash")
        try same(try await store.find(id), owner, "\(state), from another hash, afterwards")
        try same(try await store.state(claim, at: 1), .open, "\(state), its recovery")
        let old = owner.passwordHash
        let changed = try await store.changePassword(of: id, from: old, to: new, notice, Stage.stamp(2))
        guard state == .active else {
          try same(changed, nil, "\(state)")
          try same(try await store.find(id), owner, "\(state) afterwards")
          try same(try await store.find(mail: notice.id), nil, "\(state), a notice")
          continue
        }
        try same(changed?.updatedAt, Stage.time(2), "updatedAt")
        try same(try await store.find(id)?.passwordHash, new, "its hash")
        try same(try await store.find(id)?.confirmedAt, Stage.time(2), "confirmedAt")
        try same(try await store.state(claim, at: 2), nil, "its recovery")
        try same(try await store.find(mail: notice.id)?.state, .waiting, "the notice")
        try same(try await store.audit(of: id, limit: 1).map(\.change), [.passwordChanged], "the entry")
        let again = try await store.changePassword(of: id, from: old, to: new, nil, Stage.stamp(3))
        try same(again, nil, "a second time")
      }
    },
    Rule("an owner's request with a password that was replaced meanwhile has no effect") { store in
      let owner = Fixtures.account(Stage.address, hash: "old")
      let (id, email) = (owner.account.id, owner.account.email)
      _ = try await store.insert(owner)
      let claim = Stage.claim(.changeOfEmail, "new@example.com", of: id, hash: "old")
      let late = Stage.claim(.changeOfEmail, "late@example.com", of: id, hash: "old")
      try same(try await store.add(claim), .added, "a claim with its password")
      let changed = try some(try await store.setPassword(of: id, to: new, Stage.stamp(1)))
      try same(try await store.state(claim, at: 1), nil, "that claim")
      try same(try await store.add(late), .outdated, "a claim with the old password")
      try same(try await store.state(late, at: 1), nil, "that claim")
      try same(try await store.find(mail: Stage.mail(late).id), nil, "its mail")
      let old = owner.passwordHash
      let moved = try await store.changeEmail(
        of: id, from: email.key, having: old, to: Stage.email("late@example.com"), proving: nil, nil, Stage.stamp(2))
      try same(moved, .gone, "a change of address")
      try same(try await store.delete(id, having: old, Stage.stamp(2)), .changed, "deletion")
      try same(try await store.find(id)?.account, changed, "the account")
      try same(try await store.audit(after: 2, limit: 9), [], "entries")
      let anew = Stage.claim(.changeOfEmail, "late@example.com", of: id, hash: new.phc)
      try same(try await store.add(anew), .added, "a claim with the new password")
      try same(try await store.delete(id, having: new, Stage.stamp(3)), .deleted, "deletion with the new password")
      try same(try await store.delete(id, having: new, Stage.stamp(3)), .gone, "a second time")
      try same(try await store.add(late), .outdated, "a claim of a deleted account")
    },
    Rule("a password that an administrator sets ends the account's recoveries and changes of address") { store in
      let owner = Fixtures.account(Stage.address)
      _ = try await store.insert(owner)
      let ended = [Stage.claim(.recovery, of: owner.account.id), Stage.claim(.changeOfEmail, of: owner.account.id)]
      let other = Stage.claim(.recovery, "other@example.com")
      for claim in ended + [other] { try await store.addAll(claim) }
      _ = try await store.setPassword(of: owner.account.id, to: new, Stage.stamp(1))
      for claim in ended { try same(try await store.state(claim, at: 1), nil, "\(claim.kind)") }
      try same(try await store.state(other, at: 1), .open, "a claim at another address")
    },
    Rule("a new password or address ends every change of address that is not proven, concealed or not") { store in
      for (number, way) in ["the owner's", "an administrator's", "another address"].enumerated() {
        let owner = Fixtures.account("o\(number)@example.com", hash: "old")
        let (id, email) = (owner.account.id, owner.account.email)
        _ = try await store.insert(owner)
        let ended = [AddressClaim.State.open, .decoy, .taken].flatMap { state in
          [true, false].map {
            Stage.claim(.changeOfEmail, "\(state)\(number)@example.com", of: id, state: state, isConcealed: $0)
          }
        }
        let proven = Stage.claim(
          .changeOfEmail, "proven\(number)@example.com", of: id, state: .proven, isConcealed: true)
        let others = Stage.claim(.changeOfEmail, "decoy\(number)@example.com", state: .decoy, isConcealed: true)
        for claim in ended + [proven, others] { try await store.addAll(claim) }
        switch number {
        case 0: _ = try await store.changePassword(of: id, from: owner.passwordHash, to: new, nil, Stage.stamp(1))
        case 1: _ = try await store.setPassword(of: id, to: new, Stage.stamp(1))
        default:
          _ = try await store.changeEmail(
            of: id, from: email.key, having: nil, to: Stage.email("n\(email.typed)"), proving: nil, nil, Stage.stamp(1))
        }
        for claim in ended {
          try same(try await store.state(claim, at: 1), nil, "\(claim.state), \(way), \(claim.isConcealed)")
        }
        try same(try await store.state(proven, at: 1), .proven, "proven, \(way)")
        try same(try await store.state(others, at: 1), .decoy, "another account's, \(way)")
      }
    },
    Rule("whether the owner proved the address is stored, and each recovery and change of address updates it") {
      store in
      for (number, isProven) in [nil, false, true].enumerated() {
        var owner = Fixtures.account("o\(number)@example.com", hash: "old")
        owner.account.isProven = isProven
        let (id, email) = (owner.account.id, owner.account.email)
        func proof() async throws -> Bool? {
          let found = try some(try await store.find(id))
          return found.account.isProven
        }
        _ = try await store.insert(owner)
        try same(try await store.find(id), owner, "as it was put in")
        _ = try await store.changePassword(of: id, from: owner.passwordHash, to: new, nil, Stage.stamp(1))
        _ = try await store.setPassword(of: id, to: PasswordHash(phc: "newer"), Stage.stamp(1))
        try same(try await proof(), isProven, "after another password")
        let recovery = Stage.claim(.recovery, email.typed, of: id, at: 1)
        try await store.addAll(recovery)
        let recovered = try await store.recover(recovery.id, of: id, to: new, nil, Stage.stamp(2))
        try same(recovered?.isProven, true, "the answer of a recovery")
        try same(try await proof(), true, "after a recovery")
        let (free, claimed) = (Stage.email("n\(email.typed)"), Stage.email("m\(email.typed)"))
        _ = try await store.changeEmail(
          of: id, from: email.key, having: nil, to: free, proving: nil, nil, Stage.stamp(3))
        try same(try await proof(), false, "after a change without a code")
        let change = Stage.claim(.changeOfEmail, claimed.typed, of: id, at: 3)
        try await store.addAll(change)
        _ = try await store.changeEmail(
          of: id, from: free.key, having: nil, to: claimed, proving: change.id, nil, Stage.stamp(4))
        try same(try await proof(), true, "after a change with a code")
      }
    },
    Rule("a change of address is refused if the address is taken, or the account or claim does not match") { store in
      let owner = Fixtures.account(Stage.address)
      let (id, key) = (owner.account.id, owner.account.email.key)
      let holder = Fixtures.account("taken@example.com", state: .pending)
      _ = try await store.insert(owner)
      _ = try await store.insert(holder)
      let claim = Stage.claim(.changeOfEmail, "taken@example.com", of: id)
      let foreign = Stage.claim(.changeOfEmail, "new@example.com")
      let recovery = Stage.claim(.recovery, of: id)
      let over = Stage.claim(.changeOfEmail, "new@example.com", of: id, state: .taken)
      try await store.addAll(claim, foreign, recovery, over)
      func change(
        from old: EmailKey = key, to new: String = "new@example.com", by claim: ClaimID?, of account: AccountID = id
      ) async throws -> EmailChangeAnswer {
        try await store.changeEmail(
          of: account, from: old, having: nil, to: Stage.email(new), proving: claim, Stage.notice(.emailChanged, at: 1),
          Stage.stamp(1))
      }
      try same(try await change(to: "taken@example.com", by: claim.id), .taken, "a taken address")
      try same(try await change(from: EmailKey("old@example.com"), by: nil), .gone, "from another address")
      try same(try await change(by: nil, of: AccountID(at: Fixtures.time)), .gone, "of a missing account")
      for each in [foreign, recovery, Stage.claim(.changeOfEmail)] {
        try same(try await change(by: each.id), .gone, "by \(each.kind) \(each.state)")
      }
      try same(try await change(by: over.id), .taken, "by a taken claim")
      let pending = try await change(from: holder.account.email.key, by: nil, of: holder.account.id)
      try same(pending, .gone, "of a pending account")
      for each in [claim, foreign, recovery] { try same(try await store.state(each, at: 1), .open, "\(each.kind)") }
      try same(try await store.find(id), owner, "the account")
      try same(try await store.audit(after: 2, limit: 9), [], "entries")
      let kinds = try await store.mails(after: nil, limit: 99).map(\.intent.kind)
      try same(kinds.contains(.emailChanged), false, "a notice")
    },
    Rule("a change of address takes effect at once, frees the old address, and ends the claims for the new one") {
      store in
      let owner = Fixtures.account(Stage.address)
      let (id, old, new) = (owner.account.id, owner.account.email, Stage.email("Neu@example.com"))
      _ = try await store.insert(owner)
      let claim = Stage.claim(.changeOfEmail, new.typed, of: id)
      let besides = [Stage.claim(.recovery, of: id), Stage.claim(.changeOfEmail, "third@example.com", of: id)]
      let rival = Stage.claim(.registration, "neu@example.com", uid: 8)
      let other = Stage.claim(.registration, "third@example.com", uid: 8)
      for each in [claim, rival, other] + besides { try await store.addAll(each) }
      let notice = Stage.notice(.emailChanged, of: id, at: 5)
      let answer = try await store.changeEmail(
        of: id, from: old.key, having: nil, to: new, proving: claim.id, notice, Stage.stamp(5))
      let found = try await store.find(id)
      try same(found.map { .changed($0.account) }, answer, "the answer")
      try same(found?.account.email.typed, new.typed, "its address")
      try same(found?.account.updatedAt, Stage.time(5), "updatedAt")
      try same(found?.passwordHash, owner.passwordHash, "its hash")
      try same(try await store.find(new.key), found, "by the new key")
      try same(try await store.find(old.key), nil, "by the old key")
      for (each, state) in [(claim, AddressClaim.State?.some(.proven)), (rival, .taken), (other, .open)] {
        try same(try await store.state(each, at: 5), state, "\(each.kind) of \(each.uid)")
      }
      for each in besides { try same(try await store.state(each, at: 5), nil, "another \(each.kind)") }
      try same(try await store.find(mail: notice.id)?.state, .waiting, "the notice")
      let entry = try some(try await store.audit(after: 1, limit: 9).first)
      try same(entry.change, .emailChanged, "the entry")
      try same(entry.email, new.typed, "its address")
      try same(try await store.insert(Fixtures.account(Stage.address)), .inserted, "the old address, by another")
      let spelling = try await store.changeEmail(
        of: id, from: new.key, having: nil, to: Stage.email("NEU@example.com"), proving: nil, nil, Stage.stamp(6))
      guard case .changed(let account) = spelling, account.email.typed == "NEU@example.com" else {
        throw Broken(description: "another spelling: \(spelling)")
      }
    },
    Rule("if two accounts prove the same new address, the second one gets the answer that it is taken") { store in
      let (one, other) = (Fixtures.account("one@example.com"), Fixtures.account("other@example.com"))
      for each in [one, other] { _ = try await store.insert(each) }
      let new = Stage.email("new@example.com")
      let claims = [one, other].map { Stage.claim(.changeOfEmail, new.typed, of: $0.account.id) }
      for claim in claims { try await store.addAll(claim) }
      var answers: [EmailChangeAnswer] = []
      for (each, claim) in zip([one, other], claims) {
        answers.append(
          try await store.changeEmail(
            of: each.account.id, from: each.account.email.key, having: nil, to: new, proving: claim.id, nil,
            Stage.stamp(1)))
      }
      guard case .changed = answers[0] else { throw Broken(description: "the first: \(answers[0])") }
      try same(answers[1], .taken, "the second")
      try same(try await store.find(other.account.id), other, "its account")
    },
  ]
}
