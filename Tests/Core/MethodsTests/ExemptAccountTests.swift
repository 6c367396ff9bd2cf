import AddressNormalization
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

/// `registration.approval: uninvited` and `registration.approvedDomains`, over the wire.
@Suite("Accounts that need no approval")
struct ExemptAccountTests {
  private static let uninvited = AdmissionTerms(approval: .uninvited)
  private static let verified = VerificationTerms(isRequired: true, hasMail: true)

  private static func approving(
    _ domains: [String], _ approval: AdmissionTerms.Approval = .administrator
  ) -> AdmissionTerms {
    AdmissionTerms(approval: approval, approvedDomains: DomainPatterns(domains, UnicodeNormalizer()))
  }

  private static func entry(_ email: String, _ more: String) -> String {
    #"{"email":"\#(email)","password":"a fine phrase","passwordConfirmation":"a fine phrase"\#(more)}"#
  }

  /// The member of a registration that gives an invitation.
  private func invitation(_ subject: Subject, _ params: String) async throws -> String {
    ",\"invitation\":\"\(try await subject.invite(params))\""
  }

  /// Registers, and returns the account's state or the reason of the error.
  private func register(_ subject: Subject, _ email: String, _ more: String = "") async throws -> String? {
    let made = try await subject.outcome("registration.register", Self.entry(email, more))
    return made["account"]?["state"]?.string ?? made.string
  }

  private func claim(_ subject: Subject, _ email: String, _ more: String = "") async throws -> ClaimID {
    let made = try await subject.outcome("registration.register", Self.entry(email, more))
    return try #require(made["claim"]?["id"]?.string.flatMap { ClaimID($0) })
  }

  /// Verifies a claim with the correct code, and returns the account's state or the reason of the error.
  private func prove(_ subject: Subject, _ id: ClaimID) async throws -> String? {
    let claim = try #require(try await subject.store.find(id, at: Fixtures.time))
    let proven = try await subject.outcome("claim.prove", "[\"\(id)\",\"\(subject.codes.code(of: claim))\"]")
    return proven["account"]?["state"]?.string ?? proven.string
  }

  private func state(_ subject: Subject, _ email: String) async throws -> String? {
    try await subject.outcome("account.get", #"{"email":"\#(email)"}"#)["account"]?["state"]?.string
  }

  private func events(_ subject: Subject) async throws -> [String] {
    try await subject.outcome("events.list", "null")["events"]?.array?.compactMap { $0["event"]?.string } ?? []
  }

  /// The mails that wait, as kind and address.
  private func mails(_ subject: Subject) async throws -> [String] {
    try await subject.store.mails(after: nil, limit: 99).map { "\($0.intent.kind.rawValue) \($0.intent.to.typed)" }
  }

  @Test("if only uninvited accounts wait, a later invitation ends no wait and keeps its use")
  func uninvited() async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(hasMail: true), admission: Self.uninvited)
    let invited = try await invitation(subject, #"{"uses":2}"#)
    let nobodys = ",\"invitation\":\"\(InvitationCode())\""
    #expect(try await register(subject, "x@example.com", nobodys) == "invitation.rejected")
    let (w, i) = (#","requestId":"w""#, #","requestId":"i""#)
    #expect(try await register(subject, "w@example.com", w) == "waiting")
    #expect(try await register(subject, "w@example.com", w + invited) == "waiting")
    #expect(try await register(subject, "w@example.com", invited) == "email.taken")
    #expect(try await register(subject, "i@example.com", i + invited) == "active")
    #expect(try await register(subject, "i@example.com", i) == "active", "a repeat needs no invitation")
    let listed = try await subject.outcome("invitation.list", "null")["invitations"]?.array
    #expect(listed?.first?["used"]?.integer == 1)
    #expect(try await events(subject) == ["invitation.created", "account.waiting", "account.registered"])
    #expect(try await mails(subject) == ["accountWaiting w@example.com"])
  }

  @Test(
    "accounts of an approved domain do not wait, under the rules for allowed domains and in each kind of approval",
    arguments: AdmissionTerms.Approval.allCases)
  func domains(_ approval: AdmissionTerms.Approval) async throws {
    let subject = Subject(admission: Self.approving(["Example.ORG", "*.Bücher.example"], approval))
    for (email, isApproved) in [
      ("a@example.net", false), ("a@mail.example.org", false), ("a@myexample.org", false),
      ("a@example.org.example", false), ("a@bücher.example", false), ("a@EXAMPLE.org", true),
      ("a@x.bücher.example", true), ("b@x.xn--bcher-kva.example", true),
    ] {
      let expected = isApproved || approval == .none ? "active" : "waiting"
      #expect(try await register(subject, email) == expected, "\(email)")
    }
  }

  @Test("when a code is accepted, the configuration of that time decides, with the claim's domain and invitation")
  func claims() async throws {
    let subject = Subject(mail: StagedMail(), verification: Self.verified)
    let invited = try await invitation(subject, #"{"uses":9}"#)
    let early = (
      stranger: try await claim(subject, "stranger@example.com"),
      member: try await claim(subject, "member@example.org"),
      guest: try await claim(subject, "guest@example.com", invited)
    )
    subject.reload(Self.approving(["example.org"], .uninvited))
    #expect(try await prove(subject, early.stranger) == "waiting")
    #expect(try await prove(subject, early.member) == "active")
    #expect(try await prove(subject, early.guest) == "active")
    let late = (
      member: try await claim(subject, "late@example.org"),
      guest: try await claim(subject, "late@example.com", invited)
    )
    subject.reload(AdmissionTerms(approval: .administrator))
    #expect(try await prove(subject, late.member) == "waiting")
    #expect(try await prove(subject, late.guest) == "waiting")
    // A reload approves no account, and a repeated verification decides nothing again.
    subject.reload(Self.approving(["example.org", "example.com"], .uninvited))
    for claim in [early.stranger, late.member, late.guest] {
      #expect(try await prove(subject, claim) == "waiting")
    }
    let told = try await mails(subject).filter { $0.hasPrefix("accountWaiting") }
    #expect(
      told.sorted() == [
        "accountWaiting late@example.com", "accountWaiting late@example.org", "accountWaiting stranger@example.com",
      ])
  }

  @Test("a mailed invitation counts as one, also for a concealed registration", arguments: [false, true])
  func mailed(_ conceals: Bool) async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(isRequired: true, conceals: conceals, hasMail: true),
      admission: Self.uninvited)
    let made = try await subject.outcome("invitation.create", #"{"email":"a@example.com","send":true}"#)
    let id = try #require(made["invitation"]?["id"]?.string.flatMap { InvitationID($0) })
    let code = subject.codes.code(ofInvitation: id)
    #expect(try await register(subject, "a@example.com", ",\"invitation\":\"\(code)\"") == "active")
    // Taken and free addresses get the same kind of reply, although the account of one waits.
    let stranger = try await claim(subject, "b@example.com")
    #expect(try await prove(subject, stranger) == "waiting")
    let again = try await register(subject, "b@example.com")
    #expect(again == (conceals ? nil : "email.taken"), "a claim has neither a state nor a reason")
  }

  @Test(
    "an account that does not wait is registered at the upstream at once, and the upstream's faults never make it wait",
    arguments: [
      ("offline", "network.offline", nil), ("reject", "network.rejected", nil), ("taken", "email.taken", nil),
      ("timeout", "network.timeout", "pending"), ("accept", "active", "active"),
    ] as [(String, String, String?)])
  func upstream(_ step: String, _ answer: String, _ state: String?) async throws {
    let subject = Subject(
      network: ScriptedNetwork(Script(register: [try Script.Step(step)])), admission: Self.approving(["example.org"]))
    #expect(try await register(subject, "w@example.com") == "waiting", "the upstream is not asked")
    #expect(try await register(subject, "a@example.org") == answer)
    #expect(try await self.state(subject, "a@example.org") == state)
    #expect(try await events(subject).count { $0 == "account.waiting" } == 1)
  }

  @Test("the outbox delivers an account that does not wait, without a mail about an approval")
  func deferred() async throws {
    let network = ScriptedNetwork(Script(register: [try Script.Step("offline"), try Script.Step("accept")]))
    let subject = Subject(
      network: network, mail: StagedMail(), verification: VerificationTerms(hasMail: true), admission: Self.uninvited,
      defersWhenUnreachable: true)
    let invited = try await invitation(subject, "{}")
    #expect(try await register(subject, "a@example.com", invited) == "pending")
    _ = await subject.call("outbox.retry", "{}")
    _ = await subject.outbox.round { .now }
    #expect(try await state(subject, "a@example.com") == "active")
    #expect(try await mails(subject).isEmpty)
  }

  @Test("a registration that an upstream did not get may be repeated without its invitation, and then waits")
  func released() async throws {
    let network = ScriptedNetwork(Script(register: [try Script.Step("offline"), try Script.Step("accept")]))
    let subject = Subject(network: network, admission: Self.uninvited)
    let (invited, request) = (try await invitation(subject, "{}"), #","requestId":"r""#)
    #expect(try await register(subject, "a@example.com", request + invited) == "network.offline")
    #expect(try await register(subject, "a@example.com", request) == "waiting")
    #expect(try await register(subject, "b@example.com", invited) == "active", "the use was given back")
  }

  @Test("the owner of a waiting account cannot change its address to one of an approved domain")
  func changed() async throws {
    for verification in [VerificationTerms(), Self.verified] {
      let subject = Subject(
        mail: StagedMail(), verification: verification, admission: AdmissionTerms(approval: .administrator))
      if verification.isRequired {
        #expect(try await prove(subject, claim(subject, "w@example.com")) == "waiting")
      } else {
        #expect(try await register(subject, "w@example.com") == "waiting")
      }
      subject.reload(Self.approving(["example.org"]))
      let change = #"["w@example.com","a fine phrase","w@example.org"]"#
      #expect(try await subject.outcome("owner.changeEmail", change).string == "account.waiting")
      #expect(try await state(subject, "w@example.com") == "waiting")
    }
  }
}
