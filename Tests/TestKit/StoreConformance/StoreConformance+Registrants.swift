internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene
  private typealias Invited = InvitationScene

  private static func waiting(
    _ email: String = Stage.address, uid: UInt32 = 7, _ origin: String? = nil, language: String? = "pt-BR, es;q=0.5"
  ) -> StoredAccount {
    var stored = Invited.account(email, .waiting)
    stored.registrant = Registrant(uid: uid, origin: origin.flatMap { Origin($0) }, language: language)
    return stored
  }

  private static func languageOfMail(_ store: Accounts, _ mail: MailIntent) async throws -> String? {
    try some(try await store.find(mail: mail.id)).intent.language
  }

  /// Adds waiting accounts of one user and origin.
  private static func fill(_ store: Accounts, _ count: Int, uid: UInt32, _ origin: String?) async throws {
    for begin in stride(from: 0, to: count, by: 1000) {
      let accounts = (begin..<min(count, begin + 1000)).map { waiting("\(uid).\($0)@example.com", uid: uid, origin) }
      let answers = try await store.importing(accounts, Stage.stamp(0))
      try same(answers.allSatisfy { $0 == .imported }, true, "imported")
    }
  }

  /// Rules for the stored data about a registrant whose account waits for approval, and for the number of waiting
  /// accounts.
  static let registrants: [Rule] = [
    Rule("the registrant of a waiting account is stored until the account is active, and then erased") { store in
      for (number, origin) in [nil, "an origin, ö"].enumerated() {
        let account = waiting("n\(number)@example.com", uid: 4_294_967_295, origin)
        let id = account.account.id
        _ = try await store.insert(account)
        try same(try await store.find(id), account, "found")
        try same(try await store.list(.waiting, after: nil, limit: 9), [account], "listed")
        _ = try await store.approve(id, to: .pending, nil, Stage.stamp(1))
        try same(try await store.find(pending: id)?.stored.registrant, account.registrant, "pending")
        try same(try await store.disapprove(id, seen: Stage.time(1), Stage.stamp(2)), true, "disapproved")
        try same(try await store.find(id)?.registrant, account.registrant, "waits again")
        _ = try await store.approve(id, to: .pending, nil, Stage.stamp(3))
        _ = try await store.activate(id, Stage.stamp(4))
        try same(try await store.find(id)?.registrant, nil, "active")
      }
    },
    Rule("the mail about the decision uses the language of the registration, if that is known") { store in
      for (number, language) in ["zh", nil].enumerated() {
        func notice(_ kind: MailKind, _ name: String) -> MailIntent {
          let mail = Stage.notice(kind, "\(name)\(number)@example.com")
          return number == 0 ? mail : mail.written(for: Registrant(uid: 7, language: "fr"))
        }
        func insert(_ name: String) async throws -> AccountID {
          let account = waiting("\(name)\(number)@example.com", language: language)
          _ = try await store.insert(account)
          return account.account.id
        }
        let expected = language ?? "fr"
        let (approved, activated, refused) = (
          notice(.accountApproved, "a"), notice(.accountApproved, "b"), notice(.accountRefused, "c")
        )
        let (one, other, third) = (try await insert("a"), try await insert("b"), try await insert("c"))
        _ = try await store.approve(one, to: .active, approved, Stage.stamp(1))
        try same(try await languageOfMail(store, approved), expected, "approved")
        try same(try await store.find(one)?.registrant, nil, "erased")
        _ = try await store.approve(other, to: .pending, nil, Stage.stamp(1))
        _ = try await store.activate(other, approved: activated, Stage.stamp(2))
        try same(try await languageOfMail(store, activated), expected, "activated")
        try same(try await store.refuse(third, refused, Stage.stamp(1)), true, "refused")
        try same(try await languageOfMail(store, refused), expected, "the mail of a refusal")
      }
    },
    Rule("the number of waiting accounts is limited per user and origin, and others are not affected") { store in
      let most = WaitingBounds.all / 3
      try await fill(store, most, uid: 7, nil)
      let (request, claim) = (try some(RequestKey(uid: 7, id: "one")), Stage.claim(.registration, "c@example.com"))
      let invitation = Invited.invitation()
      try await store.invite(invitation)
      try await store.addAll(claim)
      let admission = Admission(invitation: invitation.id, notice: Stage.notice(.accountWaiting))
      func register() async throws -> InsertAnswer {
        try await store.insert(waiting(), request: request, admission, Stage.stamp(1))
      }
      var proven = Stage.account(claim, .waiting, at: 1)
      proven.registrant = Registrant(uid: 7)
      try same(try await register(), .tooManyWaiting, "one more")
      try same(try await store.prove(claim.id, proven, nil, Stage.stamp(1)), .tooManyWaiting, "one more, by a proof")
      try same(try await store.find(EmailKey(Stage.address)), nil, "its account")
      try same(try await store.find(request), nil, "its request")
      try same(try await store.mails(after: nil, limit: 9).map(\.intent.kind), [.registrationCode], "its mail")
      try await store.expect(invitation, used: 0, held: 0, at: 2, "after a refusal")
      try same(try await store.state(claim, at: 2), .open, "the claim")
      let known = waiting("7.0@example.com")
      guard case .taken = try await store.insert(known) else { throw Broken(description: "not taken") }
      // accounts of other users, and accounts that do not wait
      try same(try await store.insert(waiting("o@example.com", "an origin")), .inserted, "another origin")
      try same(try await store.insert(waiting("u@example.com", uid: 8)), .inserted, "another user")
      try same(try await store.insert(Invited.account("a@example.com")), .inserted, "an active account")
      try same(try await store.insert(Invited.account("w@example.com", .waiting)), .inserted, "an unknown registrant")
      // decisions make room
      for number in 0..<6 {
        let id = try some(try await store.find(EmailKey("7.\(number)@example.com"))).account.id
        if number % 2 == 0 {
          _ = try await store.approve(id, to: .active, nil, Stage.stamp(3))
        } else {
          _ = try await store.refuse(id, nil, Stage.stamp(3))
        }
      }
      try same(try await register(), .inserted, "later")
      try await store.expect(invitation, used: 1, held: 0, at: 4, "later")
      try same(try await store.prove(claim.id, proven, nil, Stage.stamp(4)), .added, "the same proof later")
    },
    Rule("a user and an origin with few waiting accounts are admitted, however many others wait") { store in
      func register(_ name: String, uid: UInt32, _ origin: String? = nil) async throws -> InsertAnswer {
        try await store.insert(waiting("\(name)@example.com", uid: uid, origin))
      }
      try await fill(store, WaitingBounds.all / 2, uid: 7, "a crowd")
      try same(try await register("a", uid: 7, "a crowd"), .tooManyWaiting, "one more of the crowd")
      for number in 0..<WaitingBounds.perOrigin {
        try same(try await register("o\(number)", uid: 7, "an origin"), .inserted, "another origin")
      }
      try same(try await register("b", uid: 7, "an origin"), .tooManyWaiting, "one more of the other origin")
      try await fill(store, WaitingBounds.all / 2, uid: 9, nil)
      try await fill(store, WaitingBounds.perUser - 1, uid: 8, "a crowd")
      try same(try await register("c", uid: 9), .tooManyWaiting, "one more of the second user")
      try same(try await register("u", uid: 8, "a crowd"), .inserted, "another user")
      try same(try await register("d", uid: 8, "a crowd"), .tooManyWaiting, "one more of the other user")
      try same(try await register("v", uid: 8), .inserted, "without an origin")
    },
  ]
}
