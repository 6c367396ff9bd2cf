import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// Every code point there is, against the real normalizer.
@Suite("Invisible characters")
struct InvisibleCharacterTests {
  private static let rules = EmailRules(normalizer: UnicodeNormalizer())

  private static var all: some Sequence<Unicode.Scalar> {
    (UInt32(0x80)...0x10FFFF).lazy.compactMap { Unicode.Scalar($0) }
  }

  /// By the properties alone, without knowing how the rules go about it.
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

  @Test("no code point that cannot be seen passes, in the name or in the domain; none that can is called invisible")
  func everywhere() {
    var (passed, mistaken): ([String], [String]) = ([], [])
    var invisible = 0
    for scalar in Self.all {
      let isUnassigned = [.unassigned, .privateUse].contains(scalar.properties.generalCategory)
      // those are all alike, and most of all that there is
      if isUnassigned, scalar.value % 64 != 0, !scalar.properties.isDefaultIgnorableCodePoint { continue }
      let (name, domain) = (problem("a\(scalar)b@x.example"), problem("name@a\(scalar)b.example"))
      let code = String(scalar.value, radix: 16)
      if isInvisible(scalar) {
        invisible += 1
        if name?.reason != .emailSyntax { passed.append("\(code) before the @") }
        if domain?.reason != .emailDomain { passed.append("\(code) behind the @") }
      } else {
        for problem in [name, domain] where problem?.message.contains("an invisible character") == true {
          // what folds to a space or a joiner is none to see, either
          if !foldsToInvisible(scalar) { mistaken.append(code) }
        }
      }
    }
    #expect(passed == [])
    #expect(mistaken == [])
    // the enumeration was one
    #expect(invisible > 5000)
  }

  private func foldsToInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let folded = String(decoding: UnicodeNormalizer().folded("\(scalar)"), as: UTF8.self)
    return folded.unicodeScalars.contains { isInvisible($0) || $0 == " " }
  }

  @Test("every code point is judged as its properties say, those of private use and the unassigned included")
  func properties() {
    let wrong = Self.all.filter { InvisibleCharacters.contains($0) != isInvisible($0) }
    #expect(wrong == [])
  }

  @Test("a joiner stands in a domain where it is seen (RFC 5892, appendix A), and nowhere else")
  func joiners() {
    #expect(problem("a@نامه\u{200C}ای.example") == nil)
    #expect(problem("a@\u{915}\u{94D}\u{200D}\u{937}.example") == nil)
    for domain in ["a\u{200C}b.example", "a\u{200D}b.example", "example.\u{200D}", "\u{200C}.example"] {
      #expect(problem("a@\(domain)")?.reason == .emailDomain, "\(domain)")
    }
  }

  @Test("an A-label hides nothing either")
  func aLabels() {
    for label in ["xn--ab-j1t", "xn--ab-5da", "xn--ab-m1t"] {  // ab with U+200B, U+00AD, U+200D between
      #expect(problem("a@\(label).example")?.reason == .emailDomain, "\(label)")
    }
  }

  @Test("a set of domains covers what is in it and what lies below, and nothing that ends alike")
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
