import JSONRPC
import Localization
import Methods
import RegdClient
import Registration
import TestDoubles
import Testing

/// Checks the contract's section on languages over a connection.
@Suite("Languages on the wire")
struct LanguageTests {
  private let languages = ReloadableLanguages(InventedLanguages.languages())
  private let empty = #""email":"","password":"","passwordConfirmation":"""#

  private func subject(_ terms: VerificationTerms = VerificationTerms(), mail: (any MailService)? = nil) -> Subject {
    Subject(mail: mail, verification: terms, languages: languages)
  }

  private func messages(_ talk: Talk, _ params: String, _ method: String = "registration.validate") async -> [String] {
    let replies = await talk.call(method, params)
    return replies.flatMap { JSONValue($0.utf8)?.sentences ?? [] }
  }

  private let missing = "Enter an email address, for example name@example.com."

  @Test("a language that is not a string fails with rpc.invalidParams, in every method that takes a language")
  func noText() async throws {
    let subject = subject()
    let reply = await subject.call("rpc.discover", "null")
    let methods = try #require(JSONValue(reply.utf8)?["result"]?["methods"]?.array)
    var names: Set<String> = []
    for method in methods where method["params"]?.array?.contains(where: { $0["name"]?.string == "language" }) == true {
      let name = try #require(method["name"]?.string)
      names.insert(name)
      for value in ["5", "true", "[]", "{}"] {
        let error = try #require(JSONValue(await subject.call(name, "{\"language\":\(value)}").utf8)?["error"])
        #expect(error["data"]?["reason"]?.string == "rpc.invalidParams", "\(name)")
        #expect(error["data"]?["field"]?.string == "language", "\(name)")
      }
    }
    #expect(
      names == [
        "rpc.language", "form.open", "registration.validate", "registration.register", "session.signIn",
        "owner.changePassword", "owner.changeEmail", "owner.signOut", "owner.delete", "owner.export", "recovery.start",
        "recovery.finish", "claim.prove", "claim.resend", "owner.acceptTerms", "owner.setDisplayName",
        "invitation.create",
      ])
  }

  @Test(
    "an unknown language counts as none: the connection's language applies, and then the operator's",
    arguments: ["", "tlh", "qab", "*", "en_US", "qaa;q=0", "qää", String(repeating: "q", count: 256), #"\u0000qaa"#])
  func noLanguage(_ text: String) async throws {
    let talk = subject().talk()
    let name = "\"\(text)\""
    #expect(await messages(talk, "{\(empty),\"language\":\(name)}").first == missing)
    _ = await talk.call("rpc.language", #"["qaa"]"#)
    #expect(await messages(talk, "{\(empty),\"language\":\(name)}").first == "«\(missing)»")
    #expect(await talk.call("rpc.language", "[\(name)]").last?.contains(#"{"language":"en"}"#) == true)
    #expect(await messages(talk, "{\(empty)}").first == missing, "taken back")
    languages.replace(with: InventedLanguages.languages(standard: "qab-XX"))
    #expect(await messages(talk, "{\(empty),\"language\":\(name)}").first == "<\(missing)>")
  }

  @Test("a list of languages is tried in order of preference, and only its first 255 bytes count")
  func list() async {
    let talk = subject().talk()
    for (list, begin) in [
      ("qaa", "«"), ("QAA-x-y", "«"), ("tlh, qab-xx;q=0.5, qaa;q=0.4", "<"), ("qaa;q=0.1,en", "E"), ("qab-XX", "<"),
      (#"qaa\t;q=0.1,\tqab-XX\t;\tq=0.5"#, "<"),
      (String(repeating: "t,", count: 126) + "qaa", "«"), (String(repeating: "t,", count: 127) + "qaa", "E"),
    ] {
      let first = await messages(talk, "{\(empty),\"language\":\"\(list)\"}").first
      #expect(first?.hasPrefix(begin) == true, "\(list.count) bytes, \(list.suffix(20)): \(first ?? "")")
    }
  }

  @Test("reasons and fields of problems are the same in every language")
  func reasons() async throws {
    let talk = subject().talk()
    func problems(_ language: String) async throws -> [[String?]] {
      let reply = await talk.call("registration.validate", "{\(empty),\"language\":\"\(language)\"}").last ?? ""
      let problems = try #require(JSONValue(reply.utf8)?["result"]?["problems"]?.array)
      return problems.map { [$0["field"]?.string, $0["reason"]?.string] }
    }
    #expect(try await problems("en") == problems("qaa"))
    #expect(try await problems("en").count == 3)
  }

  @Test("messages about a claim are in its language unless the call names another, but not in replies to another user")
  func claim() async throws {
    let subject = subject(VerificationTerms(isRequired: true, hasMail: true))
    let entry = #""email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""#
    let reply = await subject.call("registration.register", "{\(entry),\"language\":\"qab-XX\"}", uid: 7)
    let id = try #require(JSONValue(reply.utf8)?["result"]?["claim"]?["id"]?.string)
    let talk = subject.talk(uid: 7)
    let started = await talk.call("recovery.start", #"{"email":"a@example.com","language":"qab-XX"}"#).last ?? ""
    let recovery = try #require(JSONValue(started.utf8)?["result"]?["claim"]?["id"]?.string)
    _ = await talk.call("rpc.language", #"["qaa"]"#)
    for (method, params) in [
      ("claim.prove", #""claim":"\#(id)","code":"x""#), ("claim.resend", #""claim":"\#(id)""#),
      ("recovery.finish", #""claim":"\#(recovery)","code":"x""#),
    ] {
      for (language, begin) in [("", "<"), (#","language":"qaa""#, "«"), (#","language":"tlh""#, "<")] {
        let said = await messages(talk, "{\(params)\(language)}", method)
        #expect(!said.isEmpty && said.allSatisfy { $0.hasPrefix(begin) }, "\(method)\(language): \(said)")
      }
      let other = await subject.call(method, "{\(params)}", uid: 8)
      #expect(JSONValue(other.utf8)?.sentences.allSatisfy { !$0.hasPrefix("<") } == true, "\(method): \(other)")
    }
  }

  @Test("rpc.language applies to the whole connection, also to invalid requests, and works as a notification")
  func connection() async {
    let talk = subject().talk()
    talk.send("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.language\",\"params\":{\"language\":\"qaa\"}}\n")
    #expect(talk.receive() == "")
    for wrong in [
      "{]", "5", "[]", #"{"jsonrpc":"1"}"#, #"{"jsonrpc":"2.0","id":[],"method":"x"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"x"}"#,
      String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
      #"{"jsonrpc":"2.0","id":1,"method":"rpc.cancel"}"#, #"{"jsonrpc":"2.0","id":1,"method":"rpc.ping","params":[1]}"#,
      "{\"jsonrpc\":\"2.0\",\"id\":\"\(String(repeating: "i", count: 2000))\",\"method\":\"rpc.ping\"}",
    ] {
      talk.send(wrong + "\n")
      let said = talk.receive().split(separator: "\n").flatMap { JSONValue($0.utf8)?.sentences ?? [] }
      #expect(
        !said.isEmpty && said.allSatisfy { $0.hasPrefix("«") && $0.hasSuffix("»") }, "\(wrong.prefix(60)): \(said)")
    }
    talk.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"rpc.language","params":["en"]},{"jsonrpc":"2.0","id":2,"method":"x"}]"#)
    #expect(talk.receive().contains("There is no method \\\"x\\\"."), "what follows in a batch is in the new language")
  }

  @Test("an HTTP client gets the reply in the operator's language")
  func http() {
    languages.replace(with: InventedLanguages.languages(standard: "qaa"))
    let talk = subject().talk()
    talk.send("GET / HTTP/1.1\r\n\r\n")
    #expect(talk.receive().contains("«This is a JSON-RPC 2.0 socket, not an HTTP server."))
  }

  @Test("a form's states, alerts and events are in the language that form.open named")
  func form() async throws {
    let talk = subject().talk()
    let opened = await messages(talk, #"{"kind":"registration","language":"qab-XX"}"#, "form.open")
    #expect(opened.count == 3 && opened.allSatisfy { $0.hasPrefix("<") })
    _ = await talk.call("rpc.language", #"["qaa"]"#)
    let set = await messages(talk, #"{"form":1,"email":"x"}"#, "form.set")
    #expect(set.count == 6 && set.allSatisfy { $0.hasPrefix("<") }, "the reply and form.changed")
    let submitted = await messages(talk, "[1]", "form.submit")
    #expect(
      submitted.contains {
        $0 == "<An email address must have an @ between the name and the domain, as in name@example.com.>"
      })
    #expect(submitted.allSatisfy { $0.hasPrefix("<") })
    let other = await messages(talk, #"{"kind":"signIn"}"#, "form.open")
    #expect(other.count == 2 && other.allSatisfy { $0.hasPrefix("«") }, "the connection's")
  }

  @Test("a reload changes open connections and forms at once")
  func reload() async {
    let talk = subject().talk()
    _ = await talk.call("rpc.language", #"["tlh, qaa;q=0.5"]"#)
    _ = await talk.call("form.open", #"{"kind":"signIn","language":"qab-XX"}"#)
    languages.replace(with: InventedLanguages.languages([InventedLanguages.catalog("tlh", "(", ")")]))
    #expect(await messages(talk, "{\(empty)}").allSatisfy { $0.hasPrefix("(") })
    #expect(await messages(talk, #"{"form":1,"email":""}"#, "form.set").allSatisfy { $0.hasPrefix("(") })
    languages.replace(with: InventedLanguages.languages())
    #expect(await messages(talk, #"{"form":1,"email":""}"#, "form.set").allSatisfy { $0.hasPrefix("<") })
  }

  /// The languages of the mails that the calls of a connection cause.
  ///
  /// - Parameters:
  ///   - spoken: The language for `rpc.language`, or nil to make no such call.
  ///   - asked: The `language` of each call, or nil for none.
  private func mailed(_ spoken: String?, _ asked: String?) async throws -> [String?] {
    let subject = subject(VerificationTerms(hasMail: true), mail: StagedMail())
    let talk = subject.talk()
    if let spoken { _ = await talk.call("rpc.language", "[\"\(spoken)\"]") }
    let language = asked.map { ",\"language\":\"\($0)\"" } ?? ""
    let (email, old) = (#""email":"a@example.com""#, #""password":"a fine phrase""#)
    for (method, members) in [
      ("registration.register", #"\#(email),\#(old),"passwordConfirmation":"a fine phrase""#),
      ("recovery.start", email),
      ("owner.changePassword", #"\#(email),\#(old),"newPassword":"other one","newPasswordConfirmation":"other one""#),
      ("owner.changeEmail", #"\#(email),"password":"other one","newEmail":"b@example.com""#),
    ] {
      let reply = await talk.call(method, "{\(members)\(language)}")
      #expect(reply.last?.contains("\"result\"") == true, "\(method): \(reply)")
    }
    return try await subject.store.mails(after: nil, limit: 9).map(\.intent.language)
  }

  @Test("a mail is in the language of the request that causes it, or else in the connection's")
  func mails() async throws {
    for (spoken, asked, language) in [
      (nil, nil, nil), (nil, "qaa", "qaa"), ("qaa", nil, "qaa"), ("qaa", "qab-XX", "qab-XX"), ("qaa", "tlh", "qaa"),
      // A reload may add this language.
      (nil, "tlh", "tlh"),
    ] as [(String?, String?, String?)] {
      let mailed = try await mailed(spoken, asked)
      #expect(mailed == [language, language, language], "\(spoken ?? "-") \(asked ?? "-")")
    }
  }

  @Test("the mail of a form is in the form's language")
  func formMail() async throws {
    let subject = subject(VerificationTerms(isRequired: true, hasMail: true))
    let talk = subject.talk()
    _ = await talk.call("rpc.language", #"["qaa"]"#)
    _ = await talk.call("form.open", #"{"kind":"registration","language":"qab-XX"}"#)
    _ = await talk.call("form.set", #"[1,"a@example.com","a fine phrase","a fine phrase"]"#)
    _ = await talk.call("form.submit", "[1]")
    #expect(try await subject.store.mails(after: nil, limit: 9).map(\.intent.language) == ["qab-XX"])
  }

  @Test("the message contains the attempts left as a separate sentence")
  func tries() async throws {
    let talk = subject(VerificationTerms(isRequired: true, hasMail: true)).talk()
    _ = await talk.call("form.open", #"{"kind":"registration","language":"qaa"}"#)
    _ = await talk.call(
      "form.set", #"[1,"a@example.com","a fine phrase","a fine phrase"]"#)
    _ = await talk.call("form.submit", "[1]")
    #expect(
      await messages(talk, "[1]", "form.submit").contains(
        "«Enter the 6-digit code from the email sent to a@example.com.»"))
    _ = await talk.call("form.set", #"{"form":1,"code":"000000"}"#)
    let said = await messages(talk, "[1]", "form.submit")
    #expect(
      said.first == "««Incorrect code. Check the code, or request another email.» «4 attempts are left.»»",
      "\(said)")
  }
}

extension JSONValue {
  /// All messages for people in the value: every `message` and `errorMessage` in it.
  var sentences: [String] {
    switch self {
    case .object(let members):
      members.flatMap { member in
        ["message", "errorMessage"].contains(member.name)
          ? [member.value.string].compactMap(\.self) : member.value.sentences
      }
    case .array(let elements): elements.flatMap(\.sentences)
    case .null, .bool, .number, .string: []
    }
  }
}
