import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// Checks every code point with the real normalizer.
@Suite("Invisible characters")
struct InvisibleCharacterTests {
  private static let rules = EmailRules(normalizer: UnicodeNormalizer())

  private static var all: some Sequence<Unicode.Scalar> {
    (UInt32(0x80)...0x10FFFF).lazy.compactMap { Unicode.Scalar($0) }
  }

  /// Decides by the properties alone, independently of the rules' implementation.
  private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isDefaultIgnorableCodePoint { return true }
    if [0x2800, 0x16FE4, 0x1D159, 0x13441, 0x13442].contains(scalar.value) { return true }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      true
    default: false
    }
  }

  private func problem(_ typed: String) -> Problem? {
    guard case .failure(let refusal) = Self.rules.check(typed) else { return nil }
    return refusal.problems.first
  }

  @Test("no invisible code point passes in the name or the domain, and no visible one is called invisible")
  func everywhere() {
    var (passed, mistaken): ([String], [String]) = ([], [])
    var invisible = 0
    for scalar in Self.all {
      let isUnassigned = [.unassigned, .privateUse].contains(scalar.properties.generalCategory)
      // these are all alike, and most code points are among them
      if isUnassigned, scalar.value % 64 != 0, !scalar.properties.isDefaultIgnorableCodePoint { continue }
      let (name, domain) = (problem("a\(scalar)b@x.example"), problem("name@a\(scalar)b.example"))
      let code = String(scalar.value, radix: 16)
      if isInvisible(scalar) {
        invisible += 1
        if name?.reason != .emailSyntax { passed.append("\(code) before the @") }
        if domain?.reason != .emailDomain { passed.append("\(code) behind the @") }
      } else {
        for problem in [name, domain] where problem?.message.contains("an invisible character") == true {
          // a character that folds to a space or a joiner is also invisible
          if !foldsToInvisible(scalar) { mistaken.append(code) }
        }
      }
    }
    #expect(passed == [])
    #expect(mistaken == [])
    // the loop has visited the code points
    #expect(invisible > 5000)
  }

  private func foldsToInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let folded = String(decoding: UnicodeNormalizer().folded("\(scalar)"), as: UTF8.self)
    return folded.unicodeScalars.contains { isInvisible($0) || $0 == " " }
  }

  @Test("every code point is judged by its properties, including private-use and unassigned code points")
  func properties() {
    let wrong = Self.all.filter { InvisibleCharacters.contains($0) != isInvisible($0) }
    #expect(wrong == [])
  }

  @Test("a joiner is allowed in a domain only where it is visible (RFC 5892, appendix A)")
  func joiners() {
    #expect(problem("a@نامه\u{200C}ای.example") == nil)
    #expect(problem("a@\u{915}\u{94D}\u{200D}\u{937}.example") == nil)
    for domain in ["a\u{200C}b.example", "a\u{200D}b.example", "example.\u{200D}", "\u{200C}.example"] {
      #expect(problem("a@\(domain)")?.reason == .emailDomain, "\(domain)")
    }
  }

  @Test("an A-label cannot hide an invisible character")
  func aLabels() {
    for label in ["xn--ab-j1t", "xn--ab-5da", "xn--ab-m1t"] {  // ab with U+200B, U+00AD, U+200D between
      #expect(problem("a@\(label).example")?.reason == .emailDomain, "\(label)")
    }
  }

  @Test("a set of domains covers its domains and their subdomains, but not names that merely end alike")
  func domainSet() {
    let set = DomainList(["example.org", "net", "a.b.c.d"])
    for (name, isCovered) in [
      ("example.org", true), ("mail.example.org", true), ("x.y.example.org", true), ("myexample.org", false),
      ("org", false), ("net", true), ("any.net", true), ("planet", false), ("b.c.d", false), ("a.b.c.d", true),
      ("x.a.b.c.d", true), ("", false), (".", false), ("example.org.", false),
    ] {
      #expect(set.covers(name) == isCovered, "\(name)")
    }
    #expect(DomainList([]).isEmpty && !DomainList([]).covers("a"))
  }
}
