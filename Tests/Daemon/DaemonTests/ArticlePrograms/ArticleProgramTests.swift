import Linux
import RegdClient
import RegdProcesses
import TestKit
import Testing

/// The programs of the articles, run as they stand there.
@Suite(
  "Programs of the articles", .blocking, .timeLimit(.minutes(10)),
  .enabled(if: ArticleProgram.Language.areHere, "needs Debian's python3 and nodejs, which make deps installs"))
struct ArticleProgramTests {
  private static let memory = ["REGD_STORE_BACKEND": "memory"]

  private func entry(_ email: String, _ password: String = "a fine phrase") -> [String: String] {
    // a browser may send more than the form has
    [
      "email": email, "password": password, "passwordConfirmation": password, "origin": "chosen",
      "requestId": "1",
    ]
  }

  private func reason(_ answer: ArticleProgram.Answer) -> String {
    "\(answer.status) \(answer.body["reason"]?.string ?? answer.body["next"]?.string ?? "?")"
  }

  @Test(
    "the web sign-up: what is refused is said, a code is its browser's own, and proves the address",
    arguments: ArticleProgram.Language.allCases)
  func signUp(_ language: ArticleProgram.Language) throws {
    try withRegd(Self.memory.merging(Postbox.verifying) { $1 }) { regd in
      let postbox = try Postbox(regd)
      let program = try ArticleProgram("WebSignUp", language, regd)
      #expect(try program.post("/else", [:]).status == "404")
      let short = try program.post("/sign-up", entry("a@test.com", "short"))
      #expect(reason(short) == "422 validation.failed" && short.claim == nil, "\(short)")
      #expect(short.body["problems"]?.array?.first?["reason"] == "password.tooShort")
      #expect(reason(try program.post("/code", ["code": "123456"])) == "422 claim.notFound")

      let first = try program.post("/sign-up", entry("a@test.com"))
      #expect(reason(first) == "200 code", "\(first)")
      let claim = try #require(first.claim, "\(first.head)")
      let code = try postbox.code(for: "a@test.com")
      #expect(reason(try program.post("/code/again", [:], claim: claim)) == "429 rate.limited")
      // another browser with the same address has another claim, which this code does not prove
      let second = try #require(try program.post("/sign-up", entry("a@test.com")).claim)
      let wrong = try program.post("/code", ["code": code], claim: second)
      #expect(reason(wrong) == "422 code.rejected" && wrong.body["attemptsLeft"]?.integer == 4, "\(wrong)")
      #expect(reason(try program.post("/code", ["code": code], claim: claim)) == "200 welcome")
      #expect(reason(try program.post("/sign-up", entry("a@test.com"))) == "422 email.taken")
      let signIn = try regd.client().call("session.signIn", ["email": "a@test.com", "password": "a fine phrase"])
      #expect(try signIn.get()["account"]?["state"] == "active")
    }
  }

  @Test(
    "the web sign-up says the rules before anything is typed, and takes an invitation and terms",
    arguments: ArticleProgram.Language.allCases)
  func admission(_ language: ArticleProgram.Language) throws {
    let asking = [
      "REGD_REGISTRATION_MODE": "invited", "REGD_REGISTRATION_APPROVAL": "administrator",
      "REGD_REGISTRATION_TERMS_VERSION": "2026-11", "REGD_REGISTRATION_TERMS_URL": "https://example.org/terms",
    ]
    try withRegd(Self.memory.merging(asking) { $1 }) { regd in
      let program = try ArticleProgram("WebSignUp", language, regd)
      let rules = try program.get("/rules")
      #expect(rules.status == "200" && rules.body["mode"] == "invited", "\(rules)")
      #expect(rules.body["terms"]?["version"] == "2026-11" && rules.body["password"]?["minimumLength"]?.integer == 8)
      #expect(try program.get("/sign-up").status == "404" && program.post("/rules", [:]).status == "404")

      let without = try program.post("/sign-up", entry("a@test.com"))
      let missing = without.body["problems"]?.array?.map { $0["reason"]?.string }
      #expect(missing == ["invitation.missing", "terms.missing"], "\(without)")
      let code = try #require(try regd.client().call("invitation.create").get()["code"]?.string)
      func invited(_ invitation: String, _ terms: String) -> [String: String] {
        entry("a@test.com").merging(["invitation": invitation, "terms": terms]) { $1 }
      }
      #expect(reason(try program.post("/sign-up", invited(code, "2025-11"))) == "422 validation.failed")
      #expect(reason(try program.post("/sign-up", invited("none", "2026-11"))) == "422 invitation.rejected")
      #expect(reason(try program.post("/sign-up", invited(code.lowercased(), "2026-11"))) == "200 waiting")
    }
  }

  @Test("the front end: whoever guesses waits, and the others of the same uid do not")
  func frontEnd() throws {
    try withRegd(Self.memory) { regd in
      let password = "a fine phrase"
      // from elsewhere: a place where the password was right would not have to wait
      _ = try regd.client().call(
        "registration.register",
        [
          "email": "a@test.com", "password": .string(password), "passwordConfirmation": .string(password),
          "origin": "elsewhere",
        ]
      ).get()
      let program = try ArticleProgram("FrontEnd", .python, regd)
      func signIn(_ password: String, _ address: String) throws -> ArticleProgram.Answer {
        try program.post("/sign-in", ["email": "a@test.com", "password": password, "origin": "mine"], from: address)
      }
      // all of one network of IPv6 is one user; each wait is twice the one before, and outlasts a try of a busy machine in the end
      var (seen, waits) = ([String](), try signIn("wrong 0", "2001:db8:1:2::1"))
      while reason(waits) == "422 credentials.rejected", seen.count < 14 {
        seen.append(reason(waits))
        waits = try signIn("wrong \(seen.count)", "2001:db8:1:2::\(seen.count)")
      }
      #expect(reason(waits) == "429 rate.limited" && waits.head.contains("Retry-After: "), "\(seen) \(waits)")
      #expect(seen.count > 3, "the first wrong ones are free")
      #expect(reason(try signIn(password, "2001:db8:1:3::1")) == "200 welcome")
      #expect(reason(try signIn(password, "192.0.2.1")) == "200 welcome")
      let change = [
        "email": "a@test.com", "password": password, "newPassword": "another phrase",
        "newPasswordConfirmation": "another phrase",
      ]
      #expect(reason(try program.post("/password", change, from: "192.0.2.1")) == "200 welcome")
      #expect(reason(try signIn("another phrase", "192.0.2.1")) == "200 welcome")
      #expect(reason(try signIn(password, "192.0.2.1")) == "422 credentials.rejected")
    }
  }

  private static let programs: [(article: String, ArticleProgram.Language, path: String)] = [
    ("WebSignUp", .python, "/sign-up"), ("WebSignUp", .javascript, "/sign-up"), ("FrontEnd", .python, "/sign-in"),
  ]

  @Test("each program is short, and waits for regd as long as a request may take and no longer")
  func length() throws {
    for (article, language, _) in Self.programs {
      let program = try #require(Article.named(article)?.block(language.rawValue))
      #expect(program.split(separator: "\n").count <= 33, "\(article)")
      #expect(program.contains(/settimeout\(35\)|setTimeout\(35_000/), "\(article)")
    }
  }

  @Test(
    "the README's lines for other languages print the answer, and end",
    arguments: [("  # Python", "python3 -c"), ("  # Node", "node -e")])
  func lines(_ mark: String, _ interpreter: String) throws {
    let readme = try #require(Article.named("README")).text.split(separator: "\n")
    let line = try #require(readme.first { $0.hasSuffix(mark.dropFirst(2)) }).dropLast(mark.count)
    try withRegd(Self.memory) { regd in
      let request = #"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"#
      let code = "path = '\(regd.socket)'; request = '\(request)'\n\(line.drop { $0 == " " })"
      // the bound ends what would never end
      let words = ["timeout", "120"] + interpreter.split(separator: " ").map(String.init) + [code]
      let said = try Program.run(words, in: regd.directory)
      #expect(said.contains("\"result\":\"pong\""), "\(said)")
    }
  }

  @Test("without a regd each program answers 503, and goes on", arguments: Self.programs.indices)
  func away(_ index: Int) throws {
    let (article, language, path) = Self.programs[index]
    try withRegd(Self.memory) { regd in
      let program = try ArticleProgram(article, language, regd)
      regd.process.end(.kill)
      for _ in 0..<2 { #expect(reason(try program.post(path, entry("a@test.com"))) == "503 regd.away") }
    }
  }
}
