import JSONRPC
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

@testable import Methods

/// Checks the document against the methods.
@Suite("The document of rpc.discover")
struct DiscoverTests {
  private let subject = Subject(network: ScriptedNetwork(Script()), mail: StagedMail())

  private func document() async throws -> JSONValue {
    try JSONValue.outcome(await subject.call("rpc.discover", "null"))
  }

  private func methods() async throws -> [JSONValue] { try #require(try await document()["methods"]?.array) }

  @Test("for every method, a params error names the member as the document does")
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

  @Test("the document describes lists of groups as strings, and a new display name as required but nullable")
  func namesOfGroups() async throws {
    let methods = try await methods()
    func parameter(_ method: String, _ name: String) -> JSONValue? {
      methods.first { $0["name"]?.string == method }?["params"]?.array?.first { $0["name"]?.string == name }
    }
    for method in ["owner.setDisplayName", "account.setDisplayName"] {
      let name = try #require(parameter(method, "displayName"))
      #expect(name["schema"]?.text == #"{"type":["string","null"]}"# && name["required"]?.bool == true)
    }
    #expect(
      parameter("account.addGroups", "groups")?["schema"]?.text == #"{"type":"array","items":{"type":"string"}}"#)
    #expect(
      parameter("session.signIn", "groups")?["schema"]?.text
        == #"{"type":["array","null"],"items":{"type":"string"}}"#)
  }

  @Test("every reference in the document resolves, and every named schema is referred to")
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

  @Test("schemas with the same name are equal")
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

  @Test("the choices of a parameter are those of the code")
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

  @Test("a method enforces the bounds and formats that its parameters declare")
  func bounds() async throws {
    for method in subject.table.methods {
      for parameter in method.parameters {
        let name = "\(method.name) \(parameter.name)"
        let wrong: [String]
        switch parameter.form {
        case .any, .elements, .strings: continue
        case .uuid: wrong = ["\"x\""]
        case .oneOf: wrong = ["\"x\""]
        case .between(let least, let most): wrong = ["\(least - 1)"] + (most.map { ["\($0 + 1)"] } ?? [])
        case .length(let least, let most):
          wrong = (least > 0 ? ["\"\""] : []) + ["\"\(String(repeating: "x", count: most + 1))\""]
        }
        // An unknown account or form has its own error.
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
    case (.string, _), (.nullableString, _): "\"x\""
    }
  }

  @Test("notifications match their descriptions")
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

  @Test("the data of an error matches its description")
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

  @Test("the document fits into the response limit that the article on limits gives")
  func size() async throws {
    #expect(try await document().text.utf8.count < 139_264 - 1024)
  }
}
