import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// The fast path accepts only entries in which the full check finds no problem.
@Suite("Plain entries")
struct PlainEntriesTests {
  private static let normalizer = UnicodeNormalizer()

  private static func rules(
    maximum: Int = 254, blocked: [String] = [], minimum: Int = 8, common: Bool = true, resembling: Bool = true
  ) -> RegistrationRules {
    RegistrationRules(
      email: EmailRules(maximumLength: maximum, blockedDomains: blocked, normalizer: normalizer),
      password: PasswordPolicy(
        minimumLength: minimum, maximumLength: 40, refuseCommon: common, refuseResemblingEmail: resembling,
        normalizer: normalizer))
  }

  private func quick(_ rules: RegistrationRules, _ email: String, _ password: String, _ confirmation: String) -> Bool {
    Array(email.utf8).withUnsafeBytes { email in
      Array(password.utf8).withUnsafeBytes { password in
        Array(confirmation.utf8).withUnsafeBytes {
          rules.certainlyAccepts(email: email, password: password, confirmation: $0)
        }
      }
    }
  }

  private func long(_ rules: RegistrationRules, _ email: String, _ password: String, _ confirmation: String)
    -> Validation
  {
    func made(_ text: String) -> Password {
      Password(utf8: Array(text.utf8).withUnsafeBytes { Self.normalizer.composed($0) })
    }
    return rules.check(
      RegistrationEntry(email: email, password: made(password), passwordConfirmation: made(confirmation)))
  }

  @Test("if registration needs more than an address and a password, or is closed, the full check decides")
  func admission() {
    let (email, password) = (EmailRules(normalizer: Self.normalizer), PasswordPolicy(normalizer: Self.normalizer))
    func rules(_ mode: AdmissionTerms.Mode, _ version: String = "") -> RegistrationRules {
      RegistrationRules(
        email: email, password: password, mode: mode, terms: TermsOfUse(version: version, url: "https://x.example"))
    }
    for (rules, isQuick, reasons) in [
      (rules(.open), true, []), (rules(.invited), false, [.invitationMissing]), (rules(.closed), false, []),
      (rules(.open, "1"), false, [.termsMissing]), (rules(.invited, "1"), false, [.invitationMissing, .termsMissing]),
    ] as [(RegistrationRules, Bool, [Problem.Reason])] {
      #expect(quick(rules, "a@example.com", "a fine phrase", "a fine phrase") == isQuick)
      let validation = long(rules, "a@example.com", "a fine phrase", "a fine phrase")
      #expect(validation.problems.map(\.reason) == reasons)
      #expect(validation.registrationEnabled == isQuick && validation.passwordValid && validation.emailValid)
    }
  }

  /// Checks that the fast path does not accept more than the full check.
  private func agree(_ rules: RegistrationRules, _ email: String, _ password: String) {
    let isQuick = quick(rules, email, password, password)
    let validation = long(rules, email, password, password)
    if isQuick {
      #expect(validation.registrationEnabled, "\(email.debugDescription) \(password.debugDescription)")
      #expect(validation.email?.key.value == email.lowercased())
    }
    #expect(!quick(rules, email, password, password + "x"))
  }

  @Test(
    "for addresses at every limit of the rules, the fast path accepts no invalid entry",
    arguments: [
      "", "@", "a@", "@a.b", "a", "a@b", "a@b.c", "a@b.1", "a@1.b", "a@1.2", ".a@b.c", "a.@b.c", "a..b@b.c", "a.b@b.c",
      "a@b..c", "a@.b.c", "a@b.c.", "a@-b.c", "a@b-.c", "a@b-c.de", "a@xn--a.b", "a@b.xn--c", "a@ab--c.d", "a@B.C",
      "A.B+c@Example.COM", "a b@c.de", "a@b c.de", "a@b@c.de", "a\"@b.de", "a\\@b.de", "a(b)@c.de", "a,b@c.de",
      "a@b_c.de",
      "a@b.c\u{0}", "\u{0}@b.cd", "é@b.cd", "a@é.cd", "a@b.cd\n", "!#$%&'*+-/=?^_`{|}~@b.cd",
    ])
  func addresses(_ email: String) { agree(Self.rules(), email, "a fine phrase") }

  @Test("for lengths at every limit of the rules, the fast path accepts no invalid entry")
  func lengths() {
    for count in [1, 62, 63, 64, 65, 66, 200, 245, 250, 251, 252, 253, 254, 255, 300] {
      let part = String(repeating: "a", count: count)
      let labels = (0..<count).map { $0 % 60 == 59 ? "." : "b" }.joined()
      for email in ["\(part)@b.cd", "a@\(part).cd", "a@\(labels).cd", "a@b.\(part)"] {
        agree(Self.rules(), email, "a fine phrase")
        agree(Self.rules(maximum: 60), email, "a fine phrase")
      }
      agree(Self.rules(), "a@b.cd", part)
    }
    #expect(quick(Self.rules(), "\(String(repeating: "a", count: 64))@b.cd", "a fine phrase", "a fine phrase"))
    #expect(!quick(Self.rules(), "\(String(repeating: "a", count: 65))@b.cd", "a fine phrase", "a fine phrase"))
  }

  @Test("for common passwords and parts of the address, the fast path accepts no invalid entry")
  func passwords() {
    let email = "First.Last@mail.example.com"
    for password in [
      "password", "PassWord1", "iloveyou1", "first.last@MAIL.example.com", "FIRST.last", "mail.example.com", "Mail",
      "mail.example",
      "ünïcödé phrase", "12345678", "short", "a fine phrase", String(repeating: "x", count: 41), "tab\tand\u{0}zero",
    ] {
      agree(Self.rules(), email, password)
      agree(Self.rules(minimum: 4, common: false), email, password)
      agree(Self.rules(minimum: 4, resembling: false), email, password)
    }
    #expect(quick(Self.rules(), email, "a fine phrase", "a fine phrase"))
    #expect(quick(Self.rules(common: false), email, "password", "password"))
    #expect(!quick(Self.rules(minimum: 4), email, "mail", "mail"))
    #expect(quick(Self.rules(minimum: 4, common: false, resembling: false), email, "mail", "mail"))
    #expect(!quick(Self.rules(blocked: ["example.com"]), email, "a fine phrase", "a fine phrase"))
  }

  @Test("the filter stops every common password and few others")
  func filter() {
    for word in CommonPasswords.words {
      let isHeld = Array(word.uppercased().utf8).withUnsafeBytes { CommonPasswords.mayContain($0) }
      #expect(isHeld || !word.utf8.allSatisfy { $0 < 0x80 }, "\(word)")
    }
    let held = (0..<10_000).count { number in
      Array("quite another \(number)".utf8).withUnsafeBytes { CommonPasswords.mayContain($0) }
    }
    #expect(held < 300)
  }

  @Test("for random entries near the limits of every rule, the fast path accepts no invalid entry")
  func random() {
    var random = SystemRandomNumberGenerator()
    let letters = Array("abAB19.-@+_ é")
    let rules = [Self.rules(), Self.rules(maximum: 12, minimum: 2), Self.rules(minimum: 1, common: false)]
    var accepted = 0
    for _ in 0..<20_000 {
      func word(_ most: Int) -> String {
        String((0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
      }
      let email = "\(word(4))@\(word(5)).\(word(3))"
      let password = word(12)
      let rule = rules.randomElement(using: &random) ?? rules[0]
      if quick(rule, email, password, password) { accepted += 1 }
      agree(rule, email, password)
    }
    #expect(accepted > 20)
  }
}

extension CommonPasswords {
  static var words: [Substring] { "\(list)".split { $0.isWhitespace } }
}
