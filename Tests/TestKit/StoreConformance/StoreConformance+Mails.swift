internal import Registration
package import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// Rules for mails that wait to be sent.
  static let mailing: [Rule] = [
    Rule("a mail that is not there is not found, leased, put off or ended") { store in
      let mail = StoredMail(Stage.notice())
      try same(try await store.find(mail: mail.intent.id), nil, "find")
      try same(try await store.lease(mail: mail.intent.id), nil, "lease")
      try same(try await store.putOff(mail: mail), false, "putOff")
      try same(try await store.end(mail: mail.intent.id, .sent, reason: nil), false, "end")
    },
    Rule("a mail comes back as it was put in, waits, and is added once") { store in
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
    Rule("pages of mails are all that wait once each, in the order of their making") { store in
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
    Rule("a try that has failed is noted, and ends the lease; what was noted stays until the next one") { store in
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
    Rule("a mail that is over waits no more, whatever is tried with it") { store in
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
    .init("every regd has the same keys of codes and of stamps, which are two") { subject in
      let (a, b) = try await subject.pair()
      try same(a.codeKey == b.codeKey && a.stampKey == b.stampKey, true, "the keys are the same")
      let (again, _) = try await subject.pair()
      try same(again.codeKey == a.codeKey && again.stampKey == a.stampKey, true, "the same after a restart")
      try same(a.codeKey == a.stampKey, false, "two")
    },
    .init("what one regd has leased no other leases or puts off, and its own lease stands in no way") { subject in
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
      try same(try await a.mails(after: nil, limit: 9).map(\.isClaimedElsewhere), [false], "listed by its own")
      let (restarted, _) = try await subject.pair()
      try same(try await restarted.lease(mail: mail.id)?.isClaimedElsewhere, false, "after a restart")
      try same(try await a.putOff(mail: StoredMail(mail, attempts: 1)), true, "put off by its own")
      try same(try await b.lease(mail: mail.id)?.isClaimedElsewhere, false, "and then leased by another")
      try same(try await a.lease(mail: mail.id)?.isClaimedElsewhere, true, "whose lease stands")
    },
    .init("a lease that has run out is none; whoever was taken over notes nothing") { subject in
      for lease in [Duration.zero, .seconds(-3600)] {
        let (a, b) = try await subject.pair(lease: lease)
        let mail = Stage.notice(.passwordChanged, "\(lease)@example.com")
        try await a.add(mail)
        _ = try await a.lease(mail: mail.id)
        try same(try await b.find(mail: mail.id)?.isClaimedElsewhere, false, "found by the other")
        try same(try await b.lease(mail: mail.id)?.isClaimedElsewhere, false, "taken over")
        try same(try await a.putOff(mail: StoredMail(mail, attempts: 1)), false, "put off by the first")
        try same(try await a.lease(mail: mail.id)?.isClaimedElsewhere, true, "leased by the first")
        try same(try await b.find(mail: mail.id), StoredMail(mail), "as it is")
      }
    },
    .init("what has become of a mail is true whichever regd says it") { subject in
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
