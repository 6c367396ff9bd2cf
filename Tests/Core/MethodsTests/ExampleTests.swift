import JSONRPC
import Methods
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

/// Runs the examples of the document: each call returns the documented result.
@Suite("Examples of rpc.discover")
struct ExampleTests {
  /// A conversation that makes the calls of the examples, with its own ids and stamps.
  private final class Conversation {
    private let talk: Talk
    private let examples: [String: (params: JSONValue, result: JSONValue)]
    /// The strings that replace the documented ones.
    var texts: [String: String] = [:]
    private(set) var played: Set<String> = []

    init(_ subject: Subject) async throws {
      talk = subject.talk()
      let document = try JSONValue.outcome(await subject.call("rpc.discover", "null"))
      var examples: [String: (params: JSONValue, result: JSONValue)] = [:]
      for method in document["methods"]?.array ?? [] {
        guard let example = method["examples"]?.array?.first else { continue }
        let params = (example["params"]?.array ?? []).map {
          JSONValue.Member($0["name"]?.string ?? "", $0["value"] ?? .null)
        }
        examples[method["name"]?.string ?? ""] = (.object(params), try #require(example["result"]?["value"]))
      }
      self.examples = examples
    }

    func play(_ methods: String...) async throws {
      for method in methods {
        let example = try #require(examples[method], "\(method) has no example")
        let lines = await talk.call(method, replaced(example.params).text)
        let reply = try #require(lines.compactMap { JSONValue($0.utf8) }.first { $0["id"] != nil })
        let result = try #require(reply["result"], "\(method): \(reply.text)")
        #expect(agree(example.result, result), "\(method): \(result.text)")
        played.insert(method)
      }
    }

    /// A string in the params of an example.
    func text(_ method: String, _ member: String) throws -> String {
      try #require(examples[method]?.params[member]?.string)
    }

    private func replaced(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let text): .string(texts[text] ?? text)
      case .array(let elements): .array(elements.map(replaced))
      case .object(let members): .object(members.map { .init($0.name, replaced($0.value)) })
      case .null, .bool, .number: value
      }
    }

    /// Whether a result equals the documented one, except for strings that differ each time.
    private func agree(_ documented: JSONValue, _ real: JSONValue) -> Bool {
      switch (documented, real) {
      case (.string(let text), .string(let other)):
        if let known = texts[text] { return known == other }
        guard text != other else { return true }
        guard isChance(text, other) else { return false }
        texts[text] = other
        return true
      case (.array(let elements), .array(let others)):
        return elements.count == others.count && zip(elements, others).allSatisfy(agree)
      case (.object(let members), .object(let others)):
        return members.map(\.name) == others.map(\.name)
          && zip(members, others).allSatisfy { member, other in
            // The remaining time of a hold is at most the documented one.
            if member.name == "milliseconds" { return other.value.integer ?? 0 <= member.value.integer ?? 0 }
            if member.name == "leaf", let leaf = json(member.value), let real = json(other.value) {
              return agree(leaf, real)
            }
            return agree(member.value, other.value)
          }
      default: return documented == real
      }
    }

    private func json(_ text: JSONValue) -> JSONValue? { text.string.flatMap { JSONValue($0.utf8) } }

    /// Whether both are ids, stamps, codes or hashes of one kind.
    private func isChance(_ text: String, _ other: String) -> Bool {
      if text.hasPrefix("$argon2id$") { return other.hasPrefix("plain:") }
      let isWord = { (text: String) in
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_+/=".contains($0)) }
      }
      return text.utf8.count == other.utf8.count && text.utf8.count >= 16 && isWord(text) && isWord(other)
        && [text, other].allSatisfy { $0.utf8.count > 40 || $0.contains(where: \.isNumber) }
    }
  }

  /// The calls that any user may make, then those of administrators.
  private func calls() async throws -> Set<String> {
    let subject = Subject(network: ScriptedNetwork(Script()), mail: StagedMail())
    for (name, state) in [("ada", Account.State.waiting), ("bob", .waiting), ("late", .pending)] {
      let account = Fixtures.account("\(name)@example.com", state: state)
      _ = try await subject.store.insert(account, request: nil, Stamp(Fixtures.time))
    }
    for number in 0..<2 {
      try await subject.store.add(
        MailIntent(
          id: MailID(at: Fixtures.time.advanced(by: .seconds(number))), kind: .passwordChanged,
          to: Fixtures.account("you@example.com").account.email, claim: nil, account: nil, language: nil, uid: 7,
          origin: nil,
          createdAt: Fixtures.time))
    }
    let conversation = try await Conversation(subject)
    try await conversation.play(
      "audit.head", "audit.prove", "audit.consistency", "rpc.ping", "rpc.serverInfo", "rpc.cancel", "$/cancelRequest",
      "rpc.language", "registration.validate",
      "registration.checkEmail", "registration.register", "registration.status", "session.signIn", "session.check",
      "form.open", "form.set", "form.submit", "form.close", "events.subscribe", "events.unsubscribe", "outbox.list",
      "outbox.retry", "outbox.discard", "mail.list", "mail.retry", "mail.sent", "mail.discard", "daemon.status",
      "daemon.metrics", "daemon.reload", "daemon.holdStore", "daemon.releaseStore", "daemon.acceptStore", "account.get",
      "account.disable",
      "account.enable", "account.signOut", "account.setPassword", "account.create", "account.approve", "account.refuse",
      "account.import", "account.delete", "invitation.create", "invitation.list",
      "invitation.revoke", "events.list", "owner.changePassword", "owner.signOut", "owner.export",
      "account.addGroups", "group.list", "account.setDisplayName", "owner.setDisplayName", "account.removeGroups")
    return conversation.played
  }

  /// The calls with required email verification.
  private func claims() async throws -> Set<String> {
    let subject = Subject(verification: VerificationTerms(isRequired: true, resend: .zero, hasMail: true))
    let conversation = try await Conversation(subject)
    func hold(_ claim: String?, for method: String) async throws {
      let claim = try #require(claim)
      let found = try await subject.store.find(try #require(ClaimID(claim)), at: Fixtures.time)
      conversation.texts[try conversation.text(method, "claim")] = claim
      conversation.texts[try conversation.text(method, "code")] = subject.codes.code(of: try #require(found))
    }
    let claimed = try JSONValue.outcome(
      await subject.call("registration.register", #"["you@example.com","a fine phrase","a fine phrase"]"#))
    try await hold(claimed["claim"]?["id"]?.string, for: "claim.prove")
    try await conversation.play(
      "claim.resend", "claim.list", "claim.prove", "account.list", "account.export", "recovery.start")
    let recovery = try conversation.text("recovery.finish", "claim")
    try await hold(conversation.texts[recovery], for: "recovery.finish")
    try await conversation.play("recovery.finish", "owner.changeEmail", "owner.delete")
    return conversation.played
  }

  /// The call that needs terms of use.
  private func terms() async throws -> Set<String> {
    let subject = Subject(terms: TermsOfUse(version: "2026-01", url: ""))
    _ = await subject.call("account.create", #"["you@example.com","a fine phrase","a fine phrase"]"#)
    let conversation = try await Conversation(subject)
    try await conversation.play("owner.acceptTerms")
    return conversation.played
  }

  @Test("each method except rpc.discover has an example, and its call returns the documented result")
  func all() async throws {
    var played = try await calls()
    played.formUnion(try await claims())
    played.formUnion(try await terms())
    let document = try JSONValue.outcome(await Subject().call("rpc.discover", "null"))
    #expect(Set((document["methods"]?.array ?? []).compactMap { $0["name"]?.string }) == played.union(["rpc.discover"]))
  }

  @Test("the params of an example have the names and the order of the method's params")
  func params() async throws {
    let document = try JSONValue.outcome(await Subject().call("rpc.discover", "null"))
    for method in document["methods"]?.array ?? [] {
      let names = (method["params"]?.array ?? []).compactMap { $0["name"]?.string }
      let given = (method["examples"]?.array?.first?["params"]?.array ?? []).compactMap { $0["name"]?.string }
      #expect(names.filter(given.contains) == given, "\(method["name"]?.text ?? "")")
    }
  }
}
