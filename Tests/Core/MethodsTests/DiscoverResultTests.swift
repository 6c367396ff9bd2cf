import JSONRPC
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

@testable import Methods

/// Checks the results of methods against their schemas in the document.
@Suite("Results and their schemas in rpc.discover")
struct DiscoverResultTests {
  private let subject = Subject(network: ScriptedNetwork(Script()), mail: StagedMail())

  private func invitation() async throws -> String {
    try #require(JSONValue.outcome(await subject.call("invitation.create", "null"))["invitation"]?["id"]?.string)
  }

  @Test("each result has the members that the document describes, and no others")
  func results() async throws {
    for (name, state) in [("made", Account.State.active), ("waits", .waiting)] {
      let account = Fixtures.account("\(name)@example.com", state: state)
      _ = try await subject.store.insert(account, request: nil, Stamp(Fixtures.time))
    }
    let waiting = Fixtures.account("waiting@example.com", state: .pending)
    _ = try await subject.store.insert(waiting, request: nil, Stamp(Fixtures.time))
    var mails: [MailIntent] = []
    for number in 0..<2 {
      mails.append(
        MailIntent(
          id: MailID(at: Fixtures.time.advanced(by: .seconds(number))), kind: .passwordChanged,
          to: waiting.account.email, claim: nil, account: nil, language: nil, uid: 7, origin: nil,
          createdAt: Fixtures.time))
      try await subject.store.add(mails[number])
    }
    let samples: [(method: String, params: String)] = [
      ("rpc.ping", "null"), ("rpc.serverInfo", "null"), ("rpc.cancel", "[1]"), ("$/cancelRequest", "[1]"),
      ("rpc.language", "[\"es\"]"),
      ("registration.validate", "[\"x\",\"y\",null]"),
      ("registration.validate", "[\"a@example.com\",\"a fine phrase\",\"a fine phrase\"]"),
      ("registration.checkEmail", "[\"a@example.com\"]"),
      ("registration.register", "[\"a@example.com\",\"a fine phrase\",\"a fine phrase\"]"),
      ("session.signIn", "[\"a@example.com\",\"a fine phrase\"]"), ("daemon.status", "null"), ("rpc.discover", "null"),
      ("registration.status", "[\"never heard of\"]"), ("account.get", #"{"email":"a@example.com"}"#),
      ("account.disable", #"{"email":"a@example.com"}"#), ("account.enable", #"{"email":"a@example.com"}"#),
      ("account.signOut", #"{"email":"a@example.com"}"#),
      (
        "account.setPassword",
        #"{"email":"a@example.com","password":"fine phrase","passwordConfirmation":"fine phrase"}"#
      ),
      ("account.create", #"["new@example.com","a fine phrase","a fine phrase"]"#),
      ("account.approve", #"{"email":"made@example.com"}"#),
      ("account.refuse", #"{"email":"waits@example.com"}"#),
      ("invitation.create", "null"), ("invitation.create", #"{"domain":"example.org","note":"n"}"#),
      ("invitation.list", "null"), ("invitation.revoke", "[\"\(try await invitation())\"]"),
      ("account.list", "[null,1]"), ("account.export", "null"), ("account.import", #"[[{"email":"x"},5]]"#),
      ("events.list", "null"), ("events.subscribe", "null"), ("events.unsubscribe", "null"), ("daemon.metrics", "null"),
      ("audit.head", "null"), ("audit.prove", "[1,2]"), ("audit.consistency", "[1,2]"),
      ("daemon.holdStore", "null"), ("daemon.releaseStore", #"["x"]"#),
      ("daemon.acceptStore", "null"),
      ("account.addGroups", #"{"email":"a@example.com","groups":["b","a"]}"#), ("group.list", "null"),
      ("account.setDisplayName", #"{"email":"a@example.com","displayName":"Ada"}"#),
      ("account.removeGroups", #"{"email":"a@example.com","groups":["b"]}"#),
      ("account.delete", #"{"email":"a@example.com"}"#), ("outbox.list", "null"), ("outbox.retry", "null"),
      ("outbox.discard", "[\"\(waiting.account.id)\"]"), ("daemon.reload", "null"), ("mail.list", "null"),
      ("mail.retry", "null"), ("mail.sent", "[\"\(mails[0].id)\"]"), ("mail.discard", "[\"\(mails[1].id)\"]"),
    ]
    // A form belongs to a connection, and each call here opens its own.
    let ofForms: Set = ["form.open", "form.set", "form.submit", "form.close"]
    let document = try JSONValue.outcome(await subject.call("rpc.discover", "null"))
    let described = try #require(document["methods"]?.array)
    let terms = Subject(terms: TermsOfUse(version: "1", url: ""))
    _ = await terms.call("account.create", #"["a@example.com","a fine phrase","a fine phrase"]"#)
    let ofClaims =
      try await claimed() + [
        (
          "owner.setDisplayName",
          await terms.call("owner.setDisplayName", #"["a@example.com","a fine phrase","Ada"]"#)
        ),
        ("owner.acceptTerms", await terms.call("owner.acceptTerms", #"["a@example.com","a fine phrase","1"]"#)),
      ]
    #expect(
      Set(described.compactMap { $0["name"]?.string })
        == Set(samples.map(\.method)).union(ofForms).union(ofClaims.map(\.method)))
    for (name, reply) in ofClaims {
      let schema = try #require(described.first { $0["name"]?.string == name }?["result"]?["schema"])
      let result = try #require(JSONValue(reply.utf8)?["result"], "\(name): \(reply)")
      if let fault = document.fault(in: result, schema) { Issue.record("\(name): \(fault)") }
    }
    for (name, params) in samples {
      let schema = try #require(described.first { $0["name"]?.string == name }?["result"]?["schema"])
      let result = try #require(JSONValue(await subject.call(name, params).utf8)?["result"], "\(name)")
      if let fault = document.fault(in: result, schema) { Issue.record("\(name): \(fault)") }
    }
  }

  /// The replies of methods with required email verification.
  private func claimed() async throws -> [(method: String, reply: String)] {
    let subject = Subject(verification: VerificationTerms(isRequired: true, resend: .zero, hasMail: true))
    let entry = #""a@example.com","a fine phrase""#
    let owner = #""email":"a@example.com","password":"a fine phrase""#
    var replies: [(method: String, reply: String)] = []
    func call(_ method: String, _ params: String) async {
      replies.append((method, await subject.call(method, params)))
    }
    func claim() async throws -> (id: String, code: String) {
      let text = JSONValue((replies.last?.reply ?? "").utf8)?["result"]?["claim"]?["id"]?.string ?? ""
      let id = try #require(ClaimID(text))
      return (text, subject.codes.code(of: try #require(await subject.store.find(id, at: Fixtures.time))))
    }
    await call("registration.register", "[\(entry),\"a fine phrase\",\"r\"]")
    await call("registration.status", #"["r"]"#)
    await call("claim.list", "null")
    let first = JSONValue(replies[0].reply.utf8)?["result"]?["claim"]?["id"]?.string ?? ""
    await call("claim.resend", "[\"\(first)\"]")
    let made = try await claim()
    await call("claim.prove", "[\"\(made.id)\",\"\(made.code)\"]")
    await call("recovery.start", #"["a@example.com","pt-BR, en;q=0.5","a session"]"#)
    let recovery = try await claim()
    await call("recovery.finish", "[\"\(recovery.id)\",\"\(recovery.code)\",\"a new phrase\",\"a new phrase\"]")
    await call("owner.changePassword", #"["a@example.com","a new phrase","a fine phrase","a fine phrase"]"#)
    await call("owner.signOut", "{\(owner)}")
    let kept = JSONValue((replies.last?.reply ?? "").utf8)?["result"]
    await call(
      "session.check", "[\"\(kept?["account"]?["id"]?.string ?? "")\",\"\(kept?["stamp"]?.string ?? "")\"]")
    await call("owner.changeEmail", "{\(owner),\"newEmail\":\"b@example.com\"}")
    subject.reload(AdmissionTerms(), TermsOfUse(version: "1", url: ""))
    await call("session.signIn", "{\(owner)}")
    await call("owner.acceptTerms", "{\(owner),\"terms\":\"1\"}")
    await call("account.get", #"[null,"a@example.com"]"#)
    await call("account.export", "null")
    await call("events.list", "null")
    await call("owner.export", "{\(owner)}")
    await call("owner.delete", "{\(owner)}")
    return replies
  }

  @Test("the status of a database that has gone back has the members that the document describes")
  func setback() async throws {
    let setback = StoreSetback(offered: .init(timeline: 1, entry: 900), seen: .init(timeline: 2, entry: 1000))
    let subject = Subject(setback: setback)
    let document = try JSONValue.outcome(await subject.call("rpc.discover", "null"))
    let schema = try #require(
      document["methods"]?.array?.first { $0["name"]?.string == "daemon.status" }?["result"]?["schema"])
    let status = try JSONValue.outcome(await subject.call("daemon.status", "null"))
    #expect(
      status["store"]?["wentBack"]?.text == #"{"timeline":1,"entry":900,"seenTimeline":2,"seenEntry":1000}"#)
    if let fault = document.fault(in: status, schema) { Issue.record("\(fault)") }
  }

  @Test("the schema check accepts a valid value and finds a fault in each invalid one")
  func checkOfCheck() throws {
    let schema = try #require(
      JSONValue(
        #"{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}},"required":["a"],"additionalProperties":false}"#
          .utf8))
    for (text, isGood) in [
      (#"{"a":["x","x"]}"#, true), (#"{"a":["y"]}"#, false), (#"{"a":[1]}"#, false), (#"{}"#, false), (#"[]"#, false),
      (#"{"a":[],"b":1}"#, false),
    ] {
      #expect((JSONValue.null.fault(in: try #require(JSONValue(text.utf8)), schema) == nil) == isGood, "\(text)")
    }
  }
}

extension JSONValue {
  /// The first fault of a value under its schema, or nil. `self` is the document, which resolves references. This
  /// supports the part of JSON Schema that regd's documents use.
  func fault(in value: JSONValue, _ schema: JSONValue) -> String? {
    if let reference = schema["$ref"]?.string {
      let path = reference.split(separator: "/").dropFirst()
      guard let named = path.reduce(self as JSONValue?, { $0?[String($1)] }) else { return "no \(reference)" }
      return fault(in: value, named)
    }
    if let choices = schema["anyOf"]?.array {
      return choices.contains { fault(in: value, $0) == nil } ? nil : "none fits"
    }
    let type = schema["type"]?.string
    if let values = schema["enum"]?.array, !values.contains(value) { return "\(value.text) is no choice" }
    switch (value, type) {
    case (.null, "null"), (.bool, "boolean"), (.string, "string"): return nil
    case (.number, "number"): return nil
    case (.number, "integer"): return value.integer == nil ? "\(value.text) is no integer" : nil
    case (.array(let elements), "array"):
      guard let items = schema["items"] else { return nil }
      return elements.lazy.compactMap { fault(in: $0, items) }.first
    case (.object(let members), "object"):
      guard case .object(let properties)? = schema["properties"] else { return nil }
      for required in schema["required"]?.array ?? [] where value[required.string ?? ""] == nil {
        return "\(required.text) is missing"
      }
      for member in members {
        guard let property = properties.first(where: { $0.name == member.name }) else {
          return "\(member.name) is unknown"
        }
        if let fault = fault(in: member.value, property.value) { return "\(member.name): \(fault)" }
      }
      return nil
    default: return "\(value.text) is no \(type ?? "?")"
    }
  }
}
