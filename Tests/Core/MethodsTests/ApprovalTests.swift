import Localization
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

/// `registration.approval`, over the wire.
@Suite("Approval by administrators")
struct ApprovalTests {
  private static let approval = AdmissionTerms(approval: .administrator)
  private static let entry = #"["a@example.com","a fine phrase","a fine phrase","r"]"#
  private static let who = #"{"email":"a@example.com"}"#

  private func outcome(_ subject: Subject, _ method: String, _ params: String = who) async throws -> JSONValue {
    try JSONValue.outcome(await subject.call(method, params))
  }

  private func state(_ subject: Subject) async throws -> String? {
    try await outcome(subject, "account.get")["account"]?["state"]?.string
  }

  @Test("until approval, registration.status is waiting, sign-in fails, and no caller can change the account")
  func waiting() async throws {
    let subject = Subject(admission: Self.approval)
    let made = try await outcome(subject, "registration.register", Self.entry)
    #expect(made["account"]?["state"]?.string == "waiting")
    #expect(try await outcome(subject, "registration.register", Self.entry) == made)
    #expect(try await outcome(subject, "registration.status", #"["r"]"#)["state"]?.string == "waiting")
    #expect(try await outcome(subject, "registration.checkEmail", #"["a@example.com"]"#)["available"]?.bool == false)
    #expect(
      try await outcome(subject, "session.signIn", #"["a@example.com","another"]"#).string == "credentials.rejected")
    let signIn = await subject.call("session.signIn", #"["a@example.com","a fine phrase"]"#)
    #expect(try JSONValue.outcome(signIn).string == "account.waiting" && signIn.contains("\"code\":1015"))
    for method in ["account.disable", "account.enable", "account.signOut"] {
      #expect(try await outcome(subject, method).string == "account.waiting")
    }
    let password = #"{"email":"a@example.com","password":"a new phrase","passwordConfirmation":"a new phrase"}"#
    #expect(try await outcome(subject, "account.setPassword", password).string == "account.waiting")
    let change = #"["a@example.com","a fine phrase","a new phrase","a new phrase"]"#
    #expect(try await outcome(subject, "owner.changePassword", change).string == "account.waiting")
    let export = try await outcome(subject, "owner.export", #"["a@example.com","a fine phrase"]"#)
    #expect(export["account"]?["state"]?.string == "waiting")
    // A reload does not approve the account.
    subject.reload(AdmissionTerms())
    #expect(try await state(subject) == "waiting")
    #expect(try await outcome(subject, "owner.delete", #"["a@example.com","a fine phrase"]"#) == [:])
  }

  @Test(
    "administrators list and approve waiting accounts, and cannot refuse an approved one; an unknown state is an error")
  func approved() async throws {
    let subject = Subject(admission: Self.approval)
    _ = await subject.call("account.create", #"["b@example.com"]"#)
    _ = await subject.call("registration.register", Self.entry)
    #expect(try await outcome(subject, "account.list", #"{"state":"gone"}"#).string == "rpc.invalidParams")
    let list = try await outcome(subject, "account.list", #"{"state":"waiting"}"#)["accounts"]?.array
    #expect(list?.map { $0["email"]?.string } == ["a@example.com"])
    let approved = try await outcome(subject, "account.approve")
    #expect(approved["account"]?["state"]?.string == "active")
    #expect(try await outcome(subject, "account.approve") == approved)
    #expect(try await outcome(subject, "account.refuse").string == "account.notFound")
    #expect(try await outcome(subject, "session.signIn", #"["a@example.com","a fine phrase"]"#)["account"] != nil)
    let events = try await outcome(subject, "events.list", #"{"after":1}"#)["events"]?.array ?? []
    #expect(events.map { $0["event"]?.string } == ["account.waiting", "account.approved"])
    for params in ["{}", #"{"id":"x"}"#] {
      #expect(try await outcome(subject, "account.approve", params).string == "rpc.invalidParams")
    }
    let disabled = #"{"email":"b@example.com"}"#
    _ = await subject.call("account.disable", disabled)
    #expect(try await outcome(subject, "account.approve", disabled).string == "account.notFound")
  }

  @Test("account.refuse deletes the account and frees its address")
  func refused() async throws {
    let subject = Subject(admission: Self.approval)
    #expect(try await outcome(subject, "account.refuse").string == "account.notFound")
    _ = await subject.call("registration.register", Self.entry)
    #expect(try await outcome(subject, "account.refuse") == [:])
    #expect(try await outcome(subject, "account.get").string == "account.notFound")
    #expect(try await outcome(subject, "registration.status", #"["r"]"#)["state"]?.string == "unknown")
    #expect(try await outcome(subject, "registration.register", Self.entry)["account"] != nil)
    let events = try await outcome(subject, "events.list", "null")["events"]?.array ?? []
    #expect(events.map { $0["event"]?.string } == ["account.waiting", "account.refused", "account.waiting"])
  }

  @Test(
    "account.approve asks the upstream; if the upstream certainly does not have the account, the account keeps waiting",
    arguments: [
      ("offline", "network.offline", "waiting"), ("unavailable", "network.unavailable", "waiting"),
      ("reject", "network.rejected", "waiting"), ("taken", "email.taken", "waiting"),
      ("timeout", "network.timeout", "pending"), ("fail", "network.failed", "pending"), ("accept", nil, "active"),
    ])
  func upstream(_ step: String, _ reason: String?, _ state: String) async throws {
    let network = ScriptedNetwork(Script(register: [try Script.Step(step)]))
    let subject = Subject(network: network, admission: Self.approval)
    let made = try await outcome(subject, "registration.register", Self.entry)
    #expect(made["account"]?["state"]?.string == "waiting", "the upstream is not asked yet")
    let reply = await subject.call("account.approve", Self.who)
    #expect(try JSONValue.outcome(reply).string == reason)
    #expect(reply.contains("\"pending\":true") == (state == "pending"), "\(reply)")
    #expect(try await self.state(subject) == state)
  }

  @Test("the first 409 does not undo a deferred approval")
  func putOff() async throws {
    let network = ScriptedNetwork(Script(register: [try Script.Step("offline"), try Script.Step("taken")]))
    let subject = Subject(network: network, admission: Self.approval, defersWhenUnreachable: true)
    _ = await subject.call("registration.register", Self.entry)
    #expect(try await outcome(subject, "account.approve")["account"]?["state"]?.string == "pending")
    let again = try await outcome(subject, "registration.register", Self.entry)
    #expect(again["account"]?["state"]?.string == "pending")
    #expect(try await state(subject) == "pending")
  }

  @Test("the mail about the wait for approval is in the language of the claim.prove request")
  func language() async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(isRequired: true, hasMail: true), admission: Self.approval)
    let claim = try await outcome(subject, "registration.register", Self.entry)["claim"]?["id"]?.string
    let id = try #require(claim.flatMap { ClaimID($0) })
    let code = subject.codes.code(of: try #require(try await subject.store.find(id, at: Fixtures.time)))
    _ = await subject.call("claim.prove", "{\"claim\":\"\(id)\",\"code\":\"\(code)\",\"language\":\"en\"}")
    let mails = try await subject.store.mails(after: nil, limit: 9).map(\.intent)
    #expect(mails.first { $0.kind == .accountWaiting }?.language == "en")
  }

  /// Registers an account, approves or refuses it, and returns the language of every mail by its kind.
  private func languages(
    _ network: ScriptedNetwork?, _ language: String?, deciding method: String
  ) async throws -> [MailKind: String?] {
    let subject = Subject(
      network: network, mail: StagedMail(), verification: VerificationTerms(hasMail: true), admission: Self.approval)
    let asked = language.map { ",\"language\":\"\($0)\"" } ?? ""
    let entry =
      #"{"email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""# + "\(asked)}"
    _ = await subject.call("registration.register", entry, uid: 7)
    let export = try await outcome(subject, "owner.export", #"["a@example.com","a fine phrase"]"#)
    #expect(export["language"]?.string == language)
    var mails = try await subject.store.mails(after: nil, limit: 9).map(\.intent)
    let decided = try await outcome(subject, method)
    #expect(decided == [:] || decided["account"]?["state"]?.string == "active", "\(decided)")
    mails += try await subject.store.mails(after: nil, limit: 9).map(\.intent)
    if method == "account.approve" {
      let export = try await outcome(subject, "owner.export", #"["a@example.com","a fine phrase"]"#)
      #expect(export["account"] != nil && export["language"] == nil, "forgotten once it is of no more use")
    }
    return Dictionary(mails.map { ($0.kind, $0.language) }) { one, _ in one }
  }

  @Test(
    "the mails about an approval or a refusal are in the language of the registration, not of the decision",
    arguments: [false, true], ["es", nil])
  func decisions(_ hasUpstream: Bool, _ language: String?) async throws {
    let network = hasUpstream ? ScriptedNetwork(Script(register: [try Script.Step("accept")])) : nil
    #expect(
      try await languages(network, language, deciding: "account.approve")
        == [.accountWaiting: language, .accountApproved: language])
    #expect(
      try await languages(network, language, deciding: "account.refuse")
        == [.accountWaiting: language, .accountRefused: language])
  }

  @Test("the mail system receives the mail in the language of the registration, not in the administrator's")
  func written() async throws {
    let system = StagedMail()
    let subject = Subject(
      mail: system, verification: VerificationTerms(hasMail: true), admission: Self.approval,
      languages: ReloadableLanguages(InventedLanguages.languages()))
    let entry =
      #"{"email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase","language":"qaa"}"#
    _ = await subject.call("registration.register", entry, uid: 7)
    let administrator = subject.talk()
    _ = await administrator.call("rpc.language", #"["qab-XX"]"#)
    _ = await administrator.call("account.approve", Self.who)
    _ = await subject.mails.round { .now }
    let taken = await system.taken
    #expect(taken.map(\.kind).contains(.accountApproved) && taken.allSatisfy { $0.language == "qaa" })
    #expect(taken.map(\.subject).contains("«Your registration was approved»"))
  }

  @Test("the mail is in the language of the registration even if the outbox finishes the approval later")
  func later() async throws {
    let network = ScriptedNetwork(Script(register: [try Script.Step("offline"), try Script.Step("accept")]))
    let subject = Subject(
      network: network, mail: StagedMail(), verification: VerificationTerms(hasMail: true), admission: Self.approval,
      defersWhenUnreachable: true)
    let entry = #"["a@example.com","a fine phrase","a fine phrase"]"#
    let talk = subject.talk(uid: 7)
    _ = await talk.call("rpc.language", #"["es"]"#)
    _ = await talk.call("registration.register", entry)
    #expect(try await outcome(subject, "account.approve")["account"]?["state"]?.string == "pending")
    _ = await subject.call("outbox.retry", "{}")
    _ = await subject.outbox.round { .now }
    #expect(try await state(subject) == "active")
    let mails = try await subject.store.mails(after: nil, limit: 9).map(\.intent)
    #expect(mails.first { $0.kind == .accountApproved }?.language == "es")
  }

  /// Adds as many waiting accounts as a user without origins may have while other users have none.
  private func fill(_ subject: Subject, uid: UInt32) async throws {
    let crowd = (1...WaitingBounds.all / 3).map { number in
      var stored = Fixtures.account("n\(number)@example.com", state: .waiting)
      stored.registrant = Registrant(uid: uid)
      return stored
    }
    #expect(try await subject.store.importing(crowd, Stamp(Fixtures.time)).allSatisfy { $0 == .imported })
  }

  @Test("a correct code is not lost while too many accounts wait: it verifies the claim once there is room")
  func crowdedProof() async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(isRequired: true, hasMail: true), admission: Self.approval)
    let talk = subject.talk(uid: 7)
    let made = try JSONValue.outcome(await talk.call("registration.register", Self.entry).last ?? "")
    let id = try #require(made["claim"]?["id"]?.string.flatMap { ClaimID($0) })
    let code = subject.codes.code(of: try #require(try await subject.store.find(id, at: Fixtures.time)))
    let proof = "{\"claim\":\"\(id)\",\"code\":\"\(code)\"}"
    try await fill(subject, uid: 7)
    for _ in 0..<9 {
      #expect(try JSONValue.outcome(await talk.call("claim.prove", proof).last ?? "").string == "server.busy")
    }
    _ = await subject.call("account.approve", #"{"email":"n1@example.com"}"#)
    let proven = try JSONValue.outcome(await talk.call("claim.prove", proof).last ?? "")
    #expect(proven["account"]?["state"]?.string == "waiting")
  }

  @Test("when a user's quota of waiting accounts is full, a registration fails and may be repeated later")
  func crowded() async throws {
    let subject = Subject(admission: Self.approval)
    try await fill(subject, uid: 7)
    let reply = await subject.call("registration.register", Self.entry, uid: 7)
    let data = JSONValue(reply.utf8)?["error"]?["data"]
    #expect(data?["reason"]?.string == "server.busy" && data?["retryable"]?.bool == true, "\(reply)")
    #expect(data?["retryAfter"]?.integer == 600)
    #expect(try await outcome(subject, "account.get").string == "account.notFound")
    _ = await subject.call("account.refuse", #"{"email":"n1@example.com"}"#)
    let again = try JSONValue.outcome(await subject.call("registration.register", Self.entry, uid: 7))
    #expect(again["account"]?["state"]?.string == "waiting")
    let other = #"{"email":"o@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"}"#
    #expect(try JSONValue.outcome(await subject.call("registration.register", other, uid: 8))["account"] != nil)
  }

  @Test("registering and deleting repeatedly sends an unverified address no more mails than the limit for codes allows")
  func bomb() async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(hasMail: true), admission: Self.approval)
    var mails = 0
    for _ in 0..<60 {
      let made = try await outcome(
        subject, "registration.register", #"["a@example.com","a fine phrase","a fine phrase"]"#)
      #expect(made["account"]?["state"]?.string == "waiting")
      mails += try await subject.store.mails(after: nil, limit: 99).count
      #expect(try await outcome(subject, "owner.delete", #"["a@example.com","a fine phrase"]"#) == [:])
    }
    #expect(mails == MailBounds.perAddress + MailBounds.perKnownShare)
  }

  @Test("changing an address back and forth sends each address a limited number of mails")
  func toAndFro() async throws {
    let subject = Subject(mail: StagedMail(), verification: VerificationTerms(hasMail: true))
    _ = await subject.call("registration.register", Self.entry)
    var (from, to) = ("a@example.com", "b@example.com")
    for _ in 0..<60 {
      let changed = try await outcome(subject, "owner.changeEmail", "[\"\(from)\",\"a fine phrase\",\"\(to)\"]")
      #expect(changed["account"]?["email"]?.string == to)
      (from, to) = (to, from)
    }
    let mails = try await subject.store.mails(after: nil, limit: 99).map(\.intent)
    for address in [from, to] {
      #expect(mails.count { $0.to.typed == address && $0.kind == .emailChanged } <= MailBounds.perAddress + 4)
    }
  }

  @Test("a registration form leads to welcome and reports `registered`; a sign-in form then gets account.waiting")
  func form() async throws {
    let talk = Subject(admission: Self.approval).talk()
    _ = await talk.call("form.open", #"["registration"]"#)
    let entry = #"{"form":1,"email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"}"#
    _ = await talk.call("form.set", entry)
    let lines = await talk.call("form.submit", "[1]")
    #expect(lines.contains { $0.contains(#""event":"navigate","to":"welcome""#) })
    #expect(lines.contains { $0.contains(#""registered":true"#) })
    _ = await talk.call("form.open", #"["signIn"]"#)
    _ = await talk.call("form.set", #"{"form":2,"email":"a@example.com","password":"a fine phrase"}"#)
    #expect(await talk.call("form.submit", "[2]").contains { $0.contains(#""reason":"account.waiting""#) })
  }
}
