import ConfigurationFile
import Glibc
import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// Starts the set-ups of the article on who may register as they are written there, and runs the operator's commands.
@Suite("The article on registration modes", .blocking, .timeLimit(.minutes(10)))
struct WhoMayRegisterTests {
  private static let article = Article.named("WhoMayRegister")
  private static let password = "a fine phrase"

  /// A regd with the file of a section, except for the paths of this machine. Mails go to a postbox.
  private func withSetUp(_ number: Int, _ body: (RunningRegd, Postbox) throws -> Void) throws {
    let blocks = try #require(Self.article).blocks("yaml")
    try #require(blocks.count == 3)
    try TemporaryDirectory.with { directory in
      let (file, list) = ("\(directory)/regd.yaml", "\(directory)/blocked-domains")
      try TextFile.write(blocks[number], to: file)
      try TextFile.write("# ten minutes\nten-minutes.example\n", to: list)
      var places = ["REGD_MAIL_BACKEND": "event"]
      if blocks[number].contains("blockedDomainsFile") { places["REGD_EMAIL_BLOCKED_DOMAINS_FILE"] = list }
      try withRegd(configuration: file, places) { regd in try body(regd, try Postbox(regd)) }
    }
  }

  @Test(
    "the set-ups work under the shipped units: a unit overrides none of their keys and forbids none of their programs")
  func underUnits() async throws {
    let article = try #require(Self.article)
    for block in article.blocks("yaml") {
      let keys = try ConfigurationFile(yaml: block).entries
      #expect(keys.allSatisfy { $0.path[0] != "socket" }, "systemd makes the socket: \(block)")
      let backends = keys.filter { $0.path == ["mail", "backend"] }.map(\.value)
      #expect(backends == [.scalar("smtp")], "the unit lets no program gain rights: \(block)")
      let settings = try await Settings(file: ("regd.yaml", block), environment: ["REGD_SOCKET_GROUP": ""])
      #expect(settings.mail.backend == "smtp")
    }
    #expect(article.text.contains("    systemctl edit regd.socket\n    # [Socket]\n    # SocketGroup=www-data\n"))
  }

  @Test("the article on methods states what account.approve does with an account that does not wait")
  func approveArticle() throws {
    let text = try #require(Article.named("Methods")).text.replacing(/\s+/, with: " ")
    #expect(
      text.contains(
        "An active or pending account is returned unchanged. A disabled account fails with `account.notFound`."))
  }

  @Test("regd notices that a passed socket has other rights than the configuration sets, and ignores defaults")
  func passedRights() async throws {
    try await withTemporaryDirectory { directory in
      let socket = try Descriptor.socket(.localStream)
      try socket.bind(to: SocketAddress(path: "\(directory)/s"))
      #expect(chmod("\(directory)/s", 0o660) == 0)
      let status = try FileStatus("\(directory)/s")
      func rights(_ yaml: String) async throws -> (passed: String, configured: String)? {
        let file = "\(directory)/regd.yaml"
        try TextFile.write("access: {admin: {groups: []}}\nsocket: \(yaml)\n", to: file)
        let configuration = try await ConfigurationSource(file: file, arguments: [], environment: [:]).load()
        let keys = configuration.keys.unshipped.map(\.name)
        return Warnings.otherRights(status, configuration.settings.socket.place, setBy: keys)
      }
      #expect(try await rights("{mode: \"0660\", group: \"\(status.group)\"}")?.passed == nil)
      #expect(try await rights("{group: \"\"}")?.passed == nil, "regd's own group")
      let mode = try await rights("{mode: \"0666\", group: \"\"}")
      #expect(mode?.passed.hasSuffix(" 0660") == true && mode?.configured == "0666")
      let group = try await rights("{group: \"\(status.group + 1)\"}")
      #expect(group?.configured.hasSuffix(" 0660") == true && group?.configured != group?.passed)
      let settings = try await Settings(file: nil, environment: ["REGD_SOCKET_GROUP": "\(status.group + 1)"])
      #expect(Warnings.otherRights(status, settings.socket.place, setBy: [])?.passed == nil, "a default sets nothing")
    }
  }

  private func call(_ regd: RunningRegd, _ method: String, _ params: JSONValue) throws -> Result<JSONValue, RegdError> {
    try regd.client().call(method, params)
  }

  private func register(
    _ regd: RunningRegd, _ email: String, _ more: [JSONValue.Member] = []
  ) throws -> Result<JSONValue, RegdError> {
    guard
      case .object(let members) = RegdClient.entry(
        email: email, password: Self.password, confirmation: Self.password)
    else { return .success(.null) }
    return try call(regd, "registration.register", .object(members + more))
  }

  private func reason(_ result: Result<JSONValue, RegdError>) -> String {
    switch result {
    case .success(let result): result["claim"] == nil ? result["account"]?["state"]?.string ?? "?" : "claim"
    case .failure(let error):
      error.data["problems"]?.array?.compactMap { $0["reason"]?.string }.joined(separator: " ") ?? error.reason
    }
  }

  /// The code of the invitation in the next mail of that kind.
  private func code(_ postbox: Postbox) throws -> String {
    while true {
      let mail = try postbox.next()
      guard mail["kind"] == "invitation" else { continue }
      let lines = (mail["body"]?.string ?? "").split(separator: "\n").map { $0.filter { $0 != " " && $0 != "-" } }
      return try #require(
        lines.first { $0.count == 26 && $0.allSatisfy { $0.isUppercase || $0.isNumber } }, "\(mail.text)")
    }
  }

  @Test(
    "family: a mailed code makes the account at once, the choir's code verifies nothing, and a revoked one is rejected")
  func family() throws {
    try withSetUp(0) { regd, postbox in
      #expect(reason(try register(regd, "ann@example.org")) == "invitation.missing")
      let sent = try call(regd, "invitation.create", ["email": "ann@example.org", "send": .bool(true)]).get()
      #expect(sent["code"] == nil)
      let ann: JSONValue.Member = .init("invitation", .string(try code(postbox)))
      #expect(reason(try register(regd, "bob@example.org", [ann])) == "invitation.rejected")
      #expect(reason(try register(regd, "ann@example.org", [ann])) == "active")
      #expect(reason(try register(regd, "ann@example.org", [ann])) == "invitation.rejected", "it is used up")

      let choir = try call(
        regd, "invitation.create", ["uses": .number("5"), "expiresSeconds": .number("1209600"), "note": "the choir"]
      ).get()
      let member: JSONValue.Member = .init("invitation", try #require(choir["code"]))
      #expect(reason(try register(regd, "bob@example.org", [member])) == "claim")
      let id = try #require(choir["invitation"]?["id"])
      _ = try call(regd, "invitation.revoke", ["id": id]).get()
      #expect(reason(try register(regd, "cid@example.org", [member])) == "invitation.rejected")
      let listed = try call(regd, "invitation.list", [:]).get()["invitations"]?.array ?? []
      #expect(listed.map { $0["used"]?.integer } == [1, 0])
      #expect(listed.last?["note"] == "the choir" && listed.last?["held"]?.integer == 0)
    }
  }

  @Test("company: other domains are refused, verified addresses wait, and an administrator approves them")
  func company() throws {
    try withSetUp(1) { regd, postbox in
      for (email, expected) in [
        ("ann@example.org", "email.domainNotAllowed"), ("ann@a.example.net", "email.domainNotAllowed"),
        ("eve@example.net", "claim"), ("ann@a.example.com", "claim"),
      ] {
        #expect(reason(try register(regd, email)) == expected, "\(email)")
      }
      let claim = try #require(try register(regd, "bob@example.com").get()["claim"]?["id"])
      let proven = try call(
        regd, "claim.prove", ["claim": claim, "code": .string(try postbox.code(for: "bob@example.com"))])
      #expect(reason(proven) == "waiting")
      let signIn: JSONValue = ["email": "bob@example.com", "password": .string(Self.password)]
      #expect(reason(try call(regd, "session.signIn", signIn)) == "account.waiting")
      let waiting = try call(regd, "account.list", ["state": "waiting"]).get()["accounts"]?.array ?? []
      #expect(waiting.map { $0["email"] } == ["bob@example.com"])
      #expect(reason(try call(regd, "account.create", ["email": "eve@partner.example"])) == "email.domainNotAllowed")
      #expect(reason(try call(regd, "account.approve", ["email": "bob@example.com"])) == "active")
      #expect(reason(try call(regd, "account.approve", ["email": "bob@example.com"])) == "active", "idempotent")
      _ = try call(regd, "account.disable", ["email": "bob@example.com"]).get()
      #expect(reason(try call(regd, "account.approve", ["email": "bob@example.com"])) == "account.notFound")
      _ = try call(regd, "account.enable", ["email": "bob@example.com"]).get()
      #expect(reason(try call(regd, "session.signIn", signIn)) == "active")
    }
  }

  @Test("public site: terms are required, the blocked domain includes its subdomains, and a reload brings new terms")
  func site() throws {
    try withSetUp(2) { regd, postbox in
      func accepting(_ version: String) -> [JSONValue.Member] { [.init("terms", .string(version))] }
      for (email, terms, expected) in [
        ("ann@example.org", [], "terms.missing"), ("ann@example.org", accepting("2025"), "terms.outdated"),
        ("a@ten-minutes.example", accepting("2026-11-01"), "email.domain"),
        ("a@b.Ten-Minutes.example", accepting("2026-11-01"), "email.domain"),
        ("ann@example.org", accepting("2026-11-01"), "claim"),
      ] {
        #expect(reason(try register(regd, email, terms)) == expected, "\(email)")
      }
      let claim = try #require(try register(regd, "bob@example.org", accepting("2026-11-01")).get()["claim"]?["id"])
      let code = try postbox.code(for: "bob@example.org")
      #expect(reason(try call(regd, "claim.prove", ["claim": claim, "code": .string(code)])) == "active")
      let file = try #require(TextFile.read(regd.configuration))
      try TextFile.write(file.replacing("2026-11-01", with: "2027-01-01"), to: regd.configuration)
      _ = try call(regd, "daemon.reload", [:]).get()
      var owner: [JSONValue.Member] = [
        .init("email", "bob@example.org"), .init("password", .string(Self.password)),
      ]
      #expect(try call(regd, "session.signIn", .object(owner)).get()["terms"]?["current"] == "2027-01-01")
      owner += accepting("2027-01-01")
      #expect(reason(try call(regd, "owner.acceptTerms", .object(owner))) == "active")
      let info = try call(regd, "rpc.serverInfo", [:]).get()["registration"]
      #expect(info?["terms"]?["version"] == "2027-01-01" && info?["terms"]?["url"] == "https://example.org/terms")
    }
  }
}
