import JSONRPC
import RegdClient
import Registration
import TestDoubles
import Testing

/// Checks `session.check` and everything that ends a sign-in.
@Suite("After a sign-in, over the wire")
struct SessionTests {
  @Test("session.check returns the account as it is now, to any caller that has id and stamp")
  func present() async throws {
    let subject = try await Subject().registered()
    let kept = try await subject.signIn()
    #expect(try await subject.signIn() == kept, "one for all sign-ins")
    let moved = try await subject.outcome("owner.changeEmail", "{\(Subject.owner),\"newEmail\":\"b@example.com\"}")
    #expect(try KeptSession(moved) == kept)
    let params = #"["\#(kept.account)","\#(kept.stamp)"]"#
    let now = try await subject.outcome("session.check", params, uid: 7)
    #expect(now["account"] == moved["account"])
    #expect(now["account"]?["email"]?.string == "b@example.com")
    #expect(now["stamp"] == nil)
  }

  @Test(
    "an invalid stamp, another account's stamp and an unknown account get the reply of an ended sign-in, to the byte")
  func alike() async throws {
    let subject = try await Subject().registered()
    let kept = try await subject.signIn()
    let (account, stamp) = (kept.account, kept.stamp)
    _ = try await subject.outcome("registration.register", #"["b@example.com","a fine phrase","a fine phrase"]"#)
    let other = try await subject.signIn(#""email":"b@example.com","password":"a fine phrase""#)
    let texts = [
      (account, other.stamp), (other.account, stamp), (account, ""), (account, stamp + "0"),
      (account, String(stamp.dropLast())), (account, String(repeating: "x", count: 10_000)), (account, "é\\u0000"),
      ("0193c1d6-0000-7000-8000-000000000000", stamp), ("", stamp), ("a@example.com", stamp),
    ]
    var answers: Set<String> = []
    for (account, stamp) in texts {
      answers.insert(await subject.call("session.check", #"["\#(account)","\#(stamp)"]"#, uid: 7))
    }
    _ = try await subject.outcome("account.disable", Subject.who)
    answers.insert(await subject.call("session.check", #"["\#(account)","\#(stamp)"]"#, uid: 7))
    #expect(answers.count == 1, "\(answers)")
    #expect(answers.first?.contains(#""code":1017"#) == true)
    #expect(answers.first?.contains(#""reason":"session.ended","retryable":false"#) == true)
    #expect(try await subject.outcome("session.check", "[\"\(account)\",5]").string == "rpc.invalidParams")
    #expect(try await subject.outcome("session.check", "[\"\(account)\"]").string == "rpc.invalidParams")
  }

  @Test("if the store fails, session.check returns the store's error and not session.ended")
  func storeAway() async throws {
    let subject = Subject(failing: 1)
    let account = Fixtures.account()
    _ = try await subject.store.insert(account)
    #expect(
      try await subject.check(KeptSession(account: account.account.id.description, stamp: "x")) == "store.readOnly")
    #expect(
      try await subject.check(KeptSession(account: account.account.id.description, stamp: "x")) == "session.ended")
  }

  private typealias Ending = (name: String, method: String, params: String, survivor: String?)

  private static let new = #""email":"a@example.com","password":"a new phrase""#

  private static let endings: [Ending] = [
    ("set by an administrator", "account.setPassword", Subject.setting, new),
    (
      "changed by its owner", "owner.changePassword",
      #"{\#(Subject.owner),"newPassword":"a new phrase","newPasswordConfirmation":"a new phrase"}"#, new
    ),
    ("signed out by its owner", "owner.signOut", "{\(Subject.owner)}", Subject.owner),
    ("signed out by an administrator", "account.signOut", Subject.who, Subject.owner),
    ("disabled", "account.disable", Subject.who, nil), ("deleted", "account.delete", Subject.who, nil),
    ("deleted by its owner", "owner.delete", "{\(Subject.owner)}", nil),
  ]

  @Test("a sign-in ends at once, and later sign-ins stay valid", arguments: endings.indices)
  func ended(_ index: Int) async throws {
    let (name, method, params, survivor) = Self.endings[index]
    let subject = try await Subject().registered()
    let before = try await subject.signIn()
    #expect(try await subject.check(before) == nil, "\(name)")
    let answer = try await subject.outcome(method, params)
    #expect(try await subject.check(before) == "session.ended", "\(name)")
    if method.hasPrefix("owner."), survivor != nil {
      #expect(try await subject.check(try KeptSession(answer)) == nil, "\(name): who has asked for it stays")
    } else {
      #expect(answer["stamp"] == nil, "\(name)")
    }
    guard let survivor else { return }
    let after = try await subject.signIn(survivor)
    #expect(after.stamp != before.stamp)
    #expect(try await subject.check(after) == nil, "\(name)")
    #expect(try await subject.check(before) == "session.ended", "\(name)")
  }

  @Test("enabling an account does not restore the sign-ins from before, and its owner can sign in again")
  func enabled() async throws {
    let subject = try await Subject().registered()
    let before = try await subject.signIn()
    _ = try await subject.outcome("account.disable", Subject.who)
    _ = try await subject.outcome("account.enable", Subject.who)
    #expect(try await subject.check(before) == "session.ended")
    let after = try await subject.signIn()
    #expect(try await subject.check(after) == nil)
    // Enabling an active account ends no sign-in.
    _ = try await subject.outcome("account.enable", Subject.who)
    #expect(try await subject.check(after) == nil)
  }

  @Test("an account that is imported again with the same id has none of its former sign-ins")
  func imported() async throws {
    let subject = Subject(hasher: PlainHasher())
    _ = try await subject.registered()
    let before = try await subject.signIn()
    let record = try await subject.outcome("account.export", "null")["records"]?.array?.first
    _ = try await subject.outcome("account.delete", Subject.who)
    // The format of a real hash, which account.import requires.
    let phc = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA"
    let imported = #"[[{"email":"a@example.com","id":"\#(before.account)","passwordHash":"\#(phc)"}]]"#
    #expect(record?["id"]?.string == before.account)
    #expect(record?["epoch"] == nil && record?["stamp"] == nil)
    #expect(try await subject.outcome("account.import", imported)["imported"]?.integer == 1)
    #expect(try await subject.check(before) == "session.ended")
    let id = try #require(AccountID(before.account))
    #expect(try await subject.store.find(id)?.account.epoch.text?.count == 32)
  }

  @Test("renewing the hash of the same password ends no sign-in")
  func rehashed() async throws {
    let subject = Subject(hasher: PlainHasher(generation: 1))
    let account = Fixtures.account("a@example.com", hash: "plain:a fine phrase")
    _ = try await subject.store.insert(account)
    let first = try await subject.signIn()
    #expect(try await subject.store.find(account.account.id)?.passwordHash.phc == "plain1:a fine phrase")
    #expect(try await subject.check(first) == nil)
    #expect(try await subject.signIn() == first)
  }

  @Test("signing out requires the owner's password or an administrator, and the audit records it without the stamp")
  func signedOut() async throws {
    let subject = try await Subject().registered()
    let wrong = #"{"email":"a@example.com","password":"another"}"#
    #expect(try await subject.outcome("owner.signOut", wrong, uid: 7).string == "credentials.rejected")
    #expect(try await subject.outcome("account.signOut", Subject.who, uid: 7).string == "access.denied")
    #expect(try await subject.outcome("account.signOut", #"{"email":"b@example.com"}"#).string == "account.notFound")
    let own = try KeptSession(try await subject.outcome("owner.signOut", "{\(Subject.owner),\"origin\":\"o\"}", uid: 7))
    _ = try await subject.outcome("account.signOut", "{\"id\":\"\(own.account)\"}")
    let entries = try await subject.store.audit(after: 1, limit: 9)
    #expect(entries.map(\.change) == [.signedOut, .signedOut])
    #expect(entries.map(\.by?.uid) == [7, 0])
    #expect(entries.first?.by?.origin?.text == "o")
    let listed = await subject.call("events.list", "null")
    #expect(listed.contains("account.signedOut") && !listed.contains(own.stamp))
    // An account that cannot sign in has no sign-ins to end, and does not change.
    _ = try await subject.outcome("account.disable", Subject.who)
    #expect(try await subject.outcome("account.signOut", Subject.who)["account"]?["state"]?.string == "disabled")
    #expect(try await subject.outcome("owner.signOut", "{\(Subject.owner)}").string == "account.disabled")
  }
}
