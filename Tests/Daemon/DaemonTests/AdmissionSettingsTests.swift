import JSONRPC
import RegdClient
import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// `registration.mode`, `approval`, `approvedDomains`, `invitationSeconds` and `terms`: invalid values, values in force, and
/// reloads.
@Suite("Settings: admission", .blocking, .timeLimit(.minutes(10)))
struct AdmissionSettingsTests {
  private func settings(
    _ yaml: String, _ environment: [String: String] = [:]
  ) async throws(ConfigurationError) -> RegistrationSettings {
    let variables = ["REGD_SOCKET_GROUP": ""].merging(environment) { $1 }
    return try await Settings(file: ("f.yaml", yaml), environment: variables).registration
  }

  @Test(
    "an invalid value is refused with the valid ones",
    arguments: [
      ("mode: public", "registration.mode: must be one of open, invited, closed, not \"public\""),
      ("approval: true", "registration.approval: must be one of none, administrator, uninvited, not \"true\""),
      (
        "approvedDomains: [com]",
        "registration.approvedDomains: \"com\" has no dot, and would approve nothing; write *.com for all domains below it"
      ),
      (
        "approvedDomains: [example.net, \"@example.org\"]",
        "\"@example.org\" is not a domain, and would approve nothing; write example.org for only that domain"
      ),
      ("approvedDomains: [\"*\"]", "registration.approvedDomains: \"*\" is not a domain such as example.org"),
      ("invitationSeconds: 0", "registration.invitationSeconds: must be a number of seconds from 1 to 31536000"),
      ("invitationSeconds: 31536001", "registration.invitationSeconds: must be a number of seconds from 1 to 31536000"),
      ("terms: 2026-11", "registration.terms: this is a section, not a value: write its keys below it"),
      ("terms: {version: \"a\\u0007\"}", "registration.terms.version: must not contain control characters"),
      (
        "terms: {version: \(String(repeating: "x", count: 257))}",
        "registration.terms.version: is too long; the maximum is 256 bytes"
      ),
    ])
  func refused(_ yaml: String, _ says: String) async {
    do {
      _ = try await settings("registration: {\(yaml)}")
      Issue.record("taken: \(yaml)")
    } catch {
      #expect("\(error)".contains(says), "\(error)")
    }
  }

  @Test("the settings come from the defaults, the file and the environment")
  func read() async throws {
    let shipped = try await settings("")
    #expect(shipped.admission == AdmissionTerms() && shipped.terms == nil)
    #expect(shipped.admission == AdmissionTerms(mode: .open, approval: .none, invitation: .seconds(604_800)))
    #expect(shipped.approvedDomains.isEmpty && !shipped.approvesUnverified)
    let written = try await settings(
      "registration: {mode: invited, approval: administrator, invitationSeconds: 60, terms: {version: v, url: u}}",
      ["REGD_REGISTRATION_TERMS_VERSION": "w"])
    #expect(written.admission == AdmissionTerms(mode: .invited, approval: .administrator, invitation: .seconds(60)))
    #expect(written.terms == TermsOfUse(version: "w", url: "u"))
    // A page without a version requires no acceptance.
    #expect(try await settings("registration: {terms: {url: u}}").terms == nil)
    let exempting = try await settings(
      "registration: {approval: uninvited}", ["REGD_REGISTRATION_APPROVED_DOMAINS": "Example.ORG,*.example.net"])
    #expect(exempting.approval == .uninvited && exempting.approvedDomains == ["Example.ORG", "*.example.net"])
    #expect(exempting.admission != AdmissionTerms(approval: .uninvited))
  }

  @Test("approved domains are unsafe only if other accounts wait and addresses are not verified")
  func unverified() async throws {
    let domains = "approvedDomains: [example.org]"
    let mail = "mail: {backend: event, from: a@b.example}"
    for (yaml, isUnsafe) in [
      ("registration: {approval: administrator, \(domains)}", true),
      ("registration: {approval: uninvited, \(domains)}", true),
      ("registration: {approval: uninvited}", false), ("registration: {\(domains)}", false),
      ("registration: {approval: uninvited, \(domains), verification: required}\n\(mail)", false),
    ] {
      #expect(try await settings(yaml).approvesUnverified == isUnsafe, "\(yaml)")
    }
  }

  @Test("approved domains whose addresses are not verified cause a warning at startup")
  func warned() throws {
    for (approval, isWarned) in [("uninvited", true), ("none", false)] {
      let variables = ["REGD_REGISTRATION_APPROVAL": approval, "REGD_REGISTRATION_APPROVED_DOMAINS": "example.org"]
      try withRegd(variables) { regd in
        regd.process.end()
        let log = regd.process.output
        #expect(log.contains(LogMessage.approvalUnverified.text) == isWarned, "\(log)")
      }
    }
  }

  private static func entry(_ email: String, _ more: [JSONValue.Member] = []) -> JSONValue {
    .object(
      [
        .init("email", .string(email)), .init("password", "a fine phrase"),
        .init("passwordConfirmation", "a fine phrase"),
      ] + more)
  }

  @Test("rpc.serverInfo returns the rules, and follows reloads")
  func serverInfo() throws {
    try ReloadableRegd.with { it in
      func info() throws -> String? { try it.client.call("rpc.serverInfo").get()["registration"]?.text }
      #expect(
        try info()
          == #"{"mode":"open","verification":"none","approval":"none","password":{"minimumLength":8,"maximumLength":256,"refuseCommon":true,"refuseResemblingEmail":true,"refuseBreached":false},"email":{"maximumLength":254,"internationalized":true}}"#
      )
      let yaml = """
        registration: {mode: invited, approval: uninvited, approvedDomains: [example.com], terms: {version: "2026", url: "https://x.example"}}
        password: {minimumLength: 12, maximumLength: 64, refuseCommon: false, refuseResemblingEmail: false}
        email: {maximumLength: 100, internationalized: false, allowedDomains: [example.com, "*.example.org"], blockedDomains: [spam.example]}
        """
      try it.reload(yaml)
      #expect(
        try info()
          == #"{"mode":"invited","verification":"none","approval":"uninvited","terms":{"version":"2026","url":"https://x.example"},"password":{"minimumLength":12,"maximumLength":64,"refuseCommon":false,"refuseResemblingEmail":false,"refuseBreached":false},"email":{"maximumLength":100,"internationalized":false,"allowedDomains":["example.com","*.example.org"]}}"#
      )
    }
  }

  @Test("a reload applies each key at once, also to open forms, but approves no account")
  func reloads() throws {
    try ReloadableRegd.with("registration: {mode: closed}") { it in
      let client = try it.client
      func reason(_ entry: JSONValue) throws -> String? {
        guard case .failure(let error) = try client.call("registration.register", entry) else { return nil }
        return error.reason
      }
      let form = try #require(try client.call("form.open", ["kind": "registration"]).get()["form"])
      func state(_ members: JSONValue.Member...) throws -> JSONValue? {
        try client.call("form.set", .object([.init("form", form)] + members)).get()["state"]
      }
      #expect(try reason(Self.entry("a@example.com")) == "registration.closed")
      #expect(try it.reload("registration: {mode: invited}") == ["registration.mode"])
      #expect(try reason(Self.entry("a@example.com")) == "validation.failed")
      #expect(try state()?["needs"]?.text == #"["invitation"]"#)
      let invitation = try client.call("invitation.create", ["note": "n"]).get()
      let code = try #require(invitation["code"])
      #expect(
        try it.reload("registration: {approval: administrator, terms: {version: \"1\"}}")
          == ["registration.mode", "registration.approval", "registration.terms.version"])
      #expect(try state()?["needs"]?.text == #"["terms"]"#)
      #expect(try reason(Self.entry("a@example.com")) == "validation.failed")
      let made = try client.call(
        "registration.register", Self.entry("a@example.com", [.init("terms", "1"), .init("invitation", code)])
      ).get()
      #expect(made["account"]?["state"]?.string == "waiting")
      #expect(try it.reload("").count == 2)
      #expect(
        try client.call("account.get", ["email": "a@example.com"]).get()["account"]?["state"]?.string == "waiting")
      #expect(try reason(Self.entry("b@example.com")) == nil)
    }
  }

  @Test("a reload applies approved domains at once, and approves no account of them")
  func approvedDomains() throws {
    try ReloadableRegd.with("registration: {approval: administrator}") { it in
      let client = try it.client
      func register(_ email: String) throws -> String? {
        try client.call("registration.register", Self.entry(email)).get()["account"]?["state"]?.string
      }
      #expect(try register("a@example.org") == "waiting")
      #expect(
        try it.reload("registration: {approval: administrator, approvedDomains: [example.org]}")
          == ["registration.approvedDomains"])
      #expect(try register("b@example.org") == "active")
      #expect(try register("b@example.com") == "waiting")
      let waiting = try client.call("account.list", ["state": "waiting"]).get()["accounts"]?.array ?? []
      #expect(waiting.compactMap { $0["email"]?.string } == ["a@example.org", "b@example.com"])
    }
  }

  @Test("the status and the metrics count waiting accounts and usable invitations, and at the defaults contain neither")
  func status() throws {
    try ReloadableRegd.with { it in
      let client = try it.client
      _ = try client.call("registration.register", Self.entry("a@example.com")).get()
      #expect(try it.status()["registration"] == nil)
      try it.reload("registration: {approval: administrator}")
      #expect(try it.status()["registration"]?["waiting"]?.integer == 0)
      _ = try client.call("registration.register", Self.entry("b@example.com")).get()
      let kept = try client.call("invitation.create", ["uses": .number("2")]).get()
      let revoked = try #require(try client.call("invitation.create").get()["invitation"]?["id"])
      _ = try client.call("invitation.revoke", .object([.init("id", revoked)])).get()
      try reached { try it.status()["registration"]?.text == #"{"waiting":1,"invitations":1}"# }
      let metrics = try #require(try client.call("daemon.metrics").get()["text"]?.string)
      #expect(metrics.contains("\nregd_accounts_waiting 1") && metrics.contains("\nregd_invitations_open 1"))
      let code = try #require(kept["code"])
      for name in ["c", "d"] {
        _ = try client.call("registration.register", Self.entry("\(name)@example.com", [.init("invitation", code)]))
          .get()
      }
      for name in ["b", "c"] {
        _ = try client.call("account.approve", ["email": .string("\(name)@example.com")]).get()
      }
      try reached { try it.status()["registration"]?.text == #"{"waiting":1,"invitations":0}"# }
      _ = try client.call("account.refuse", ["email": "d@example.com"]).get()
      try it.reload("")
      try reached { try it.status()["registration"] == nil }
    }
  }

  @Test("no invitation code is in the log or in a file of the store")
  func secrets() throws {
    try withRegd { regd in
      let client = try regd.client()
      let code = try #require(try client.call("invitation.create").get()["code"]?.string)
      for name in ["a", "b"] {
        _ = try client.call(
          "registration.register", Self.entry("\(name)@example.com", [.init("invitation", .string(code))]))
      }
      #expect(try client.call("account.list").get()["accounts"]?.array?.count == 1)
      #expect(SecretSearch.found(in: regd.directory, [code, code.lowercased()]) == [])
    }
  }
}
