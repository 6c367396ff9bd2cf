import JSONRPC
import RegdClient
import Registration
import RehearsedNetworks
import TestKit
import Testing

@testable import Methods

/// The document and what the methods really do, held together.
@Suite("What rpc.discover says")
struct DiscoverTests {
  private let subject = Subject(network: ScriptedNetwork(Script()), mail: StagedMail())

  private func document() async throws -> JSONValue {
    try JSONValue.outcome(await subject.call("rpc.discover", "null"))
  }

  private func methods() async throws -> [JSONValue] { try #require(try await document()["methods"]?.array) }

  @Test("a params error names the member that the document has, for every method")
  func params() async throws {
    for method in try await methods() {
      let name = try #require(method["name"]?.string)
      let unknown = try #require(JSONValue(await subject.call(name, #"{"unheardOf":1}"#).utf8))
      #expect(unknown["error"]?["code"]?.integer == -32602, "\(name)")
      #expect(unknown["error"]?["data"]?["field"]?.string == "unheardOf", "\(name)")
      for parameter in method["params"]?.array ?? [] {
        let member = try #require(parameter["name"]?.string)
        let value = parameter["schema"]?.text.contains("\"array\"") == true ? "{}" : "[[]]"
        let wrong = try #require(JSONValue(await subject.call(name, "{\"\(member)\":\(value)}").utf8))
        #expect(wrong["error"]?["code"]?.integer == -32602, "\(name) \(member)")
        #expect(wrong["error"]?["data"]?["field"]?.string == member, "\(name) \(member)")
      }
      for required in (method["params"]?.array ?? []).filter({ $0["required"]?.bool == true }).prefix(1) {
        let missing = try #require(JSONValue(await subject.call(name, "{}").utf8))
        #expect(missing["error"]?["data"]?["field"]?.string == required["name"]?.string, "\(name)")
      }
    }
  }

  private func invitation() async throws -> String {
    try #require(JSONValue.outcome(await subject.call("invitation.create", "null"))["invitation"]?["id"]?.string)
  }

  @Test("results have the members that the document says, and no others")
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
      ("daemon.holdStore", "null"), ("daemon.releaseStore", #"["x"]"#),
      ("account.delete", #"{"email":"a@example.com"}"#), ("outbox.list", "null"), ("outbox.retry", "null"),
      ("outbox.discard", "[\"\(waiting.account.id)\"]"), ("daemon.reload", "null"), ("mail.list", "null"),
      ("mail.retry", "null"), ("mail.sent", "[\"\(mails[0].id)\"]"), ("mail.discard", "[\"\(mails[1].id)\"]"),
    ]
    // forms are their connection's
    let ofForms: Set = ["form.open", "form.set", "form.submit", "form.close"]
    let document = try await document()
    let described = try await methods()
    let terms = Subject(terms: TermsOfUse(version: "1", url: ""))
    _ = await terms.call("account.create", #"["a@example.com","a fine phrase","a fine phrase"]"#)
    let ofClaims =
      try await claimed() + [
        ("owner.acceptTerms", await terms.call("owner.acceptTerms", #"["a@example.com","a fine phrase","1"]"#))
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

  /// What methods answer where addresses are proven first.
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

  @Test("the check of results finds what is wrong")
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

  @Test("what the document refers to is there, and what has a name is referred to")
  func references() async throws {
    let document = try await document()
    let references = Set(document.text.matches(of: /"\$ref":"#\/components\/([^"]+)"/).map { String($0.1) })
    var components: Set<String> = []
    for kind in ["schemas", "errors"] {
      guard case .object(let members)? = document["components"]?[kind] else { continue }
      #expect(Set(members.map(\.name)).count == members.count)
      components.formUnion(members.map { "\(kind)/\($0.name)" })
    }
    #expect(references.isSubset(of: components))
    #expect(components.filter { $0.hasPrefix("schemas/") }.isSubset(of: references))
    #expect(components.count > 60)
  }

  @Test("two schemas of one name are one")
  func names() async throws {
    var texts: [String: String] = [:]
    func note(_ schema: Schema) {
      switch schema {
      case .string, .integer, .number, .boolean, .choice, .anyObject: break
      case .array(let inner, _), .nullable(let inner): note(inner)
      case .oneOf(let choices, _): choices.forEach(note)
      case .object(let members, _): members.map(\.schema).forEach(note)
      case .named(let name, let inner):
        var writer = JSONWriter()
        inner.write(to: &writer)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(texts[name, default: text] == text, "\(name)")
        texts[name] = text
        note(inner)
      }
    }
    for method in subject.table.methods { note(method.result) }
    for notification in subject.table.description.notifications { note(notification.params) }
    #expect(texts.count > 30)
  }

  @Test("words that a parameter may be are those of the code")
  func words() throws {
    let forms = subject.table.methods.flatMap { method in method.parameters.map { ("\(method.name) \($0.name)", $0) } }
    let words = Dictionary(
      uniqueKeysWithValues: forms.compactMap { name, parameter -> (String, [String])? in
        if case .oneOf(let words) = parameter.form { (name, Parameter.words(words)) } else { nil }
      })
    #expect(
      words == [
        "account.list state": Account.State.allCases.map(\.rawValue), "account.create state": ["active", "disabled"],
        "form.open kind": ["registration", "signIn", "recovery"],
      ])
  }

  @Test("bounds and formats of a parameter are those that its method holds callers to")
  func bounds() async throws {
    for method in subject.table.methods {
      for parameter in method.parameters {
        let name = "\(method.name) \(parameter.name)"
        let wrong: [String]
        switch parameter.form {
        case .any, .elements: continue
        case .uuid: wrong = ["\"x\""]
        case .oneOf: wrong = ["\"x\""]
        case .between(let least, let most): wrong = ["\(least - 1)"] + (most.map { ["\($0 + 1)"] } ?? [])
        case .length(let least, let most):
          wrong = (least > 0 ? ["\"\""] : []) + ["\"\(String(repeating: "x", count: most + 1))\""]
        }
        // an account or a form that is not there has an error of its own
        guard !["session.check account", "form.set form", "form.submit form", "form.close form"].contains(name) else {
          continue
        }
        for value in wrong {
          let others = method.parameters.filter { $0.isRequired && "\($0.name)" != "\(parameter.name)" }
            .map { ",\"\($0.name)\":\(Self.plain($0))" }.joined()
          let reply = await subject.call("\(method.name)", "{\"\(parameter.name)\":\(value)\(others)}")
          #expect(JSONValue(reply.utf8)?["error"]?["data"]?["field"]?.string == "\(parameter.name)", "\(name) \(value)")
        }
      }
    }
  }

  private static func plain(_ parameter: Parameter) -> String {
    switch (parameter.kind, parameter.form) {
    case (.integer, _), (.id, _): "1"
    case (.array, _): "[]"
    case (.boolean, _): "true"
    case (.object, _): "{}"
    case (.string, .oneOf(let words)): "\"\(Parameter.words(words)[0])\""
    case (.string, _): "\"x\""
    }
  }

  @Test("notifications are as they are described")
  func notifications() async throws {
    let document = try await document()
    let described = try #require(document["x-notifications"]?.array)
    let talk = subject.talk()
    var lines = await talk.call("events.subscribe", "null")
    lines += await talk.call("form.open", #"["registration"]"#)
    lines += await talk.call("form.set", #"[1,"a@example.com","a fine phrase","a fine phrase"]"#)
    lines += await talk.call("form.submit", "[1]")
    lines += await talk.call("form.submit", "[1]")
    let told = lines.compactMap { JSONValue($0.utf8) }.filter { $0["id"] == nil }
    for notification in told {
      let row = try #require(described.first { $0["name"] == notification["method"] })
      if let fault = document.fault(in: try #require(notification["params"]), try #require(row["params"])) {
        Issue.record("\(notification.text): \(fault)")
      }
    }
    #expect(Set(told.compactMap { $0["method"]?.string }) == Set(described.compactMap { $0["name"]?.string }))
  }

  @Test("the data of an error is as it is described")
  func errorData() async throws {
    let document = try await document()
    for (method, params) in [
      ("registration.register", "null"), ("daemon.reload", "[true]"), ("account.get", "[null,\"x@example.com\"]"),
      ("form.set", "[1]"), ("rpc.cancel", "null"),
    ] {
      let error = try #require(JSONValue(await subject.call(method, params).utf8)?["error"])
      let reason = try #require(error["data"]?["reason"]?.string)
      let described = try #require(document["components"]?["errors"]?[reason], "\(reason)")
      #expect(described["code"] == error["code"] && described["message"]?.string == reason)
      if let fault = document.fault(in: try #require(error["data"]), try #require(described["data"])) {
        Issue.record("\(reason): \(fault)")
      }
    }
  }

  @Test("it fits where the article on limits says that it does")
  func size() async throws {
    #expect(try await document().text.utf8.count < 131_072 - 1024)
  }
}

extension JSONValue {
  /// What of a value its schema does not allow; as much of JSON Schema as regd's documents have. This is the document.
  fileprivate func fault(in value: JSONValue, _ schema: JSONValue) -> String? {
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
