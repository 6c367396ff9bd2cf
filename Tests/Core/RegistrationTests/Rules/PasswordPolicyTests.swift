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

  @Test("a missing password or confirmation is reported")
  func missing() {
    let both = ["password.missing", "password.confirmationMissing"]
    for nothing in [nil, ""] { #expect(reasons(nothing, nothing) == both) }
    #expect(reasons(nil, "a fine phrase") == ["password.missing"])
    #expect(reasons("a fine phrase", nil) == ["password.confirmationMissing"])
    #expect(reasons("a fine phrase", "") == ["password.confirmationMissing"])
  }

  @Test("all broken rules are reported at once, in a fixed order")
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
    "a common password is refused in any case and width",
    arguments: ["password", "PassWord", "ｐａｓｓｗｏｒｄ", "12345678", "trustno1"])
  func common(_ password: String) {
    #expect(reasons(password) == ["password.common"])
  }

  @Test("a password that only contains a common password is not common")
  func holdingCommon() { #expect(reasons("my password, longer") == []) }

  @Test("every word of the list is found, and no other word")
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
    "a password that is the address or a part of it is refused",
    arguments: ["long.name@Example.com", "LONG.NAME", "example.com", "longexample"])
  func resembling(_ password: String) {
    let email = password == "longexample" ? "x@longexample.com" : "long.name@example.com"
    #expect(reasons(password, email: email) == ["password.resemblesEmail"])
  }

  @Test("a password that merely contains a part of the address is accepted")
  func notResembling() {
    #expect(reasons("long.name has a dog", email: "long.name@example.com") == [])
    #expect(reasons("a fine phrase", email: nil) == [])
    #expect(reasons("a fine phrase", email: "phrase") == [])
  }

  @Test("the simplest form requires six characters and an equal confirmation, and nothing else")
  func simplest() {
    let policy = PasswordPolicy(
      minimumLength: 6, refuseCommon: false, refuseResemblingEmail: false, normalizer: UnicodeNormalizer())
    #expect(reasons("123456", "123456", policy) == [])
    #expect(reasons("12345", "12345", policy) == ["password.tooShort"])
    #expect(reasons("123456", "123457", policy) == ["password.mismatch"])
  }
}
