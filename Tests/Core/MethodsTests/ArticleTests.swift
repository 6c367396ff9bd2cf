import JSONRPC
import Localization
import Methods
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import TestKit
import Testing
import WireProtocols

/// Compares the articles with the code, in both directions: methods, errors, rules and limits.
@Suite("Articles about the protocol")
struct ArticleTests {
  /// A method as the article and `rpc.discover` both describe it.
  private struct Described: Hashable, CustomStringConvertible {
    let name: String
    /// The names. Those of optional params end in `?`.
    let params: [String]
    /// Nil if the result is not an object with known members.
    let result: [String]?
    let errors: Set<String>
    let access: String

    var description: String { "\(name) \(params) → \(result ?? []), \(errors.sorted()), \(access)" }
  }

  private static func article(_ name: String) throws -> Article { try #require(Article.named(name)) }

  private static func members(_ cell: String) -> [String]? {
    guard let open = cell.firstIndex(of: "{"), let close = cell.lastIndex(of: "}") else { return nil }
    return cell[cell.index(after: open)..<close].split(separator: ", ").map(String.init)
  }

  private static let reasons: [String] =
    (Article.named("Errors")?.rows("code", "reason") ?? []).flatMap { Article.codes(in: $0[1]) }

  // MARK: Methods

  private func documented() throws -> [Described] {
    let tables = try Self.article("Methods").tables.filter { $0.columns == ["method", "params", "result", "errors"] }
    try #require(tables.count == 3)
    return zip(tables, ["open", "observe", "admin"]).flatMap { table, access in
      table.rows.map { row in
        let errors = Article.codes(in: row[3]).flatMap { error in
          error.hasSuffix("*") ? Self.reasons.filter { $0.hasPrefix(error.dropLast()) } : [error]
        }
        return Described(
          name: Article.codes(in: row[0]).first ?? "", params: Self.members(row[1]) ?? [],
          result: Self.members(row[2]), errors: Set(errors), access: access)
      }
    }
  }

  private func discovered() async throws -> [Described] {
    let document = try JSONValue.outcome(
      await Subject(network: ScriptedNetwork(Script())).call("rpc.discover", "null"))
    let methods = try #require(document["methods"]?.array)
    return methods.map { method in
      let params = (method["params"]?.array ?? []).map { parameter in
        (parameter["name"]?.string ?? "") + (parameter["required"]?.bool == true ? "" : "?")
      }
      var result: [String]?
      var schema = method["result"]?["schema"]
      if let name = schema?["$ref"]?.string?.split(separator: "/").last {
        schema = document["components"]?["schemas"]?[String(name)]
      }
      if case .object(let properties)? = schema?["properties"] {
        let required = Set((schema?["required"]?.array ?? []).compactMap(\.string))
        result = properties.map { $0.name + (required.contains($0.name) ? "" : "?") }
      }
      return Described(
        name: method["name"]?.string ?? "", params: params, result: result,
        errors: Set((method["errors"]?.array ?? []).compactMap { $0["message"]?.string }),
        access: method["x-access"]?.string ?? "")
    }
  }

  @Test("the article and rpc.discover describe the same methods, with the same params, result, errors and access")
  func methods() async throws {
    let (documented, discovered) = (try documented(), try await discovered())
    #expect(documented.count == Set(documented.map(\.name)).count)
    #expect(Set(documented).subtracting(discovered) == [], "only in the article")
    #expect(Set(discovered).subtracting(documented) == [], "only in rpc.discover")
  }

  // MARK: Errors

  @Test("the article on errors lists exactly the codes and reasons that regd returns")
  func errors() async throws {
    let rows = try Self.article("Errors").rows("code", "reason", "retryable")
    let documented = rows.map { "\($0[0]) \(Article.codes(in: $0[1]).joined())" }
    let document = try JSONValue.outcome(await Subject().call("rpc.discover", "null"))
    var real = Set(try Self.wire.map { "\($0["code"]?.text ?? "") \(try Self.reason($0))" })
    if case .object(let errors)? = document["components"]?["errors"] {
      for error in errors { real.insert("\(error.value["code"]?.text ?? "") \(error.value["message"]?.string ?? "")") }
    }
    #expect(documented.count == real.count)
    #expect(Set(documented) == real)
  }

  /// The errors of the protocol, which any request may return, as regd sends them.
  private static let wire: [JSONValue] = {
    let errors: [RPCError] = [
      .parse("x"), .invalidRequest("x"), .methodNotFound("x"), .invalidParams("x"), .internal, .draining,
      .accessDenied("x", needs: .admin, uid: 1), .requestTimeout(limit: 1),
      RPCError(Refusal.rate(limit: 1, retryAfter: 1)),
      .requestTooLarge(limit: 1), .requestTooDeep(limit: 1), .responseTooLarge(limit: 1), .busy("x", retryAfter: 1),
      .batchTooLarge(limit: 1), .cancelled,
    ]
    return errors.map { error in
      var writer = JSONWriter()
      error.write(in: .english, to: &writer)
      return JSONValue(writer.bytes) ?? .null
    }
  }()

  private static func reason(_ error: JSONValue) throws -> String { try #require(error["data"]?["reason"]?.string) }

  @Test("the HTTP status of each error follows from code, reason and retryable, by the rule above the table")
  func statuses() throws {
    let rows = try Self.article("Errors").rows("code", "reason", "retryable", "HTTP", "meaning", "what to do")
    #expect(rows.count > 40 && rows.allSatisfy { !$0[5].isEmpty })
    for row in rows {
      let plain = try (1000..<2000).contains(#require(Int(row[0]))) ? "422" : "500"
      let status = ["yes": "503", "no": plain, "depends": "503, \(plain)"][row[2]]
      #expect(row[3] == (row[1] == "`rate.limited`" ? "429" : status), "\(row[1])")
    }
  }

  @Test("an error is retryable if the article says so")
  func retryable() async throws {
    let rows = try Self.article("Errors").rows("code", "reason", "retryable")
    let documented = Dictionary(
      rows.map { (Article.codes(in: $0[1]).joined(), $0[2]) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<String> = []
    for error in try await Self.wire + provoked() {
      let reason = try Self.reason(error)
      seen.insert(reason)
      guard documented[reason] != "depends" else { continue }
      #expect(documented[reason] == (error["data"]?["retryable"]?.bool == true ? "yes" : "no"), "\(reason)")
    }
    // The test matrix covers a full store and an unavailable one.
    #expect(Set(documented.keys).subtracting(seen) == ["store.full", "store.unavailable"])
  }

  /// The errors of methods, each provoked by a call.
  private func provoked() async throws -> [JSONValue] {
    var replies: [String] = []
    func entry(_ request: String, _ password: String = "a fine phrase") -> String {
      "[\"a@example.com\",\"\(password)\",\"\(password)\",\"\(request)\"]"
    }
    let subject = Subject()
    _ = await subject.call("registration.register", entry("r"))
    let groups = (0..<Groups.most).map { "\"g\($0)\"" }.joined(separator: ",")
    _ = await subject.call("account.addGroups", "[[\(groups)],null,\"a@example.com\"]")
    for (method, params) in [
      ("account.addGroups", #"[["staff"],null,"a@example.com"]"#),
      ("session.signIn", #"["a@example.com","a fine phrase",null,null,["staff"]]"#),
      ("registration.register", "null"), ("registration.register", entry("another")),
      ("registration.register", entry("r", "another phrase")), ("session.signIn", "[\"a@example.com\",\"x\"]"),
      ("account.get", "[null,\"b@example.com\"]"), ("form.set", "[1]"),
      ("mail.discard", "[\"0192d3a4-7c1e-7b32-9f00-0123456789ab\"]"), ("daemon.reload", "[true]"),
      ("claim.prove", "[\"x\",\"123456\"]"), ("recovery.start", "[\"a@example.com\"]"),
      ("invitation.revoke", "[\"0192d3a4-7c1e-7b32-9f00-0123456789ab\"]"), ("session.check", "[\"x\",\"x\"]"),
      (
        "registration.register",
        #"{"email":"b@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase","invitation":"x"}"#
      ),
    ] {
      replies.append(await subject.call(method, params))
    }
    replies.append(await rejectedCode())
    replies.append(await Subject(admission: AdmissionTerms(mode: .closed)).call("registration.register", "null"))
    for state in [Account.State.disabled, .pending, .waiting] {
      let account = Fixtures.account("\(state)@example.com", state: state, hash: "plain:a fine phrase")
      _ = try await subject.store.insert(account, request: nil, Stamp(Fixtures.time))
      replies.append(await subject.call("session.signIn", "[\"\(state)@example.com\",\"a fine phrase\"]"))
    }
    for step in ["offline", "unavailable", "timeout", "empty", "malformed", "reject", "untrusted", "fail"] {
      let network = ScriptedNetwork(Script(checkEmail: [try Script.Step(step)]))
      replies.append(await Subject(network: network).call("registration.checkEmail", "[\"a@example.com\"]"))
    }
    replies.append(await Subject(failing: 1).call("registration.checkEmail", "[\"a@example.com\"]"))
    return try replies.map { reply in try #require(JSONValue(reply.utf8)?["error"], "\(reply)") }
  }

  private func rejectedCode() async -> String {
    let subject = Subject(verification: VerificationTerms(isRequired: true, hasMail: true))
    let claim = await subject.call("recovery.start", "[\"a@example.com\"]")
    let id = JSONValue(claim.utf8)?["result"]?["claim"]?["id"]?.string ?? ""
    return await subject.call("recovery.finish", "[\"\(id)\",\"000000\",\"a fine phrase\",\"a fine phrase\"]")
  }

  // MARK: Rules, events and limits

  @Test("the article on registering lists exactly the reasons that regd returns")
  func rules() throws {
    let documented = try Self.article("Registering").rows("reason", "what it means")
      .map { Article.codes(in: $0[0]).joined() }
    #expect(documented == Problem.Reason.allCases.map(\.rawValue))
  }

  @Test("the article on events marks exactly the events that the audit records")
  func audit() throws {
    let documented = try Self.article("Events").rows("event", "audit").filter { $0[1] == "yes" }
      .map { Article.codes(in: $0[0]).joined() }
    #expect(documented == AuditEntry.Change.allCases.map(\.rawValue))
  }

  @Test("the article on events lists exactly the events that regd sends")
  func events() throws {
    let documented = try Self.article("Events").rows("event", "audit").map { Article.codes(in: $0[0]).joined() }
    #expect(documented.count == EventName.all.count)
    #expect(Set(documented) == Set(EventName.all))
  }

  @Test("the article on limits lists exactly the limits that regd has, with their defaults")
  func limits() throws {
    let documented = try Self.article("Limits").rows("key of `limits`", "default")
      .map { "\(Article.codes(in: $0[0]).joined()) \($0[1])" }
    #expect(documented == Limits().all.map { "\($0.name) \($0.value)" })
  }
}
