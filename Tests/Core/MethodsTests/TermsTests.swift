import PasswordHashing
import RegdClient
import Registration
import TestDoubles
import Testing

/// `registration.terms` and `account.create`, over the wire.
@Suite("Terms of use, and account.create")
struct TermsTests {
  private static let terms = TermsOfUse(version: "2026-11", url: "https://example.com/terms")

  private func entry(_ name: String, _ more: String = "") -> String {
    #"{"email":"\#(name)@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"\#(more)}"#
  }

  private func outcome(_ subject: Subject, _ method: String, _ params: String) async throws -> JSONValue {
    try JSONValue.outcome(await subject.call(method, params))
  }

  private func problems(_ subject: Subject, _ method: String, _ params: String) async throws -> [String?] {
    let error = try #require(JSONValue(await subject.call(method, params).utf8)?["error"], "\(params)")
    return (error["data"]?["problems"]?.array ?? []).map {
      "\($0["field"]?.string ?? "") \($0["reason"]?.string ?? "")"
    }
  }

  @Test(
    "a registration must accept the current terms; the account, the audit and the owner's export contain their version")
  func accepted() async throws {
    let subject = Subject(terms: Self.terms)
    for more in ["", #","terms":null"#, #","terms":"""#] {
      #expect(try await problems(subject, "registration.register", entry("a", more)) == ["terms terms.missing"])
    }
    let old = #","terms":"2025""#
    #expect(try await problems(subject, "registration.register", entry("a", old)) == ["terms terms.outdated"])
    #expect(
      try await outcome(subject, "registration.validate", entry("a", old))["problems"]?.array?.first?["reason"]?.string
        == "terms.outdated")
    let made = try await outcome(subject, "registration.register", entry("a", #","terms":"2026-11""#))
    #expect(made["account"] != nil && made["terms"] == nil)
    let expected = #"{"version":"2026-11","acceptedAt":"\#(Fixtures.time.rfc3339)"}"#
    for (method, params) in [
      ("account.get", #"{"email":"a@example.com"}"#), ("owner.export", #"["a@example.com","a fine phrase"]"#),
    ] {
      #expect(try await outcome(subject, method, params)["terms"]?.text == expected, "\(method)")
    }
    let events = try await outcome(subject, "events.list", "null")["events"]?.array ?? []
    #expect(events.map { $0["event"]?.string } == ["account.registered", "terms.accepted"])
    #expect(events.last?["terms"]?.string == "2026-11" && events.last?["account"] != nil)
    #expect(try await outcome(subject, "session.signIn", #"["a@example.com","a fine phrase"]"#)["terms"] == nil)
  }

  @Test("session.signIn returns the terms that the owner has yet to accept, until the owner calls owner.acceptTerms")
  func later() async throws {
    let subject = Subject()
    let owner = #""email":"a@example.com","password":"a fine phrase""#
    _ = await subject.call("registration.register", entry("a", #","terms":"not looked at""#))
    #expect(try await outcome(subject, "owner.acceptTerms", "{\(owner),\"terms\":\"x\"}").string == "feature.off")
    #expect(try await outcome(subject, "session.signIn", "{\(owner)}")["terms"] == nil)
    subject.reload(AdmissionTerms(), Self.terms)
    #expect(
      try await outcome(subject, "session.signIn", "{\(owner)}")["terms"]?.text
        == #"{"current":"2026-11","url":"https://example.com/terms"}"#)
    #expect(try await problems(subject, "owner.acceptTerms", "{\(owner)}") == ["terms terms.missing"])
    #expect(try await problems(subject, "owner.acceptTerms", "{\(owner),\"terms\":\"x\"}") == ["terms terms.outdated"])
    let wrong = #"{"email":"a@example.com","password":"x","terms":"2026-11"}"#
    #expect(try await outcome(subject, "owner.acceptTerms", wrong).string == "credentials.rejected")
    for _ in 0..<2 {
      let done = try await outcome(subject, "owner.acceptTerms", "{\(owner),\"terms\":\"2026-11\"}")
      #expect(done["account"]?["email"]?.string == "a@example.com" && done["terms"] == nil)
    }
    #expect(try await outcome(subject, "session.signIn", "{\(owner)}")["terms"] == nil)
    #expect(try await subject.store.audit(after: 0, limit: 9).map(\.change) == [.registered, .termsAccepted])
    subject.reload(AdmissionTerms(), TermsOfUse(version: "2027", url: ""))
    #expect(
      try await outcome(subject, "session.signIn", "{\(owner)}")["terms"]?.text
        == #"{"accepted":"2026-11","current":"2027","url":""}"#)
  }

  @Test("export and import preserve terms and accounts without a password, and import refuses invalid terms")
  func moved() async throws {
    let (old, new) = (Subject(terms: Self.terms), Subject())
    _ = await old.call("account.create", #"{"email":"a@example.com","terms":"2026-11"}"#)
    _ = await old.call("account.create", #"{"email":"b@example.com","state":"disabled"}"#)
    let exported = try await outcome(old, "account.export", "null")
    let records = try #require(exported["records"])
    #expect(records.array?.map { $0["passwordHash"]?.string } == ["*", "*"])
    let of = records.array?.first { $0["email"]?.string == "a@example.com" }
    #expect(
      of?["terms"]?["version"]?.string == "2026-11" && of?["terms"]?["acceptedAt"]?.string == Fixtures.time.rfc3339)
    #expect(try await outcome(new, "account.import", "{\"records\":\(records.text)}")["imported"]?.integer == 2)
    #expect(try await outcome(new, "account.export", "null") == exported)
    let text = { (count: Int) in String(repeating: "é", count: count) }
    for (version, expected) in [
      (text(129), 0), (text(128) + "x", 0), ("a\\u0000", 0), ("a\\nb", 0), ("a\\u2028", 0), (text(128), 1),
    ] {
      let reply = try await outcome(
        new, "account.import",
        #"[[{"email":"l@example.com","passwordHash":"*","terms":{"version":"\#(version)","acceptedAt":"2026-11-21T10:57:00Z"}}]]"#
      )
      #expect(reply["imported"]?.integer == expected)
      #expect(reply["refused"]?.array?.map { $0["reason"]?.string } == (expected == 0 ? ["terms.invalid"] : []))
    }
    let without = #"[[{"email":"n@example.com","passwordHash":"*","terms":null}]]"#
    #expect(try await outcome(new, "account.import", without)["imported"]?.integer == 1)
    let refused = try await outcome(
      new, "account.import",
      #"[[{"email":"c@example.com","passwordHash":"*","terms":{"version":"x"}},{"email":"c@example.com","passwordHash":"*","terms":"x"},{"email":"c@example.com","passwordHash":"*","terms":{"version":"","acceptedAt":"2026-11-21T10:57:00Z"}},{"email":"c@example.com","passwordHash":"*","state":"pending"},{"email":"c@example.com","passwordHash":"*","state":"waiting"},{"email":"c@example.com","passwordHash":"*","terms":{"version":"x","acceptedAt":"2026-11-21T10:57:00Z","by":"y"}}]]"#
    )
    #expect(
      refused["refused"]?.array?.map { $0["reason"]?.string } == [
        "terms.invalid", "terms.invalid", "terms.invalid", "hash.missing", "hash.missing", "record.invalid",
      ])
  }

  @Test("account.create applies the rules to the members that it gets, and to no others")
  func created() async throws {
    let subject = Subject(admission: AdmissionTerms(mode: .invited, approval: .administrator), terms: Self.terms)
    #expect(
      try await outcome(subject, "account.create", #"{"email":"a@example.com","state":"waiting"}"#)
        == "rpc.invalidParams")
    for (params, expected) in [
      ("{}", ["email email.missing"]),
      (#"{"email":"a@example.com","password":"a fine phrase"}"#, ["passwordConfirmation password.confirmationMissing"]),
      (#"{"email":"a@example.com","passwordConfirmation":"x"}"#, ["password password.missing"]),
      (#"{"email":"a@example.com","terms":"2025"}"#, ["terms terms.outdated"]),
    ] {
      let found = try await problems(subject, "account.create", params)
      #expect(expected.allSatisfy { found.contains($0) }, "\(params) \(found)")
    }
    let made = try await outcome(subject, "account.create", entry("a"))
    #expect(made["account"]?["state"]?.string == "active")
    #expect(try await outcome(subject, "account.create", entry("A")).string == "email.taken")
    #expect(try await outcome(subject, "session.signIn", #"["a@example.com","a fine phrase"]"#)["account"] != nil)
    let disabled = try await outcome(subject, "account.create", #"{"email":"d@example.com","state":"disabled"}"#)
    #expect(disabled["account"]?["state"]?.string == "disabled")
  }

  @Test("an account without a password cannot sign in until a password is set, not even with an empty password")
  func passwordless() async throws {
    let subject = Subject()
    for (name, params) in [
      ("a", #"{"email":"a@example.com"}"#),
      ("b", #"{"email":"b@example.com","password":"","passwordConfirmation":""}"#),
    ] {
      #expect(try await outcome(subject, "account.create", params)["account"] != nil)
      for password in ["", "*", "a fine phrase"] {
        let signIn = try await outcome(subject, "session.signIn", "[\"\(name)@example.com\",\"\(password)\"]")
        #expect(signIn.string == "credentials.rejected", "\(password)")
      }
      #expect(try await outcome(subject, "account.setPassword", entry(name))["account"] != nil)
      #expect(
        try await outcome(subject, "session.signIn", "[\"\(name)@example.com\",\"a fine phrase\"]")["account"] != nil)
    }
  }

  @Test("with an upstream, account.create requires a password")
  func upstream() async throws {
    let subject = Subject(network: StagedNetwork())
    #expect(
      try await problems(subject, "account.create", #"{"email":"a@example.com"}"#).contains("password password.missing")
    )
  }
}
