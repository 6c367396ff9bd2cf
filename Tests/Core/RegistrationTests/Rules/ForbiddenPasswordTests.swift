import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

@Suite("Forbidden passwords")
struct ForbiddenPasswordTests {
  private static let normalizer = UnicodeNormalizer()

  private func reasons(
    _ password: String, _ email: String, breached: (any BreachedPasswordList)? = nil, minimum: Int = 1
  ) -> [Problem.Reason] {
    let policy = PasswordPolicy(minimumLength: minimum, breached: breached, normalizer: Self.normalizer)
    let typed = SpelledEntry.password(password)
    return policy.problems(password: typed, confirmation: typed, email: email).map(\.reason)
  }

  /// The whole password is compared with the address, its local part, its domain, and the domain's first label.
  static let resemblances: [(password: String, email: String, resembles: Bool)] = [
    ("Long.Name@Mail.Example.com", "long.name@mail.example.com", true),
    ("LONG.name", "long.name@mail.example.com", true),
    ("mail.example.COM", "long.name@mail.example.com", true), ("Mail", "long.name@mail.example.com", true),
    ("ｌｏｎｇ．ｎａｍｅ", "long.name@mail.example.com", true), ("long.name", "ＬＯＮＧ．ｎａｍｅ@x.example", true),
    ("long.name＠mail.example.com", "long.name@mail.example.com", true),
    ("ju\u{308}rgen-maria", "Jürgen-Maria@x.example", true), ("STRASSENFEST", "straßenfest@x.example", true),
    ("straßenfest", "strassenfest@x.example", true), ("σίσυφος9", "ΣΊΣΥΦΟΣ9@x.example", true),
    ("bu\u{308}cher.example", "a@BÜCHER.example", true), ("jürgen", "jürgen@", true),
    // the check does not search for other parts
    ("long.name1", "long.name@mail.example.com", false), ("long", "long.name@mail.example.com", false),
    ("name", "long.name@mail.example.com", false), ("example", "long.name@mail.example.com", false),
    ("example.com", "long.name@mail.example.com", false), ("com", "long.name@mail.example.com", false),
    ("mail.example", "long.name@mail.example.com", false), ("@mail.example.com", "long.name@mail.example.com", false),
    ("my long.name@mail.example.com", "long.name@mail.example.com", false), ("longname", "long.name@x.example", false),
    ("eman.gnol", "long.name@x.example", false), ("a", "b@x.example", false), ("jurgen", "jürgen@x.example", false),
    ("anything at all", "no address", false),
  ]

  @Test("the whole password is compared after folding", arguments: resemblances.indices)
  func resembling(_ index: Int) {
    let (password, email, resembles) = Self.resemblances[index]
    #expect(reasons(password, email).contains(.passwordResemblesEmail) == resembles, "\(password), \(email)")
  }

  @Test("the longest address is also compared, in four-byte letters that fold to one byte")
  func longest() {
    let labels = ["d", "e", "f"].map { String(repeating: $0, count: 60) }
    let email = "\(String(repeating: "n", count: 60))@\(labels.joined(separator: ".")).example"
    let bold = email.unicodeScalars.reduce(into: "") { text, scalar in
      let isLetter = ("a"..."z").contains(scalar)
      text.unicodeScalars.append(isLetter ? Unicode.Scalar(scalar.value - 0x61 + 0x1D41A) ?? scalar : scalar)
    }
    #expect(reasons(bold, email) == [.passwordResemblesEmail])
    #expect(reasons(email.uppercased(), email) == [.passwordResemblesEmail])
  }

  @Test("the list has at least ten thousand common passwords, and they are found in any case and width")
  func common() {
    var count = 0
    for (index, word) in CommonPasswords.words.enumerated() {
      count += 1
      guard index % 97 == 0 else { continue }
      for spelling in ["\(word)", word.uppercased(), wide("\(word)")] {
        #expect(reasons(spelling, "a@x.example") == [.passwordCommon], "\(spelling)")
      }
    }
    #expect(count >= 10_000)
    #expect(Set(CommonPasswords.words).count == count)
    #expect(CommonPasswords.words.allSatisfy { word in Self.normalizer.folded("\(word)") == Array(word.utf8) })
  }

  private func wide(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { wide, scalar in
      let isNarrow = ("!"..."~").contains(scalar)
      wide.unicodeScalars.append(isNarrow ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar)
    }
  }

  @Test("a breached password is the last problem of its field, and is looked up as typed, in NFC")
  func breached() {
    let list = BreachedWords { ["password", "é-12345", "Name"].contains(String(decoding: $0, as: UTF8.self)) }
    #expect(
      reasons("password", "password@x.example", breached: list, minimum: 9)
        == [.passwordTooShort, .passwordCommon, .passwordResemblesEmail, .passwordBreached])
    #expect(reasons("e\u{301}-12345", "a@x.example", breached: list) == [.passwordBreached])
    #expect(reasons("é-12346", "a@x.example", breached: list) == [])
    // a list of hashes is case-sensitive
    #expect(reasons("Name", "a@x.example", breached: list) == [.passwordBreached])
    #expect(reasons("name", "a@x.example", breached: list) == [])
    let policy = PasswordPolicy(breached: list, normalizer: Self.normalizer)
    let problems = policy.problems(password: SpelledEntry.password("é-12345"), confirmation: nil, email: nil)
    #expect(problems.map(\.reason) == [.passwordTooShort, .passwordBreached, .confirmationMissing])
  }

  @Test(
    "the fast path also checks the list of breached passwords", arguments: ["fine phrase", "stolen phrase", "stolen"])
  func quickly(_ password: String) {
    let list = BreachedWords { String(decoding: $0, as: UTF8.self) == "stolen phrase" }
    for breached in [nil, list] {
      let rules = RegistrationRules(
        email: EmailRules(normalizer: Self.normalizer),
        password: PasswordPolicy(breached: breached, normalizer: Self.normalizer))
      let isCertain = Array("name@example.com".utf8).withUnsafeBytes { email in
        Array(password.utf8).withUnsafeBytes {
          rules.certainlyAccepts(email: email, password: $0, confirmation: $0)
        }
      }
      let typed = Fixtures.password(password)
      let problems = rules.check(
        RegistrationEntry(email: "name@example.com", password: typed, passwordConfirmation: typed)
      ).problems
      #expect(isCertain == problems.isEmpty)
      #expect(problems.contains { $0.reason == .passwordBreached } == (breached != nil && password == "stolen phrase"))
    }
  }
}
