import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

@Suite("Password policy")
struct PasswordPolicyTests {
  private func reasons(
    _ password: String?, _ confirmation: String?, email: String? = "name@example.com",
    _ policy: PasswordPolicy = PasswordPolicy(normalizer: UnicodeNormalizer())
  ) -> [String] {
    policy.problems(
      password: password.map(Fixtures.password), confirmation: confirmation.map(Fixtures.password), email: email
    ).map(\.reason.rawValue)
  }

  private func reasons(_ password: String, email: String? = "name@example.com") -> [String] {
    reasons(password, password, email: email)
  }

  @Test("missing, in every way")
  func missing() {
    let both = ["password.missing", "password.confirmationMissing"]
    for nothing in [nil, ""] { #expect(reasons(nothing, nothing) == both) }
    #expect(reasons(nil, "a fine phrase") == ["password.missing"])
    #expect(reasons("a fine phrase", nil) == ["password.confirmationMissing"])
    #expect(reasons("a fine phrase", "") == ["password.confirmationMissing"])
  }

  @Test("every rule at once, in a fixed order")
  func atOnce() {
    #expect(reasons("12345", nil) == ["password.tooShort", "password.common", "password.confirmationMissing"])
    #expect(
      reasons("name", "nam", email: "name@example.com") == [
        "password.tooShort", "password.resemblesEmail", "password.mismatch",
      ])
  }

  @Test("lengths count code points")
  func lengths() {
    #expect(reasons("äöüßéèêë") == [])
    #expect(reasons("äöüßéèê") == ["password.tooShort"])
    #expect(reasons("😀😀😀😀😀😀😀😀") == [])
    #expect(reasons(String(repeating: "ä", count: 256)) == [])
    #expect(reasons(String(repeating: "ä", count: 257)) == ["password.tooLong"])
  }

  @Test(
    "common passwords, in any case and width", arguments: ["password", "PassWord", "ｐａｓｓｗｏｒｄ", "12345678", "trustno1"])
  func common(_ password: String) {
    #expect(reasons(password) == ["password.common"])
  }

  @Test("a password that only holds a common one is not common")
  func holdingCommon() { #expect(reasons("my password, longer") == []) }

  @Test("every word of the list is found, and none between them")
  func list() {
    let all = CommonPasswords.words
    #expect(all.count >= 10_000)
    for word in all {
      #expect(CommonPasswords.contains(Array(word.utf8)))
      #expect(!CommonPasswords.contains(Array("\(word)\u{1}".utf8)))
    }
    #expect(!CommonPasswords.contains([]))
    #expect(!CommonPasswords.contains(Array("password 12345678".utf8)))
  }

  @Test(
    "a password that is the address or a part of it",
    arguments: ["long.name@Example.com", "LONG.NAME", "example.com", "longexample"])
  func resembling(_ password: String) {
    let email = password == "longexample" ? "x@longexample.com" : "long.name@example.com"
    #expect(reasons(password, email: email) == ["password.resemblesEmail"])
  }

  @Test("the comparison is of the whole password, not of a part")
  func notResembling() {
    #expect(reasons("long.name has a dog", email: "long.name@example.com") == [])
    #expect(reasons("a fine phrase", email: nil) == [])
    #expect(reasons("a fine phrase", email: "phrase") == [])
  }

  @Test("the simplest form's rules: six characters, equal to their confirmation, nothing else")
  func simplest() {
    let policy = PasswordPolicy(
      minimumLength: 6, refuseCommon: false, refuseResemblingEmail: false, normalizer: UnicodeNormalizer())
    #expect(reasons("123456", "123456", policy) == [])
    #expect(reasons("12345", "12345", policy) == ["password.tooShort"])
    #expect(reasons("123456", "123457", policy) == ["password.mismatch"])
  }
}
