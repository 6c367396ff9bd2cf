import RegdClient
import Registration
import RehearsedNetworks
import TestKit
import Testing

/// `registration.approval`, over the wire.
@Suite("Approval by administrators")
struct ApprovalTests {
  private static let approval = AdmissionTerms(needsApproval: true)
  private static let entry = #"["a@example.com","a fine phrase","a fine phrase","r"]"#
  private static let who = #"{"email":"a@example.com"}"#

  private func outcome(_ subject: Subject, _ method: String, _ params: String = who) async throws -> JSONValue {
    try JSONValue.outcome(await subject.call(method, params))
  }

  private func state(_ subject: Subject) async throws -> String? {
    try await outcome(subject, "account.get")["account"]?["state"]?.string
  }

  @Test("a registration waits: its status, a sign-in with the right password, and what administrators may not do")
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
    // a reload approves nobody
    subject.reload(AdmissionTerms())
    #expect(try await state(subject) == "waiting")
    #expect(try await outcome(subject, "owner.delete", #"["a@example.com","a fine phrase"]"#) == [:])
  }

  @Test("who waits is listed, approved, and is not refused any more; what is no state is a params error")
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

  @Test("a refused account is gone, and its address free")
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
    "the upstream is asked when an account is approved: what it certainly does not have waits on",
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

  @Test("an approval that was put off is not undone by the first 409")
  func putOff() async throws {
    let network = ScriptedNetwork(Script(register: [try Script.Step("offline"), try Script.Step("taken")]))
    let subject = Subject(network: network, admission: Self.approval, defersWhenUnreachable: true)
    _ = await subject.call("registration.register", Self.entry)
    #expect(try await outcome(subject, "account.approve")["account"]?["state"]?.string == "pending")
    let again = try await outcome(subject, "registration.register", Self.entry)
    #expect(again["account"]?["state"]?.string == "pending")
    #expect(try await state(subject) == "pending")
  }

  @Test("the mail that tells of waiting speaks the language of the proof")
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

  @Test("registering and deleting again and again mails an address that nobody has proven no more than codes may")
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

  @Test("and so does a change of address to and fro")
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

  @Test("a form ends at welcome, and the person is registered")
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
