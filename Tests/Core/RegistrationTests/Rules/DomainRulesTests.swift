import AddressNormalization
import Testing

@testable import Registration

/// The domains whose addresses may be registered.
@Suite("Rules for domains")
struct DomainRulesTests {
  private static let normalizer = UnicodeNormalizer()

  private static func rules(
    allowed: [String] = [], blocked: [String] = [], listed: Reloadable<DomainList>? = nil, maximum: Int = 254
  ) -> EmailRules {
    EmailRules(
      maximumLength: maximum, allowedDomains: allowed, blockedDomains: blocked, blockedList: listed,
      normalizer: normalizer)
  }

  private func reasons(_ typed: String?, _ rules: EmailRules) -> [String] {
    switch rules.check(typed) {
    case .success: []
    case .failure(let refusal): refusal.problems.map(\.reason.rawValue)
    }
  }

  @Test(
    "an allowed domain excludes its subdomains, and an entry with a star allows only subdomains",
    arguments: [
      ("a@example.org", true), ("a@EXAMPLE.org", true), ("a@mail.example.org", false), ("a@myexample.org", false),
      ("a@example.org.net", false), ("a@org", nil), ("a@example.net", false), ("a@x.example.net", true),
      ("a@X.Y.Example.NET", true), ("a@xexample.net", false), ("a@bücher.example", true),
      ("a@xn--bcher-kva.example", true),
      ("a@x.bücher.example", false), ("a@straße.example", false), ("a@x.straße.example", true),
      ("a@x.xn--strae-oqa.example", true), ("a@x.strasse.example", false), ("a@both.example", true),
      ("a@x.both.example", true),
    ] as [(String, Bool?)])
  func allowed(_ typed: String, isAllowed: Bool?) {
    let entries = [
      "Example.ORG", "*.example.net", "BÜCHER.example", "*.Straße.example", "both.example", "*.both.example",
    ]
    let expected = isAllowed.map { $0 ? [] : ["email.domainNotAllowed"] } ?? ["email.domain"]
    #expect(reasons(typed, Self.rules(allowed: entries)) == expected)
    #expect(reasons(typed, Self.rules()) == (isAllowed == nil ? ["email.domain"] : []))
  }

  @Test("without a valid domain, the rules report nothing about allowed domains")
  func none() {
    let rules = Self.rules(allowed: ["example.org"])
    #expect(reasons(nil, rules) == ["email.missing"])
    #expect(reasons("a", rules) == ["email.syntax"])
    #expect(reasons("a@b..net", rules) == ["email.domain"])
    #expect(reasons("a..b@c.net", rules) == ["email.syntax", "email.domainNotAllowed"])
  }

  @Test("either list blocks a domain, even an allowed domain, and every broken rule is reported once")
  func blocked() {
    let listed = Reloadable(DomainList(["spam.example", "both.example"]))
    let rules = Self.rules(
      allowed: ["spam.example", "example.org"], blocked: ["both.example", "blocked.example"], listed: listed)
    #expect(reasons("a@spam.example", rules) == ["email.domain"])
    #expect(reasons("a@example.org", rules) == [])
    for domain in ["x.spam.example", "both.example", "x.both.example", "blocked.example"] {
      #expect(reasons("a@\(domain)", rules) == ["email.domain", "email.domainNotAllowed"], "\(domain)")
    }
    #expect(
      reasons("a@spam.example", Self.rules(listed: listed, maximum: 10)) == ["email.domain", "email.tooLong"])
    listed.replace(DomainList(["example.org"]))
    #expect(reasons("a@spam.example", rules) == [])
    #expect(reasons("a@example.org", rules) == ["email.domain"])
  }

  @Test("an account is found by its address, whatever happened to the lists")
  func account() throws {
    let rules = Self.rules(
      allowed: ["example.org"], blocked: ["b.example"], listed: Reloadable(DomainList(["c.example"])))
    for typed in ["a@a.example", "a@b.example", "a@c.example"] {
      #expect(reasons(typed, rules) != [])
      #expect(try rules.addressOfAccount(typed).get().key.value == typed)
    }
    let strict = EmailRules(maximumLength: 20, internationalized: false, normalizer: UnicodeNormalizer())
    for typed in ["j\u{FC}rgen@example.org", "somebody.else@example.org"] {
      #expect(reasons(typed, strict) != [])
      #expect(try strict.addressOfAccount(typed).get().key.value == typed)
    }
  }

  @Test("the fast path also checks the lists, and is still used with lists")
  func quick() {
    let listed = Reloadable(DomainList(["spam.example", "xn--p1ai"]))
    func isQuick(_ typed: String, _ rules: EmailRules) -> Bool {
      Array(typed.utf8).withUnsafeBytes { rules.certainlyAccepts($0) } != nil
    }
    let rules = Self.rules(blocked: ["blocked.example"], listed: listed)
    for typed in ["a@b.example", "A@B.Example", "spam.example@b.cd", "a@notspam.example"] {
      #expect(isQuick(typed, rules) && reasons(typed, rules) == [], "\(typed)")
    }
    for typed in ["a@spam.example", "a@SPAM.example", "a@x.Spam.Example", "a@BLOCKED.example", "a@b.xn--p1ai"] {
      #expect(!isQuick(typed, rules) && reasons(typed, rules) == ["email.domain"], "\(typed)")
    }
    #expect(!isQuick("a@b.example", Self.rules(allowed: ["example.org"])))
  }
}
