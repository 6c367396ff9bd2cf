package import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// Rules for the number of mails that an address gets.
  static let mailBounds: [Rule] = [
    Rule("an address gets twelve mails an hour, and up to twenty-four if the others are for new users or origins") {
      store in
      for number in 0..<MailBounds.perAddress { try await wait(store, asked(at: number), "\(number)") }
      try await nothing(store, asked(at: 100), "the next of the same user")
      try await wait(store, asked("other@example.com", at: 100), "another address")
      for number in MailBounds.perAddress..<MailBounds.perAddressAtMost {
        try await wait(store, asked(origin: "o\(number)", at: 200 + number), "origin \(number)")
        try await nothing(store, asked(origin: "o\(number)", at: 200 + number), "origin \(number), again")
      }
      try await nothing(store, asked(uid: 8, at: 300), "beyond the maximum")
      let free = Int(MailBounds.span.components.seconds)
      try await nothing(store, asked(uid: 9, at: free - 1), "within the hour of the first")
      try await wait(store, asked(uid: 10, at: free), "an hour after the first")
      try await nothing(store, asked(at: free), "of the same user, an hour after the first")
    },
    Rule("a mail of known and unknown users and origins is added exactly if MailBounds admits it") { store in
      var counted: [(share: Share, part: MailBounds.Part, time: Timestamp)] = []
      for number in 0..<200 {
        let (uid, origin) = (UInt32(7 + number % 3), number * number % 13)
        let mail = asked(uid: uid, origin: "o\(origin)", at: 30 * number, isKnown: uid == 8 && origin < 8)
        let others = counted.filter { $0.time > mail.createdAt.advanced(by: .zero - MailBounds.span) }
        let own = others.filter { $0.share == mail.share }
        let counts = MailBounds.Counts(
          sent: others.count { $0.part == .shared }, asked: own.count { $0.part == .shared },
          own: own.count { $0.part == .own })
        if let part = MailBounds.part(counts, isKnown: { mail.isKnown }) {
          try await wait(store, mail, "\(number), \(counts)")
          counted.append((mail.share, part, mail.createdAt))
        } else {
          try await nothing(store, mail, "\(number), \(counts)")
        }
      }
      try same(counted.count { $0.part == .own } > MailBounds.perKnownShare, true, "mails under a client's own bound")
      try same(counted.count > 2 * MailBounds.perAddressAtMost, true, "mails of more than an hour")
    },
    Rule("a mail counts in every end state, and an unwanted mail waits and counts like any other") { store in
      let states: [StoredMail.State] = [.sent, .refused, .outdated, .suppressed]
      for number in 0..<MailBounds.perAddress {
        let mail = asked(at: number, isWanted: number % 4 != 3)
        try await wait(store, mail, "\(number)")
        try same(try await store.end(mail: mail.id, states[number % 4], reason: nil), true, "ended")
      }
      try await nothing(store, asked(at: 100), "the next")
    },
    Rule("a mail that ends as suppressed is removed") { store in
      let mail = asked(isWanted: false)
      try await store.add(mail)
      try same(try await store.mails(after: nil, limit: 9), [StoredMail(mail)], "listed")
      try same(try await store.lease(mail: mail.id), StoredMail(mail), "leased")
      try same(try await store.end(mail: mail.id, .suppressed, reason: nil), true, "ended")
      try same(try await store.find(mail: mail.id), nil, "found")
      try same(try await store.end(mail: mail.id, .sent, reason: nil), false, "ended again")
    },
    Rule("a known client of an address gets four mails an hour in addition to the address's bound") { store in
      for known in ["a", "b"] {
        for number in 0..<MailBounds.perAddressAtMost {
          let stranger = asked(origin: "\(known)\(number)", at: number)
          try await store.add(stranger)
        }
        for number in 0..<MailBounds.perKnownShare {
          let mail = asked(origin: known, at: 30 + number, isKnown: true)
          try await wait(store, mail, "\(known), \(number)")
          try same(try await store.find(mail: mail.id)?.intent, mail, "as it was put in")
        }
        try await nothing(store, asked(origin: known, at: 60, isKnown: true), "\(known), one more")
      }
      try await nothing(store, asked(origin: "stranger", at: 70), "of an unknown client")
      let later = 30 + Int(MailBounds.span.components.seconds)
      try await wait(store, asked(origin: "stranger", at: later), "of an unknown client, an hour later")
    },
    Rule("mails under a known client's own bound do not count toward the address's bound") { store in
      for number in 0..<MailBounds.perAddressAtMost {
        try await store.add(asked(origin: "o\(number)", at: number))
      }
      try await wait(store, asked(origin: "known", at: 30, isKnown: true), "a mail under its own bound")
      // half of the other mails have expired, so that only the first mail of a share is admitted
      let later = Int(MailBounds.span.components.seconds) + MailBounds.perAddress / 2
      try await nothing(store, asked(origin: "o\(MailBounds.perAddressAtMost - 1)", at: later), "a second one")
      try await wait(store, asked(origin: "known", at: later), "the first one")
      try await nothing(store, asked(origin: "known", at: later + 1), "a second one of the known client")
    },
    Rule("registering an account makes its user and origin known at the address, and a claim or import does not") {
      store in
      let owner = Fixtures.account(Stage.address)
      _ = try await store.insert(owner, request: nil, Stage.stamp(0, origin: "home"))
      let proven = Stage.claim(.registration, "p@example.com", uid: 8, origin: "home")
      try await store.addAll(proven)
      try same(
        try await store.prove(proven.id, Stage.account(proven, at: 1), Stage.stamp(1, uid: 8, origin: "home")), .added,
        "proven")
      let imported = Fixtures.account("i@example.com")
      _ = try await store.importing([imported], Stage.stamp(1, origin: "home"))
      let claimed = Stage.claim(.registration, "c@example.com", origin: "home")
      try await store.addAll(claimed)
      for (email, uid) in [
        (Stage.address, UInt32(7)), ("p@example.com", 8), ("i@example.com", 7), ("c@example.com", 7),
      ] {
        for number in 0..<MailBounds.perAddressAtMost {
          try await store.add(asked(email, uid: 9, origin: "o\(number)", at: 2))
        }
        let mail = asked(email, uid: uid, origin: "home", at: 3)
        if email == Stage.address || email == "p@example.com" {
          try await wait(store, mail, email)
        } else {
          try await nothing(store, mail, email)
        }
        try await nothing(store, asked(email, uid: uid, origin: "elsewhere", at: 3), "\(email), from elsewhere")
        try await nothing(store, asked(email, uid: uid, at: 3), "\(email), without an origin")
      }
    },
    Rule("notices about changes do not count toward the bound, and none is suppressed") { store in
      for number in 0..<MailBounds.perAddressAtMost {
        try await store.add(asked(origin: "o\(number)", at: number))
        for kind in MailKind.allCases where kind.isNotice {
          try await wait(store, Stage.notice(kind, origin: "o\(number)", at: number), "\(kind), \(number)")
        }
      }
      let owner = Fixtures.account(Stage.address)
      let id = owner.account.id
      _ = try await store.insert(owner)
      let (one, other) = (Stage.notice(of: id, at: 30), Stage.notice(.emailChanged, of: id, at: 31))
      _ = try await store.changePassword(
        of: id, from: owner.passwordHash, to: PasswordHash(phc: "x"), one, Stage.stamp(30))
      _ = try await store.changeEmail(
        of: id, from: owner.account.email.key, having: nil, to: Stage.email("new@example.com"), proving: nil, other,
        Stage.stamp(31))
      for mail in [one, other] { try same(try await store.find(mail: mail.id), StoredMail(mail), "\(mail.kind)") }
    },
    Rule("a notice to an unproven address counts like any other mail") { store in
      for number in 0..<MailBounds.perAddress {
        try await wait(store, Stage.notice(.accountWaiting, at: number, isProven: false), "\(number)")
      }
      for (number, kind) in MailKind.allCases.filter(\.isNotice).enumerated() {
        let (one, other) = (Stage.notice(kind, at: 20 + number, isProven: false), Stage.notice(kind, at: 30 + number))
        try await nothing(store, one, "\(kind), unproven")
        try await wait(store, other, "\(kind), proven")
      }
      try await nothing(store, asked(at: 50), "any other mail")
    },
    Rule("mails still count for an hour after the account is deleted") { store in
      let owner = Fixtures.account(Stage.address)
      _ = try await store.insert(owner)
      for number in 0..<MailBounds.perAddress { try await store.add(asked(at: number)) }
      try same(try await store.delete(owner.account.id, Stage.stamp(20)), .deleted, "delete")
      try same(try await store.mails(after: nil, limit: 99), [], "mails")
      try await nothing(store, asked(at: 21), "one more")
      let over = Int(MailBounds.span.components.seconds) + 20
      try same(try await store.sweep(at: Stage.time(over), addressesBefore: Stage.time(0), limit: 99), false, "swept")
      try await wait(store, asked(at: over), "an hour later")
    },
    Rule("mails that were added while the clock was ahead count for at most an hour") { store in
      let year = 365 * 86_400
      for number in 0..<MailBounds.perAddress { try await store.add(asked(at: year + number)) }
      try await nothing(store, asked(at: 0), "they count")
      let over = Int(MailBounds.span.components.seconds)
      try await wait(store, asked(at: over), "an hour later")
    },
    Rule("mails of claims count toward the bound, and a claim without a mail is still added") { store in
      for number in 0..<MailBounds.perAddress { try await store.addAll(Stage.claim(.recovery, at: number)) }
      let claim = Stage.claim(at: 50)
      let mail = Stage.mail(claim)
      try same(try await store.add(claim, mail, Stage.stamp(50)), .added, "the claim")
      try same(try await store.find(mail: mail.id), nil, "its mail")
      try same(try await store.find(claim.id, at: Stage.time(51))?.id, claim.id, "the claim")
    },
    Rule("a sweep removes the waiting mail of an expired claim") { store in
      let (claim, other) = (Stage.claim(seconds: 900), Stage.claim(.recovery, uid: 8))
      try await store.addAll(claim, other)
      try same(try await store.sweep(at: Stage.time(900), addressesBefore: Stage.time(0), limit: 9), false, "swept")
      try same(try await store.mails(after: nil, limit: 9).map(\.intent.claim), [other.id], "left")
    },
  ]

  /// Expects that a sweep after the clock is right again counts mails of a fast clock as of that moment.
  ///
  /// - Parameter store: Its own clock, if it has one, agrees with `Fixtures.time`.
  package static func expectCountsSetBack(_ store: Accounts) async throws {
    let year = 365 * 86_400
    for number in 0..<MailBounds.perAddress { try await store.add(asked(at: year + number)) }
    _ = try await store.sweep(at: Stage.time(0), addressesBefore: Stage.time(0), limit: 99)
    let over = Int(MailBounds.span.components.seconds)
    try await wait(store, asked(at: over), "an hour after the sweep")
  }

  /// A mail that a caller's request causes, and that the bounds may refuse.
  private static func asked(
    _ email: String = Stage.address, uid: UInt32 = 7, origin: String? = nil, at made: Int = 0, isWanted: Bool = true,
    isKnown: Bool = false
  ) -> MailIntent {
    MailIntent(
      id: MailID(at: Stage.time(made)), kind: .registrationTried, to: Stage.email(email), claim: nil, account: nil,
      language: nil, uid: uid, origin: origin.flatMap { Origin($0) }, createdAt: Stage.time(made), isWanted: isWanted,
      isKnown: isKnown)
  }

  private static func wait(_ store: Accounts, _ mail: MailIntent, _ what: String) async throws {
    try await store.add(mail)
    try same(try await store.find(mail: mail.id)?.state, .waiting, what)
  }

  private static func nothing(_ store: Accounts, _ mail: MailIntent, _ what: String) async throws {
    try await store.add(mail)
    try same(try await store.find(mail: mail.id), nil, what)
  }
}
