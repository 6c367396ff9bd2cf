internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// Rules for mails that wait to be sent.
  static let mailing: [Rule] = [
    Rule("a missing mail cannot be found, leased, put off or ended") { store in
      let mail = StoredMail(Stage.notice())
      try same(try await store.find(mail: mail.intent.id), nil, "find")
      try same(try await store.lease(mail: mail.intent.id), nil, "lease")
      try same(try await store.putOff(mail: mail), false, "putOff")
      try same(try await store.end(mail: mail.intent.id, .sent, reason: nil), false, "end")
    },
    Rule("a mail is stored unchanged, waits to be sent, and is added only once") { store in
      let claim = Stage.claim(.recovery, "Jürgen@example.com", origin: "203.0.113.9 é", language: "pt-BR")
      let mails =
        [Stage.mail(claim)] + [MailKind.registrationTried, .passwordChanged, .emailChanged].map { Stage.notice($0) }
      for mail in mails {
        for _ in 0..<2 { try await store.add(mail) }
        try same(try await store.find(mail: mail.id), StoredMail(mail), "\(mail.kind)")
      }
      let listed = try await store.mails(after: nil, limit: 9)
      try same(listed, mails.map { StoredMail($0) }.sorted { $0.intent.id < $1.intent.id }, "listed")
    },
    Rule("the pages of mails contain each waiting mail once, in the order of creation") { store in
      let mails = (0..<11).map { Stage.notice(.passwordChanged, "n\($0)@example.com", at: $0) }
      for mail in mails.shuffled() { try await store.add(mail) }
      _ = try await store.end(mail: mails[3].id, .sent, reason: nil)
      var listed: [MailID] = []
      while true {
        let page = try await store.mails(after: listed.last, limit: 4)
        listed += page.map(\.intent.id)
        if page.count < 4 { break }
      }
      try same(listed, mails.map(\.id).filter { $0 != mails[3].id }, "mails")
    },
    Rule("a failed attempt is noted with the mail until the next attempt is noted") { store in
      let mail = Stage.notice()
      try await store.add(mail)
      try same(try await store.lease(mail: mail.id), StoredMail(mail), "leased")
      let noted = StoredMail(mail, attempts: 3, reason: "deferred: 451 später", next: Stage.time(90))
      for _ in 0..<2 { try same(try await store.putOff(mail: noted), true, "put off") }
      try same(try await store.find(mail: mail.id), noted, "noted")
      try same(try await store.lease(mail: mail.id), noted, "leased again")
      let plain = StoredMail(mail, attempts: 4)
      try same(try await store.putOff(mail: plain), true, "without a reason")
      try same(try await store.find(mail: mail.id), plain, "noted")
    },
    Rule("a mail that has ended cannot be ended, put off, leased or added again") { store in
      for state in StoredMail.State.allCases where state != .waiting && state != .suppressed {
        let mail = Stage.notice(.passwordChanged, "\(state)@example.com")
        try await store.add(mail)
        _ = try await store.lease(mail: mail.id)
        try same(try await store.end(mail: mail.id, state, reason: "why"), true, "\(state)")
        let over = try await store.find(mail: mail.id)
        try same(over?.state, state, "its state")
        try same(over?.reason, "why", "its reason")
        try same(try await store.end(mail: mail.id, .sent, reason: nil), false, "\(state), again")
        try same(try await store.putOff(mail: StoredMail(mail, attempts: 9)), false, "\(state), put off")
        try same(try await store.lease(mail: mail.id), nil, "\(state), leased")
        try await store.add(mail)
        try same(try await store.find(mail: mail.id), over, "\(state), afterwards")
      }
      try same(try await store.mails(after: nil, limit: 9), [], "listed")
    },
  ]

  /// Rules for mails in a store that several regd processes have open.
  static let leases: [ConformanceRule<SharedStore>] = [
    .init("all regd share one code key and one stamp key, and the two differ") { subject in
      let (a, b) = try await subject.pair()
      try same(a.codeKey == b.codeKey && a.stampKey == b.stampKey, true, "the keys are the same")
      let (again, _) = try await subject.pair()
      try same(again.codeKey == a.codeKey && again.stampKey == a.stampKey, true, "the same after a restart")
      try same(a.codeKey == a.stampKey, false, "whether the two keys are equal")
    },
    .init("only the regd that leased a mail can lease it again or put it off, even after a restart") { subject in
      let (a, b) = try await subject.pair()
      let mail = Stage.notice()
      try await a.add(mail)
      for _ in 0..<2 { try same(try await a.lease(mail: mail.id)?.isClaimedElsewhere, false, "leased") }
      let other = try await b.lease(mail: mail.id)
      try same(other?.isClaimedElsewhere, true, "by another")
      try same(other?.intent, mail, "the mail")
      try same(try await b.putOff(mail: StoredMail(mail, attempts: 7)), false, "put off by another")
      try same(try await b.find(mail: mail.id)?.isClaimedElsewhere, true, "found by another")
      try same(try await b.mails(after: nil, limit: 9).map(\.isClaimedElsewhere), [true], "listed by another")
      try same(try await a.mails(after: nil, limit: 9).map(\.isClaimedElsewhere), [false], "listed by the leasing regd")
      let (restarted, _) = try await subject.pair()
      try same(try await restarted.lease(mail: mail.id)?.isClaimedElsewhere, false, "after a restart")
      try same(try await a.putOff(mail: StoredMail(mail, attempts: 1)), true, "put off by the leasing regd")
      try same(try await b.lease(mail: mail.id)?.isClaimedElsewhere, false, "and then leased by another")
      try same(try await a.lease(mail: mail.id)?.isClaimedElsewhere, true, "during the other's lease")
    },
    .init("another regd takes over an expired lease, and the first one can no longer put the mail off") { subject in
      for lease in [Duration.zero, .seconds(-3600)] {
        let (a, b) = try await subject.pair(lease: lease)
        let mail = Stage.notice(.passwordChanged, "\(lease)@example.com")
        try await a.add(mail)
        _ = try await a.lease(mail: mail.id)
        try same(try await b.find(mail: mail.id)?.isClaimedElsewhere, false, "found by the other")
        try same(try await b.lease(mail: mail.id)?.isClaimedElsewhere, false, "taken over")
        try same(try await a.putOff(mail: StoredMail(mail, attempts: 1)), false, "put off by the first")
        try same(try await a.lease(mail: mail.id)?.isClaimedElsewhere, true, "leased by the first")
        try same(try await b.find(mail: mail.id), StoredMail(mail), "unchanged")
      }
    },
    .init("any regd can end a mail, even while another one has leased it") { subject in
      let (a, b) = try await subject.pair()
      let mail = Stage.notice()
      try await a.add(mail)
      _ = try await a.lease(mail: mail.id)
      try same(try await b.end(mail: mail.id, .sent, reason: nil), true, "ended by another")
      try same(try await a.lease(mail: mail.id), nil, "leased")
      try same(try await a.find(mail: mail.id)?.isClaimedElsewhere, false, "its lease")
    },
  ]
}
