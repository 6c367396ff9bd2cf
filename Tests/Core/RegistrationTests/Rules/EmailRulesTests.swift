import AddressNormalization
import Localization
import Registration
import Testing

@Suite("Email rules")
struct EmailRulesTests {
  private func reasons(_ typed: String?, _ rules: EmailRules = EmailRules(normalizer: UnicodeNormalizer())) -> [String]
  {
    switch rules.check(typed) {
    case .success: []
    case .failure(let refusal): refusal.problems.map(\.reason.rawValue)
    }
  }

  static let refused: [(typed: String?, reasons: [String])] = [
    (nil, ["email.missing"]), ("", ["email.missing"]),
    ("email.test.com", ["email.syntax"]), ("@", ["email.syntax"]), ("@test.com", ["email.syntax"]),
    ("email@", ["email.syntax"]), ("a@b@test.com", ["email.syntax"]), ("e mail@test.com", ["email.syntax"]),
    ("\n\t ", ["email.missing"]), ("e mail @test.com", ["email.syntax"]), (".email@test.com", ["email.syntax"]),
    ("email.@test.com", ["email.syntax"]),
    ("e..mail@test.com", ["email.syntax"]), ("\"email\"@test.com", ["email.syntax"]),
    ("e(x)mail@test.com", ["email.syntax"]),
    ("e,mail@test.com", ["email.syntax"]), ("e\u{0}mail@test.com", ["email.syntax"]),
    ("e\nmail@test.com", ["email.syntax"]),
    ("e\u{200B}mail@test.com", ["email.syntax"]), ("e\u{A0}mail@test.com", ["email.syntax"]),
    ("e\u{FF20}x@test.com", ["email.syntax"]),  // folds to an @
    ("e\u{B4}x@test.com", ["email.syntax"]),  // folds to a space and an accent
    ("name\u{FE0F}@test.com", ["email.syntax"]), ("name\u{3164}@test.com", ["email.syntax"]),
    ("email@test", ["email.domain"]), ("email@localhost", ["email.domain"]), ("email@test..com", ["email.domain"]),
    ("email@.test.com", ["email.domain"]), ("email@test.com.", ["email.domain"]), ("email@-test.com", ["email.domain"]),
    ("email@test-.com", ["email.domain"]), ("email@te_st.com", ["email.domain"]), ("email@te st.com", ["email.domain"]),
    ("email@te\tst.com", ["email.domain"]), ("email@test .com", ["email.domain"]),
    ("email@[127.0.0.1]", ["email.domain"]),
    ("email@127.0.0.1", ["email.domain"]),
    ("email@test.123", ["email.domain"]), ("email@\(String(repeating: "a", count: 64)).com", ["email.domain"]),
    ("email@xn--zz--.com", ["email.domain"]), ("email@\u{2028}.com", ["email.domain"]),
    ("a..b@test", ["email.syntax", "email.domain"]),
    ("\(String(repeating: "a", count: 65))@test.com", ["email.tooLong"]),
    ("a@\(String(repeating: "abcdefg.", count: 40))com", ["email.domain", "email.tooLong"]),
    (String(repeating: "x", count: 1_000_000), ["email.syntax", "email.tooLong"]),
    ("\(String(repeating: ".", count: 66))@test", ["email.syntax", "email.domain", "email.tooLong"]),
    ("x@\(String(repeating: "é", count: 500_000)).com", ["email.domain", "email.tooLong"]),
  ]

  @Test("the rules refuse an invalid address and report the reasons", arguments: refused.indices)
  func refuses(_ index: Int) {
    let (typed, expected) = Self.refused[index]
    #expect(reasons(typed) == expected)
  }

  @Test(
    "the rules ignore white space and invisible marks around an address, which users do not see",
    arguments: [
      " ", "   ", "\t", "\n", "\r\n", "\u{A0}", "\u{3000}", "\u{2028}", "\u{200B}", "\u{FEFF}", "\u{200E}", "\u{2068}",
    ])
  func margins(_ margin: String) throws {
    let rules = EmailRules(normalizer: UnicodeNormalizer())
    for typed in ["\(margin)Email@test.com", "Email@test.com\(margin)", "\(margin)Email@test.com\(margin)"] {
      for address in [try rules.check(typed).get(), try rules.addressOfAccount(typed).get()] {
        #expect(address.typed == "Email@test.com" && address.key.value == "email@test.com")
      }
    }
    #expect(reasons("e\(margin)mail@test.com") == ["email.syntax"])
  }

  @Test("white space within a domain is reported as such, and not as an invalid domain")
  func spaces() {
    func message(_ typed: String) -> String? {
      guard case .failure(let refusal) = EmailRules(normalizer: UnicodeNormalizer()).check(typed) else { return nil }
      return refusal.problems.first?.sentence.english
    }
    #expect(message("email@te st.com") == "An email address must not contain spaces.")
    #expect(message("email@te\tst.com") == "The domain after the @ contains an invisible character.")
  }

  @Test(
    "the rules accept valid addresses",
    arguments: [
      "email@test.com", "a@b.co", "first.last+tag@sub.domain.example", "!#$%&'*+-/=?^_`{|}~@test.com", "1@2.com",
      "jürgen@bücher.example", "用户@例子.广告", "e\u{301}@test.com", "a@xn--bcher-kva.example", "a@test.xn--p1ai",
      "\(String(repeating: "a", count: 64))@test.com", "A@TEST.COM",
    ])
  func takes(_ typed: String) throws {
    let address = try EmailRules(normalizer: UnicodeNormalizer()).check(typed).get()
    #expect(address.typed == typed)
  }

  @Test("the length limit counts bytes, also in the form that is sent over the wire")
  func limit() {
    let rules = EmailRules(maximumLength: 20, normalizer: UnicodeNormalizer())
    #expect(reasons("1234567890@12345.com", rules) == [])
    #expect(reasons("1234567890@123456.com", rules) == ["email.tooLong"])
    #expect(reasons("12345@bücher.example", rules) == ["email.tooLong"])
  }

  @Test("without internationalization, the rules accept only ASCII")
  func ascii() {
    let rules = EmailRules(internationalized: false, normalizer: UnicodeNormalizer())
    #expect(reasons("jürgen@test.com", rules) == ["email.syntax"])
    #expect(reasons("a@bücher.example", rules) == ["email.domain"])
    #expect(reasons("a@xn--bcher-kva.example", rules) == [])
  }

  @Test("a blocked domain includes its subdomains, but not domains that merely end alike")
  func blocked() {
    let rules = EmailRules(blockedDomains: ["Bücher.example"], normalizer: UnicodeNormalizer())
    #expect(reasons("a@xn--bcher-kva.example", rules) == ["email.domain"])
    #expect(reasons("a@mail.bücher.EXAMPLE", rules) == ["email.domain"])
    #expect(reasons("a@mehrbücher.example", rules) == [])
  }

  @Test("an account is found by an address that the rules now refuse as blocked, too long or not ASCII")
  func keyOfAccount() throws {
    let then = EmailRules(normalizer: UnicodeNormalizer())
    let today = EmailRules(
      maximumLength: 10, internationalized: false, blockedDomains: ["example.com", "bücher.example"],
      normalizer: UnicodeNormalizer())
    for typed in ["Name@mail.Example.COM", "jürgen@bücher.example", "a@xn--bcher-kva.example"] {
      #expect(reasons(typed, today) != [])
      #expect((try? today.addressOfAccount(typed).get().key) == (try then.check(typed).get().key))
    }
    let longest = "\(String(repeating: "a", count: 64))@\(String(repeating: "abcdefg.", count: 23))abcde"
    #expect(longest.utf8.count == 254)
    #expect((try? today.addressOfAccount(longest).get().key)?.value == longest)
    for typed in ["", "name", "name@example", "a..b@example.com", "\(longest)f"] {
      #expect((try? today.addressOfAccount(typed).get().key) == nil)
    }
  }
}
