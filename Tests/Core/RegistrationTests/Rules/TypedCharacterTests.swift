import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// Codes and addresses as keyboards, mail programs and word processors produce them.
@Suite("Typed and pasted characters")
struct TypedCharacterTests {
  private static let marks = [
    "\u{200E}", "\u{200F}", "\u{61C}", "\u{202A}", "\u{202C}", "\u{2066}", "\u{2068}", "\u{2069}", "\u{FEFF}",
    "\u{200B}",
    "\u{2060}", "\u{AD}", "\u{200D}",
  ]
  private static let hyphens = [
    "-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}", "\u{2043}", "\u{FE63}", "\u{FF0D}",
  ]

  @Test(
    "a code may be typed with the digits of any script",
    arguments: ["012345", "٠١٢٣٤٥", "۰۱۲۳۴۵", "०१२३४५", "０１２３４５", "০১২৩৪৫", "0١2۳４5"])
  func scripts(_ typed: String) { #expect(ClaimCodes.digits(of: typed, 6) == "012345") }

  @Test(
    "marks, hyphens and spaces in a code do not count",
    arguments: marks + hyphens + [" ", "\u{A0}", "\u{2009}", "\t", "\n"])
  func between(_ mark: String) {
    for typed in ["\(mark)123456", "123456\(mark)", "123\(mark)456", "\(mark)\(mark)1 2 3-4 5 6\(mark)"] {
      #expect(ClaimCodes.digits(of: typed, 6) == "123456")
    }
    let code = InvitationCode()
    let text = code.description
    for typed in ["\(mark)\(text)", "\(text)\(mark)", "\(text.prefix(9))\(mark)\(text.dropFirst(9).lowercased())"] {
      #expect(InvitationCode(typed) == code)
    }
  }

  @Test(
    "a string with other characters or another length is not a code",
    arguments: ["12345", "1234567", "12345a", "12345²", "①23456", "1234५६7", "", "\u{202E}"])
  func others(_ typed: String) { #expect(ClaimCodes.digits(of: typed, 6) == nil) }

  @Test("an invitation may be typed in full width and with the digits of another script")
  func invitation() {
    let plain = "01234567890123456789ABCXYZ"
    let arabic = Array("٠١٢٣٤٥٦٧٨٩".unicodeScalars)
    let mixed = plain.unicodeScalars.map { scalar in
      scalar.properties.numericType == nil
        ? Unicode.Scalar(scalar.value + 0xFEE0)! : arabic[Int(scalar.value) - 0x30]
    }
    #expect(InvitationCode(plain) != nil)
    #expect(InvitationCode(String(String.UnicodeScalarView(mixed))) == InvitationCode(plain))
    #expect(InvitationCode(plain.replacing("A", with: "\u{391}")) == nil, "a Greek letter")
  }

  @Test(
    "marks and white space are ignored around an address, but not within it",
    arguments: marks.prefix(11) + [" ", "\n"])
  func addresses(_ mark: String) {
    let rules = EmailRules(normalizer: UnicodeNormalizer())
    for address in ["name@example.com", "jürgen@bücher.example"] {
      for typed in ["\(mark)\(address)", "\(address)\(mark)", " \(mark) \(address)\(mark)\n"] {
        let (checked, known) = (try? rules.check(typed).get(), try? rules.addressOfAccount(typed).get())
        #expect(checked?.typed == address && known == checked, "\(typed.unicodeScalars.map(\.value))")
      }
      #expect((try? rules.check(address.replacing("e", with: "e\(mark)")).get()) == nil)
    }
    #expect((try? rules.check(mark).get()) == nil)
  }

  @Test("a password equal to the address resembles it, even if the address was pasted with marks")
  func resembles() {
    let policy = PasswordPolicy(normalizer: UnicodeNormalizer())
    let password = Password(utf8: Array("name@example.com".utf8))
    let problems = policy.problems(password: password, confirmation: password, email: "\u{200F} name@example.com ")
    #expect(problems.map(\.reason) == [.passwordResemblesEmail])
  }
}
