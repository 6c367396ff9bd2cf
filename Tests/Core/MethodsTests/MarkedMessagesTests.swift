import Localization
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

/// Checks that every message for people comes from a catalogue: in a language that marks each of its texts, every
/// message of a method has the marks.
@Suite("Messages come from catalogues")
struct MarkedMessagesTests {
  private static let marked = ReloadableLanguages(InventedLanguages.languages(standard: "qaa"))

  private func check(_ reply: String, _ context: String) throws -> Int {
    let said = try #require(JSONValue(reply.utf8), "\(context): \(reply)").sentences
    for text in said { #expect(text.hasPrefix("«") && text.hasSuffix("»"), "\(context): \(text)") }
    return said.count
  }

  @Test("for every method, the errors for wrong params come from a catalogue")
  func params() async throws {
    let subject = Subject(network: ScriptedNetwork(Script()), mail: StagedMail(), languages: Self.marked)
    let document = try #require(
      JSONValue(await subject.call("rpc.discover", "null").utf8)?["result"]?["methods"]?.array)
    for method in document {
      let name = try #require(method["name"]?.string)
      // Its document is for programmers.
      guard name != "rpc.discover" else { continue }
      var params = ["{\"unheardOf\":1}", "[1,2,3,4,5,6,7,8,9]", "{}"]
      for parameter in method["params"]?.array ?? [] {
        let member = try #require(parameter["name"]?.string)
        for value in ["[[]]", "{}", "5", "-1", "\"\"", "\"x\"", "\"\(String(repeating: "x", count: 70_000))\""] {
          params.append("{\"\(member)\":\(value)}")
        }
      }
      for params in params {
        // Some values are valid.
        let count = try check(await subject.call(name, params), "\(name) \(params.prefix(80))")
        #expect(count > 0 || !params.contains("unheardOf"))
      }
      #expect(try check(await subject.call(name, "null", uid: 7), "\(name) of an open caller") >= 0)
    }
  }

  @Test("the refusals of entries, records, codes and accounts come from a catalogue")
  func entries() async throws {
    let subject = Subject(languages: Self.marked)
    let entry = #"["a@example.com","a fine phrase","a fine phrase","r"]"#
    _ = await subject.call("registration.register", entry)
    let long = String(repeating: "x", count: 65) + "@" + String(repeating: "y.", count: 130)
    for email in [
      "", "x", "@", "@x.example", "a@", "a@b", "a b@x.example", "a@b@x.example", ".a@x.example", "a<@x.example",
      "a\u{200B}@x.example", "a@x\u{200B}.example", "a@-x.example", long,
    ] {
      let text = JSONValue.string(email).text
      #expect(try check(await subject.call("registration.validate", "[\(text),\"password\",\"x\"]"), text) > 2)
    }
    for (method, params) in [
      ("registration.register", "null"),
      ("registration.register", #"["a@example.com","another phrase","another phrase"]"#),
      ("registration.register", #"["b@example.com","another phrase","another phrase","r"]"#),
      ("session.signIn", #"["a@example.com","x"]"#), ("account.get", #"[null,"b@example.com"]"#),
      ("account.get", "null"), ("account.get", #"["x","y"]"#), ("form.set", "[1]"),
      ("mail.discard", #"["0192d3a4-7c1e-7b32-9f00-0123456789ab"]"#),
      ("outbox.discard", #"["0192d3a4-7c1e-7b32-9f00-0123456789ab"]"#), ("outbox.retry", "null"),
      ("mail.retry", "null"),
      ("claim.prove", #"["x","123456"]"#), ("recovery.start", #"["a@example.com"]"#), ("daemon.holdStore", "[1001]"),
    ] {
      #expect(try check(await subject.call(method, params), "\(method) \(params)") > 0)
    }
    let refused = await subject.call(
      "account.import",
      #"[[5,{"x":1},{"email":5},{"email":"a@example.com"},{"email":""},{"email":"c@example.com","passwordHash":"x"},{"email":"c@example.com","passwordHash":"$2b$10$x"},{"email":"c@example.com","passwordHash":"$2b$10$abcdefghijklmnopqrstuuO5S0Jd4zTWmfZpqHvBk0lXDRiGkOdXG","state":"x"}]]"#
    )
    #expect(try check(refused, "account.import") == 8, "\(refused)")
    let reload = try #require(JSONValue(await subject.call("daemon.reload", "[true]").utf8)?["error"])
    #expect(reload["message"]?.string?.hasPrefix("«The new configuration was refused") == true)
    #expect(reload["data"]?["problems"]?.array?.first?["message"]?.string == "is wrong", "diagnostics are in English")
  }

  @Test("the failures of an upstream and a store come from a catalogue, also if the registration may have happened")
  func failures() async throws {
    for step in ["offline", "unavailable", "timeout", "empty", "malformed", "reject", "untrusted", "fail"] {
      let step = try Script.Step(step)
      let subject = Subject(
        network: ScriptedNetwork(Script(checkEmail: [step], register: [step])), languages: Self.marked)
      #expect(try check(await subject.call("registration.checkEmail", #"["a@example.com"]"#), "\(step)") == 1)
      let entry = #"["a@example.com","a fine phrase","a fine phrase"]"#
      #expect(try check(await subject.call("registration.register", entry), "\(step)") == 1)
    }
    let failing = Subject(failing: 1, languages: Self.marked)
    #expect(try check(await failing.call("registration.checkEmail", #"["a@example.com"]"#), "store") == 1)
  }
}
