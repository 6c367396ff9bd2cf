import JSONRPC
import RegdClient
import Registration
import TestDoubles
import Testing

/// `registration.mode`, over the wire: who may register.
@Suite("Registration modes")
struct AdmissionTests {
  private static let invited = AdmissionTerms(mode: .invited)
  private static let closed = AdmissionTerms(mode: .closed)

  /// The params of a registration.
  private func entry(_ name: String, _ more: String = "") -> String {
    #"{"email":"\#(name)@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"\#(more)}"#
  }

  private func outcome(_ subject: Subject, _ method: String, _ params: String) async throws -> JSONValue {
    try JSONValue.outcome(await subject.call(method, params))
  }

  @Test("in closed mode, every registration fails, and registration.validate does not enable even a valid entry")
  func closed() async throws {
    let subject = Subject(admission: Self.closed)
    let code = try await subject.invite()
    for params in ["{}", entry("a"), entry("a", ",\"invitation\":\"\(code)\""), #"{"email":"x","terms":"y"}"#] {
      let refused = await subject.call("registration.register", params)
      #expect(try JSONValue.outcome(refused).string == "registration.closed", "\(params)")
      #expect(refused.contains("\"code\":1013"))
    }
    let valid = try await outcome(subject, "registration.validate", entry("a"))
    #expect(valid["registrationEnabled"]?.bool == false && valid["problems"]?.array?.isEmpty == true)
    #expect(valid["emailValid"]?.bool == true && valid["passwordValid"]?.bool == true)
    #expect(try await outcome(subject, "registration.validate", "{}")["problems"]?.array?.count == 3)
    #expect(try await outcome(subject, "registration.checkEmail", #"["a@example.com"]"#)["available"]?.bool == true)
    #expect(try await subject.store.list(after: nil, limit: 9).isEmpty)
    #expect(try await outcome(subject, "account.create", entry("a"))["account"]?["state"]?.string == "active")
  }

  @Test("in closed mode, a repeat with its requestId still gets the first reply, also with email verification")
  func closedRepeat() async throws {
    for verification in [VerificationTerms(), VerificationTerms(isRequired: true, hasMail: true)] {
      let subject = Subject(verification: verification)
      let params = entry("a", #","requestId":"r""#)
      let made = try await outcome(subject, "registration.register", params)
      subject.reload(Self.closed)
      #expect(try await outcome(subject, "registration.register", params) == made)
      #expect(try await outcome(subject, "registration.register", entry("a")).string == "registration.closed")
    }
  }

  @Test("in closed mode, a registration's claim can be neither verified nor sent again, but stays and loses no attempt")
  func closedClaim() async throws {
    let subject = Subject(verification: VerificationTerms(isRequired: true, resend: .zero, hasMail: true))
    let claim = try await outcome(subject, "registration.register", entry("a"))["claim"]
    let id = try #require(claim?["id"]?.string)
    let number = try #require(ClaimID(id))
    let stored = try #require(await subject.store.find(number, at: Fixtures.time))
    let code = subject.codes.code(of: stored)
    let wrong = code.hasPrefix("1") ? "234567" : "123456"
    subject.reload(Self.closed)
    for code in [wrong, code] {
      #expect(try await outcome(subject, "claim.prove", "[\"\(id)\",\"\(code)\"]").string == "registration.closed")
    }
    #expect(try await outcome(subject, "claim.resend", "[\"\(id)\"]").string == "registration.closed")
    #expect(try await outcome(subject, "claim.list", "null")["claims"]?.array?.first?["attempts"]?.integer == 0)
    subject.reload(AdmissionTerms())
    let proven = try await outcome(subject, "claim.prove", "[\"\(id)\",\"\(code)\"]")
    #expect(proven["account"]?["state"]?.string == "active")
  }

  @Test("in invited mode, registering and validating without an invitation report the same problem")
  func missing() async throws {
    let subject = Subject(admission: Self.invited)
    for more in ["", #","invitation":null"#, #","invitation":"""#] {
      let reply = try #require(JSONValue(await subject.call("registration.register", entry("a", more)).utf8)?["error"])
      let problems = reply["data"]?["problems"]
      #expect(problems?.array?.map { $0["reason"]?.string } == ["invitation.missing"])
      #expect(problems?.array?.first?["field"]?.string == "invitation")
      let validated = try await outcome(subject, "registration.validate", entry("a", more))
      #expect(validated["problems"] == problems && validated["registrationEnabled"]?.bool == false)
    }
    #expect(try await outcome(subject, "registration.register", entry("a", #","invitation":5"#)) == "rpc.invalidParams")
    // registration.validate does not reveal whether an invitation is valid.
    let guessed = try await outcome(subject, "registration.validate", entry("a", #","invitation":"x""#))
    #expect(guessed["registrationEnabled"]?.bool == true)
  }

  @Test("the reply to an invalid invitation is the same, whatever is wrong with the invitation")
  func rejected() async throws {
    let subject = Subject(admission: Self.invited)
    let used = try await subject.invite()
    _ = await subject.call("registration.register", entry("first", ",\"invitation\":\"\(used)\""))
    let other = try await subject.invite(#"{"email":"other@example.com"}"#)
    let domain = try await subject.invite(#"{"domain":"example.org"}"#)
    let revoked = try await subject.invite()
    for invitation in try await outcome(subject, "invitation.list", "null")["invitations"]?.array ?? []
    where invitation["email"] == nil && invitation["domain"] == nil && invitation["used"]?.integer == 0 {
      _ = await subject.call("invitation.revoke", "[\"\(invitation["id"]?.string ?? "")\"]")
    }
    let expired = InvitationCode()
    let past = Fixtures.time.advanced(by: .seconds(-1))
    _ = try await subject.store.add(
      Invitation(
        id: InvitationID(at: past), digest: subject.codes.digest(of: expired), email: nil, domain: nil, uses: 1,
        createdAt: past, expiresAt: past, note: nil, by: 0, isMailed: false), nil, Stamp(past))
    let nobodys = [
      InvitationCode().description, "x", String(repeating: "0", count: 26), String(repeating: "x", count: 9_999),
    ]
    var replies: Set<String> = []
    for code in [used, other, domain, revoked, expired.description] + nobodys {
      let reply = await subject.call("registration.register", entry("a", ",\"invitation\":\"\(code)\""))
      #expect(reply.contains("\"code\":1014"), "\(code): \(reply)")
      replies.insert(reply)
    }
    #expect(replies.count == 1)
    #expect(try await subject.store.list(after: nil, limit: 9).count == 1)
  }

  @Test("each use makes one account; a valid invitation for a taken address fails with email.taken and is not used")
  func uses() async throws {
    let subject = Subject(admission: Self.invited)
    let code = try await subject.invite(#"{"uses":2}"#)
    func register(_ name: String, _ code: String) async throws -> JSONValue {
      try await outcome(subject, "registration.register", entry(name, ",\"invitation\":\"\(code)\""))
    }
    #expect(try await register("a", code)["account"]?["state"]?.string == "active")
    #expect(try await register("a", code).string == "email.taken")
    let spelled = String(code.lowercased().map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 })
    #expect(try await register("b", "\(spelled.prefix(5))-\(spelled.dropFirst(5)) ")["account"] != nil)
    #expect(try await register("c", code).string == "invitation.rejected")
    let listed = try await outcome(subject, "invitation.list", "null")["invitations"]?.array?.first
    #expect(listed?["used"]?.integer == 2 && listed?["held"]?.integer == 0)
  }

  @Test("in open mode, regd still checks and uses an invitation that the caller sends")
  func open() async throws {
    let subject = Subject()
    let code = try await subject.invite()
    #expect(
      try await outcome(subject, "registration.register", entry("a", #","invitation":"x""#)) == "invitation.rejected")
    #expect(try await outcome(subject, "registration.register", entry("a"))["account"] != nil)
    let invited = entry("b", ",\"invitation\":\"\(code)\"")
    #expect(try await outcome(subject, "registration.register", invited)["account"] != nil)
    #expect(try await outcome(subject, "invitation.list", "null")["invitations"]?.array?.first?["used"]?.integer == 1)
  }

  @Test("a mailed code appears in no reply, and makes an account at once, even with required email verification")
  func mailed() async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(isRequired: true, hasMail: true), admission: Self.invited)
    let made = try await outcome(
      subject, "invitation.create", #"{"email":"a@example.com","send":true,"language":"es"}"#)
    #expect(made["code"] == nil)
    let id = try #require(made["invitation"]?["id"]?.string.flatMap { InvitationID($0) })
    let code = subject.codes.code(ofInvitation: id).description
    #expect(await subject.call("mail.list", "null").contains("\"kind\":\"invitation\""))
    let account = try await outcome(subject, "registration.register", entry("a", ",\"invitation\":\"\(code)\""))
    #expect(account["account"]?["state"]?.string == "active" && account["claim"] == nil)
    // A code that regd returned to an administrator does not verify the address.
    let told = try await subject.invite(#"{"email":"b@example.com"}"#)
    let claimed = try await outcome(subject, "registration.register", entry("b", ",\"invitation\":\"\(told)\""))
    #expect(claimed["claim"] != nil && claimed["account"] == nil)
    let held = try await outcome(subject, "invitation.list", "null")["invitations"]?.array?.first {
      $0["email"]?.string == "b@example.com"
    }
    #expect(held?["used"]?.integer == 0 && held?["held"]?.integer == 1)
  }

  @Test("a code appears only in the reply of invitation.create, not in other replies, errors, events or the audit")
  func secret() async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(isRequired: true, hasMail: true), admission: Self.invited)
    let observed = subject.talk()
    _ = await observed.call("events.subscribe", "null")
    let code = try await subject.invite(#"{"uses":2,"note":"n"}"#)
    let mailed = try await outcome(subject, "invitation.create", #"{"email":"m@example.com","send":true}"#)[
      "invitation"]
    let id = try #require(mailed?["id"]?.string)
    let number = try #require(InvitationID(id))
    let sent = subject.codes.code(ofInvitation: number).description
    var said: [String] = []
    for (method, params) in [
      ("registration.register", entry("a", ",\"invitation\":\"\(code)\"")),
      ("registration.register", entry("x", ",\"invitation\":\"\(sent)\"")),
      ("registration.register", entry("m", ",\"invitation\":\"\(sent)\"")),
      ("registration.validate", entry("a", ",\"invitation\":\"\(code)\"")), ("invitation.list", "null"),
      ("invitation.revoke", "[\"\(id)\"]"), ("claim.list", "null"), ("mail.list", "null"), ("events.list", "null"),
      ("account.list", "null"), ("account.export", "null"), ("account.get", #"[null,"m@example.com"]"#),
    ] {
      said.append(await subject.call(method, params))
    }
    let form = subject.talk()
    said += await form.call("form.open", #"["registration"]"#)
    said += await form.call("form.set", "{\"form\":1,\"email\":\"f@example.com\",\"invitation\":\"\(code)\"}")
    observed.sendNotifications()
    said.append(observed.receive())
    #expect(said.count > 14)
    for text in said { #expect(!text.contains(code) && !text.contains(sent), "\(text)") }
    let events = try await outcome(subject, "events.list", "null")["events"]?.array ?? []
    let created = try #require(events.first { $0["event"]?.string == "invitation.created" })
    #expect(created["invitation"]?.string != nil && created["account"] == nil && created["email"] == nil)
  }
}
