import RegdClient
import Registration
import TestDoubles
import Testing

@Suite("invitation.*")
struct InvitationMethodsTests {
  private func outcome(
    _ subject: Subject, _ method: String, _ params: String, uid: UInt32 = 0
  ) async throws -> JSONValue {
    try JSONValue.outcome(await subject.call(method, params, uid: uid))
  }

  @Test("only administrators may call it", arguments: ["invitation.create", "invitation.list", "invitation.revoke"])
  func access(_ method: String) async throws {
    #expect(try await outcome(Subject(), method, "null", uid: 7).string == "access.denied")
  }

  @Test(
    "invitation.create refuses invalid params and names the member",
    arguments: [
      (#"{"uses":0}"#, "uses"), (#"{"uses":100001}"#, "uses"), (#"{"uses":-1}"#, "uses"),
      (#"{"uses":9223372036854775807}"#, "uses"), (#"{"uses":2,"email":"a@example.com"}"#, "uses"),
      (#"{"expiresSeconds":0}"#, "expiresSeconds"), (#"{"expiresSeconds":31536001}"#, "expiresSeconds"),
      (#"{"note":"\#(String(repeating: "ü", count: 129))"}"#, "note"),
      (#"{"email":"a@example.com","domain":"example.com"}"#, "domain"), (#"{"send":true}"#, "send"),
      (#"{"send":true,"domain":"example.com"}"#, "send"), (#"{"code":"x"}"#, "code"),
    ])
  func params(_ params: String, _ field: String) async throws {
    let subject = Subject(mail: StagedMail(), verification: VerificationTerms(hasMail: true))
    let error = try #require(JSONValue(await subject.call("invitation.create", params).utf8)?["error"])
    #expect(error["code"]?.integer == -32602 && error["data"]?["field"]?.string == field, "\(error.text)")
    #expect(try await outcome(subject, "invitation.list", "null")["invitations"]?.array?.isEmpty == true)
  }

  @Test(
    "an address or a domain that no registration may have is a problem of its field; a taken address is email.taken")
  func problems() async throws {
    let subject = Subject()
    for (params, field, reason) in [
      (#"{"email":"x"}"#, "email", "email.syntax"), (#"{"email":""}"#, "email", "email.missing"),
      (#"{"domain":"x"}"#, "domain", "email.domain"), (#"{"domain":""}"#, "domain", "email.syntax"),
      (#"{"domain":"-x.example"}"#, "domain", "email.domain"), (#"{"domain":"@"}"#, "domain", "email.syntax"),
      (#"{"domain":"@@example.org"}"#, "domain", "email.syntax"),
      (#"{"domain":"ann@example.org"}"#, "domain", "email.syntax"),
    ] {
      let error = try #require(JSONValue(await subject.call("invitation.create", params).utf8)?["error"])
      let problem = error["data"]?["problems"]?.array?.first
      #expect(problem?["field"]?.string == field && problem?["reason"]?.string == reason, "\(params) \(error.text)")
    }
    _ = await subject.call("registration.register", #"["a@example.com","a fine phrase","a fine phrase"]"#)
    #expect(try await outcome(subject, "invitation.create", #"{"email":"A@example.com"}"#).string == "email.taken")
  }

  @Test(
    "a domain may be copied from regctl's output, with an @ and direction marks",
    arguments: ["@example.org", " example.org\t", "\u{2068}@example.org\u{2069}", "@\u{200E}EXAMPLE.org\u{200F} "])
  func copied(_ domain: String) async throws {
    let params = JSONValue.object([.init("domain", .string(domain))]).text
    let made = try await outcome(Subject(), "invitation.create", params)
    #expect(made["invitation"]?["domain"]?.string == "example.org", "\(made.text)")
  }

  @Test("sending an invitation requires a mail system and fails beyond the number of mails that an address may receive")
  func sent() async throws {
    let params = #"{"email":"a@example.com","send":true}"#
    #expect(try await outcome(Subject(), "invitation.create", params).string == "feature.off")
    let subject = Subject(mail: StagedMail(), verification: VerificationTerms(hasMail: true))
    for _ in 0..<12 { #expect(try await outcome(subject, "invitation.create", params)["invitation"] != nil) }
    let last = try #require(JSONValue(await subject.call("invitation.create", params).utf8)?["error"])
    #expect(last["data"]?["reason"]?.string == "rate.limited" && last["data"]?["retryAfter"]?.integer == 3600)
    #expect(try await outcome(subject, "invitation.list", "null")["invitations"]?.array?.count == 12)
  }

  @Test("a new invitation has the requested values, and otherwise the defaults")
  func made() async throws {
    let subject = Subject()
    let plain = try await outcome(subject, "invitation.create", "null")
    let invitation = try #require(plain["invitation"])
    let id = invitation["id"]?.string ?? "?"
    let end = Fixtures.time.advanced(by: .seconds(604_800)).rfc3339
    #expect(
      invitation.text
        == #"{"id":"\#(id)","uses":1,"used":0,"held":0,"createdAt":"\#(Fixtures.time.rfc3339)","expiresAt":"\#(end)","by":0}"#
    )
    #expect(plain["code"]?.string?.utf8.count == 26)
    let full = try await outcome(
      subject, "invitation.create",
      #"{"domain":"EXÄMPLE.org","uses":100000,"expiresSeconds":1,"note":"n","send":false}"#)
    #expect(full["invitation"]?["domain"]?.string == "xn--exmple-cua.org")
    #expect(full["invitation"]?["uses"]?.integer == 100_000 && full["invitation"]?["note"]?.string == "n")
    #expect(full["invitation"]?["expiresAt"]?.string == Fixtures.time.advanced(by: .seconds(1)).rfc3339)
    let bound = try await outcome(subject, "invitation.create", #"{"email":"A@Example.com","uses":1}"#)
    #expect(bound["invitation"]?["email"]?.string == "A@Example.com")
    let (first, rest) = (
      try await outcome(subject, "invitation.list", #"{"limit":2}"#),
      try await outcome(subject, "invitation.list", "null")
    )
    let next = try #require(first["next"]?.string)
    let second = try await outcome(subject, "invitation.list", "{\"after\":\"\(next)\"}")
    #expect((first["invitations"]?.array ?? []) + (second["invitations"]?.array ?? []) == rest["invitations"]?.array)
    #expect(rest["invitations"]?.array?.count == 3 && rest["next"] == nil)
  }

  @Test("revoking twice returns the same invitation, an unknown id is an error, and claims that hold a use end")
  func revoked() async throws {
    let subject = Subject(
      verification: VerificationTerms(isRequired: true, hasMail: true), admission: AdmissionTerms(mode: .invited))
    #expect(try await outcome(subject, "invitation.revoke", #"["x"]"#).string == "rpc.invalidParams")
    let unknown = await subject.call("invitation.revoke", #"["0192d3a4-7c1e-7b32-9f00-0123456789ab"]"#)
    #expect(try JSONValue.outcome(unknown).string == "invitation.notFound" && unknown.contains("1016"))
    let made = try await outcome(subject, "invitation.create", "null")
    let (id, code) = (try #require(made["invitation"]?["id"]?.string), try #require(made["code"]?.string))
    let entry = #"{"email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""#
    let claim = try await outcome(subject, "registration.register", "\(entry),\"invitation\":\"\(code)\"}")["claim"]
    let number = try #require(claim?["id"]?.string)
    let first = try await outcome(subject, "invitation.revoke", "[\"\(id)\"]")
    #expect(first["invitation"]?["revokedAt"]?.string == Fixtures.time.rfc3339)
    #expect(first["invitation"]?["held"]?.integer == 0)
    #expect(try await outcome(subject, "invitation.revoke", "[\"\(id)\"]") == first)
    #expect(try await outcome(subject, "claim.prove", "[\"\(number)\",\"123456\"]").string == "claim.notFound")
    let events = try await outcome(subject, "events.list", "null")["events"]?.array ?? []
    #expect(events.map { $0["event"]?.string } == ["invitation.created", "invitation.revoked"])
    #expect(events.allSatisfy { $0["invitation"]?.string == id && $0["account"] == nil && $0["uid"]?.integer == 0 })
  }
}
