import JSONRPC
import RegdClient
import Registration
import TestKit
import Testing

/// What becomes of a sign-in: `session.check`, and everything that ends it.
@Suite("After a sign-in, over the wire")
struct SessionTests {
  private static let owner = #""email":"a@example.com","password":"a fine phrase""#
  private static let entry = #"["a@example.com","a fine phrase","a fine phrase","r"]"#
  private static let who = #"{"email":"a@example.com"}"#

  private func outcome(_ subject: Subject, _ method: String, _ params: String, uid: UInt32 = 0) async throws
    -> JSONValue
  {
    try JSONValue.outcome(await subject.call(method, params, uid: uid))
  }

  /// The members of an answer that a front end keeps.
  private func kept(_ answer: JSONValue) throws -> (account: String, stamp: String) {
    let stamp = try #require(answer["stamp"]?.string, "\(answer.text)")
    #expect((16...64).contains(stamp.utf8.count) && stamp.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    return (try #require(answer["account"]?["id"]?.string), stamp)
  }

  private func signIn(_ subject: Subject, _ params: String = owner) async throws -> (account: String, stamp: String) {
    try kept(try await outcome(subject, "session.signIn", "{\(params)}"))
  }

  /// The reason why a sign-in does not hold; nil if it does.
  private func check(_ subject: Subject, _ kept: (account: String, stamp: String)) async throws -> String? {
    let params = #"{"account":"\#(kept.account)","stamp":"\#(kept.stamp)"}"#
    return try await outcome(subject, "session.check", params, uid: 7).string
  }

  private func registered(_ subject: Subject = Subject()) async throws -> Subject {
    _ = try await outcome(subject, "registration.register", Self.entry)
    return subject
  }

  /// The last claim's id and code.
  private func claim(_ subject: Subject, _ answer: JSONValue) async throws -> String {
    let id = try #require(answer["claim"]?["id"]?.string)
    let claim = try await subject.store.find(try #require(ClaimID(id)), at: Fixtures.time)
    return "\"claim\":\"\(id)\",\"code\":\"\(subject.codes.code(of: try #require(claim)))\""
  }

  @Test("a check answers with the account as it is now, to everybody who has id and stamp")
  func present() async throws {
    let subject = try await registered()
    let kept = try await signIn(subject)
    #expect(try await signIn(subject) == kept, "one for all sign-ins")
    let moved = try await outcome(subject, "owner.changeEmail", "{\(Self.owner),\"newEmail\":\"b@example.com\"}")
    #expect(try self.kept(moved) == kept)
    let params = #"["\#(kept.account)","\#(kept.stamp)"]"#
    let now = try await outcome(subject, "session.check", params, uid: 7)
    #expect(now["account"] == moved["account"])
    #expect(now["account"]?["email"]?.string == "b@example.com")
    #expect(now["stamp"] == nil)
  }

  @Test("what is no stamp, another's, or of nobody is answered to the byte as what has ended")
  func alike() async throws {
    let subject = try await registered()
    let (account, stamp) = try await signIn(subject)
    _ = try await outcome(subject, "registration.register", #"["b@example.com","a fine phrase","a fine phrase"]"#)
    let other = try await signIn(subject, #""email":"b@example.com","password":"a fine phrase""#)
    let texts = [
      (account, other.stamp), (other.account, stamp), (account, ""), (account, stamp + "0"),
      (account, String(stamp.dropLast())), (account, String(repeating: "x", count: 10_000)), (account, "é\\u0000"),
      ("0193c1d6-0000-7000-8000-000000000000", stamp), ("", stamp), ("a@example.com", stamp),
    ]
    var answers: Set<String> = []
    for (account, stamp) in texts {
      answers.insert(await subject.call("session.check", #"["\#(account)","\#(stamp)"]"#, uid: 7))
    }
    _ = try await outcome(subject, "account.disable", Self.who)
    answers.insert(await subject.call("session.check", #"["\#(account)","\#(stamp)"]"#, uid: 7))
    #expect(answers.count == 1, "\(answers)")
    #expect(answers.first?.contains(#""code":1017"#) == true)
    #expect(answers.first?.contains(#""reason":"session.ended","retryable":false"#) == true)
    #expect(try await outcome(subject, "session.check", "[\"\(account)\",5]").string == "rpc.invalidParams")
    #expect(try await outcome(subject, "session.check", "[\"\(account)\"]").string == "rpc.invalidParams")
  }

  @Test("a store that cannot be asked ends nothing")
  func storeAway() async throws {
    let subject = Subject(failing: 1)
    let account = Fixtures.account()
    _ = try await subject.store.insert(account)
    #expect(try await check(subject, (account.account.id.description, "x")) == "store.readOnly")
    #expect(try await check(subject, (account.account.id.description, "x")) == "session.ended")
  }

  private typealias Ending = (name: String, method: String, params: String, survivor: String?)

  private static let setting =
    #"{"email":"a@example.com","password":"a new phrase","passwordConfirmation":"a new phrase"}"#
  private static let new = #""email":"a@example.com","password":"a new phrase""#

  private static let endings: [Ending] = [
    ("set by an administrator", "account.setPassword", setting, new),
    (
      "changed by its owner", "owner.changePassword",
      #"{\#(owner),"newPassword":"a new phrase","newPasswordConfirmation":"a new phrase"}"#, new
    ),
    ("signed out by its owner", "owner.signOut", "{\(owner)}", owner),
    ("signed out by an administrator", "account.signOut", who, owner),
    ("disabled", "account.disable", who, nil), ("deleted", "account.delete", who, nil),
    ("deleted by its owner", "owner.delete", "{\(owner)}", nil),
  ]

  @Test("a sign-in ends at once, and those that come after it do not", arguments: endings.indices)
  func ended(_ index: Int) async throws {
    let (name, method, params, survivor) = Self.endings[index]
    let subject = try await registered()
    let before = try await signIn(subject)
    #expect(try await check(subject, before) == nil, "\(name)")
    let answer = try await outcome(subject, method, params)
    #expect(try await check(subject, before) == "session.ended", "\(name)")
    if method.hasPrefix("owner."), survivor != nil {
      #expect(try await check(subject, try kept(answer)) == nil, "\(name): who has asked for it stays")
    } else {
      #expect(answer["stamp"] == nil, "\(name)")
    }
    guard let survivor else { return }
    let after = try await signIn(subject, survivor)
    #expect(after.stamp != before.stamp)
    #expect(try await check(subject, after) == nil, "\(name)")
    #expect(try await check(subject, before) == "session.ended", "\(name)")
  }

  @Test("a recovery ends sign-ins, and its answer begins another one, repeated, too")
  func recovered() async throws {
    let subject = try await registered(Subject(verification: VerificationTerms(resend: .zero, hasMail: true)))
    let before = try await signIn(subject)
    let started = try await outcome(subject, "recovery.start", Self.who)
    let claim = try await claim(subject, started)
    let finish = "{\(claim),\"password\":\"a new phrase\",\"passwordConfirmation\":\"a new phrase\"}"
    let recovered = try kept(try await outcome(subject, "recovery.finish", finish))
    #expect(try await check(subject, before) == "session.ended")
    #expect(try await check(subject, recovered) == nil)
    #expect(try kept(try await outcome(subject, "recovery.finish", finish)) == recovered)
    #expect(try await check(subject, recovered) == nil)
  }

  @Test("what ended with a disabled account does not hold when it is enabled, and its owner signs in anew")
  func enabled() async throws {
    let subject = try await registered()
    let before = try await signIn(subject)
    _ = try await outcome(subject, "account.disable", Self.who)
    _ = try await outcome(subject, "account.enable", Self.who)
    #expect(try await check(subject, before) == "session.ended")
    let after = try await signIn(subject)
    #expect(try await check(subject, after) == nil)
    // nothing is disabled, and nothing ends
    _ = try await outcome(subject, "account.enable", Self.who)
    #expect(try await check(subject, after) == nil)
  }

  @Test("an account that comes back by an import, with its id and its password, has none of its sign-ins")
  func imported() async throws {
    let subject = Subject(hasher: PlainHasher())
    _ = try await registered(subject)
    let before = try await signIn(subject)
    let record = try await outcome(subject, "account.export", "null")["records"]?.array?.first
    _ = try await outcome(subject, "account.delete", Self.who)
    // the format of a real hash, which the importing asks for
    let phc = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA"
    let imported = #"[[{"email":"a@example.com","id":"\#(before.account)","passwordHash":"\#(phc)"}]]"#
    #expect(record?["id"]?.string == before.account)
    #expect(record?["epoch"] == nil && record?["stamp"] == nil)
    #expect(try await outcome(subject, "account.import", imported)["imported"]?.integer == 1)
    #expect(try await check(subject, before) == "session.ended")
    let id = try #require(AccountID(before.account))
    #expect(try await subject.store.find(id)?.account.epoch.text?.count == 32)
  }

  @Test("a hash that is renewed for the same password ends nothing")
  func rehashed() async throws {
    let subject = Subject(hasher: PlainHasher(generation: 1))
    let account = Fixtures.account("a@example.com", hash: "plain:a fine phrase")
    _ = try await subject.store.insert(account)
    let first = try await signIn(subject)
    #expect(try await subject.store.find(account.account.id)?.passwordHash.phc == "plain1:a fine phrase")
    #expect(try await check(subject, first) == nil)
    #expect(try await signIn(subject) == first)
  }

  @Test("a registration is a sign-in where its account is active; its repeat is the same one, which may be over")
  func registrations() async throws {
    let subject = Subject()
    let made = try kept(try await outcome(subject, "registration.register", Self.entry))
    #expect(try await signIn(subject) == made)
    #expect(try kept(try await outcome(subject, "registration.register", Self.entry)) == made)
    // who has the old password and the request gets no sign-in of the new one
    _ = try await outcome(subject, "account.setPassword", Self.setting)
    let again = try await outcome(subject, "registration.register", Self.entry)
    #expect(try kept(again) == made)
    #expect(try await check(subject, made) == "session.ended")
    _ = try await outcome(subject, "account.disable", Self.who)
    #expect(try await outcome(subject, "registration.register", Self.entry)["stamp"] == nil)
  }

  @Test("who waits for an administrator has no stamp before the approval")
  func waiting() async throws {
    let subject = Subject(admission: AdmissionTerms(needsApproval: true))
    #expect(try await outcome(subject, "registration.register", Self.entry)["stamp"] == nil)
    #expect(try await outcome(subject, "account.approve", Self.who)["stamp"] == nil)
    let repeated = try kept(try await outcome(subject, "registration.register", Self.entry))
    #expect(try await check(subject, repeated) == nil)
    #expect(try await signIn(subject) == repeated)
  }

  @Test("a proof is a sign-in; repeated after a sign-out it is the one that is over")
  func proofs() async throws {
    let subject = Subject(verification: VerificationTerms(isRequired: true, resend: .zero, hasMail: true))
    let claimed = try await outcome(subject, "registration.register", Self.entry)
    #expect(claimed["stamp"] == nil)
    let claim = try await claim(subject, claimed)
    let proven = try kept(try await outcome(subject, "claim.prove", "{\(claim)}"))
    #expect(try await check(subject, proven) == nil)
    let change = try await outcome(subject, "owner.changeEmail", "{\(Self.owner),\"newEmail\":\"b@example.com\"}")
    let other = try await self.claim(subject, change)
    #expect(try kept(try await outcome(subject, "claim.prove", "{\(other)}")) == proven, "another address ends nothing")
    _ = try await outcome(subject, "account.signOut", #"{"email":"b@example.com"}"#)
    for claim in [claim, other] {
      #expect(try kept(try await outcome(subject, "claim.prove", "{\(claim)}")) == proven)
    }
    #expect(try await check(subject, proven) == "session.ended")
  }

  @Test("a change of address that was asked for before a sign-out proves none after it")
  func lateProof() async throws {
    let subject = Subject(verification: VerificationTerms(isRequired: true, resend: .zero, hasMail: true))
    let claim = try await claim(subject, try await outcome(subject, "registration.register", Self.entry))
    _ = try await outcome(subject, "claim.prove", "{\(claim)}")
    let change = try await outcome(subject, "owner.changeEmail", "{\(Self.owner),\"newEmail\":\"b@example.com\"}")
    let other = try await self.claim(subject, change)
    let now = try kept(try await outcome(subject, "owner.signOut", "{\(Self.owner)}"))
    let proven = try kept(try await outcome(subject, "claim.prove", "{\(other)}"))
    #expect(try await check(subject, proven) == "session.ended")
    #expect(try await check(subject, now) == nil)
  }

  @Test("signing out is for the owner's password and for administrators, and the audit has it without the stamp")
  func signedOut() async throws {
    let subject = try await registered()
    let wrong = #"{"email":"a@example.com","password":"another"}"#
    #expect(try await outcome(subject, "owner.signOut", wrong, uid: 7).string == "credentials.rejected")
    #expect(try await outcome(subject, "account.signOut", Self.who, uid: 7).string == "access.denied")
    #expect(try await outcome(subject, "account.signOut", #"{"email":"b@example.com"}"#).string == "account.notFound")
    let own = try kept(try await outcome(subject, "owner.signOut", "{\(Self.owner),\"origin\":\"o\"}", uid: 7))
    _ = try await outcome(subject, "account.signOut", "{\"id\":\"\(own.account)\"}")
    let entries = try await subject.store.audit(after: 1, limit: 9)
    #expect(entries.map(\.change) == [.signedOut, .signedOut])
    #expect(entries.map(\.by?.uid) == [7, 0])
    #expect(entries.first?.by?.origin?.text == "o")
    let listed = await subject.call("events.list", "null")
    #expect(listed.contains("account.signedOut") && !listed.contains(own.stamp))
    // an account that cannot sign in has nothing to be signed out of, and is none the worse for it
    _ = try await outcome(subject, "account.disable", Self.who)
    #expect(try await outcome(subject, "account.signOut", Self.who)["account"]?["state"]?.string == "disabled")
    #expect(try await outcome(subject, "owner.signOut", "{\(Self.owner)}").string == "account.disabled")
  }

  @Test("forms that end signed in, registered or recovered have the stamp, until something is typed")
  func forms() async throws {
    let subject = Subject(verification: VerificationTerms(resend: .zero, hasMail: true))
    func submit(_ talk: Talk) async throws -> JSONValue {
      let lines = await talk.call("form.submit", "[1]")
      let replies = lines.compactMap { JSONValue($0.utf8)?["result"]?["state"] }
      return try #require(replies.first)
    }
    let registering = await subject.filledForm()
    let registered = try await submit(registering)
    let stamp = try #require(registered["stamp"]?.string)
    let account = try #require(try await subject.store.find(EmailKey("new@example.com")))
    #expect(try await check(subject, (account.account.id.description, stamp)) == nil)
    let typed = await registering.call("form.set", #"{"form":1,"email":"other@example.com"}"#).first ?? ""
    #expect(!typed.contains("stamp"))

    let signingIn = subject.talk()
    let password = String(account.passwordHash.phc.dropFirst("plain:".count))
    let opened = await signingIn.call("form.open", #"["signIn"]"#)
    #expect(opened.last?.contains("stamp") == false)
    _ = await signingIn.call("form.set", #"{"form":1,"email":"new@example.com","password":"\#(password)"}"#)
    #expect(try await submit(signingIn)["stamp"]?.string == stamp)
    let again = await signingIn.call("form.set", #"{"form":1,"password":"another"}"#).first ?? ""
    #expect(again.contains("\"signedIn\":false") && !again.contains("stamp"), "\(again)")

    let recovering = subject.talk()
    _ = await recovering.call("form.open", #"["recovery"]"#)
    _ = await recovering.call("form.set", #"{"form":1,"email":"new@example.com"}"#)
    let claim = try await claim(subject, try await submit(recovering))
    let code = claim.split(separator: "\"").last ?? ""
    _ = await recovering.call(
      "form.set", #"{"form":1,"code":"\#(code)","password":"a new phrase","passwordConfirmation":"a new phrase"}"#)
    let recovered = try #require(try await submit(recovering)["stamp"]?.string)
    #expect(recovered != stamp)
    #expect(try await check(subject, (account.account.id.description, stamp)) == "session.ended")
    #expect(try await check(subject, (account.account.id.description, recovered)) == nil)
  }
}
