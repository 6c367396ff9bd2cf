import AddressNormalization
import Registration
import Testing

@Suite("Unicode normalizer")
struct UnicodeNormalizerTests {
  private let normalizer = UnicodeNormalizer()

  private func key(_ typed: String) throws -> String {
    try EmailRules(normalizer: normalizer).check(typed).get().key.value
  }

  /// Spellings of one address, and similar addresses that differ.
  static let pairs: [(one: String, other: String, isSame: Bool)] = [
    // case
    ("Name@Example.COM", "name@example.com", true), ("ÄRGER@x.example", "ärger@X.example", true),
    ("ΣΊΣΥΦΟΣ@x.example", "σίσυφος@x.example", true),
    // composed and decomposed
    ("caf\u{E9}@x.example", "cafe\u{301}@x.example", true), ("a@caf\u{E9}.example", "a@cafe\u{301}.example", true),
    ("\u{1E69}@x.example", "s\u{323}\u{307}@x.example", true),
    ("\u{1E69}@x.example", "s\u{307}\u{323}@x.example", true),
    ("한@x.example", "\u{1112}\u{1161}\u{11AB}@x.example", true),
    // width and compatibility
    ("ｎａｍｅ@x.example", "name@x.example", true), ("ﬁn@x.example", "fin@x.example", true),
    ("a@ｅｘａｍｐｌｅ.com", "a@example.com", true), ("カ@x.example", "ｶ@x.example", true),
    // U-label and A-label
    ("a@bücher.example", "a@xn--bcher-kva.example", true), ("a@BÜCHER.example", "a@XN--BCHER-KVA.example", true),
    ("a@例子.广告", "a@xn--fsqu00a.xn--4rr70v", true),
    // sharp s: folded in the local part, a separate letter in a domain (IDNA2008)
    ("straße@x.example", "STRASSE@x.example", true), ("straẞe@x.example", "strasse@x.example", true),
    ("a@straße.example", "a@strasse.example", false), ("a@straße.example", "a@xn--strae-oqa.example", true),
    // dotless and dotted i
    ("ırmak@x.example", "irmak@x.example", false), ("İrmak@x.example", "irmak@x.example", false),
    ("İrmak@x.example", "i\u{307}rmak@x.example", true),
    // visually similar
    ("pаypal@x.example", "paypal@x.example", false), ("a@exаmple.com", "a@example.com", false),
    // dots and tags, which some mail systems ignore but addresses do not
    ("na.me@x.example", "name@x.example", false), ("name+tag@x.example", "name@x.example", false),
  ]

  @Test("two spellings have the same key only if they are one address", arguments: pairs.indices)
  func keys(_ index: Int) throws {
    let (one, other, isSame) = Self.pairs[index]
    #expect((try key(one).utf8.elementsEqual(try key(other).utf8)) == isSame, "\(one) and \(other)")
  }

  @Test("the key of a key is the same key", arguments: pairs.indices)
  func stable(_ index: Int) throws {
    for typed in [Self.pairs[index].one, Self.pairs[index].other] {
      let once = try key(typed)
      #expect(try key(once).utf8.elementsEqual(once.utf8))
    }
  }

  @Test(
    "an invalid domain name has no A-labels",
    arguments: [
      "xn--zz--.example", "xn--a.example", "xn--bcher-kvb\u{0}.example", "a\u{200D}b.example", "\u{301}a.example",
      "-é.example",
      "é-.example", "ab--é.example", "א1a.example", "\(String(repeating: "é", count: 60)).example",
    ])
  func noDomain(_ domain: String) { #expect(normalizer.asciiDomain(domain) == nil) }

  @Test("NFC composes composable characters and leaves the rest unchanged")
  func composed() {
    for (text, expected) in [("e\u{301}", "\u{E9}"), ("\u{E9}", "\u{E9}"), ("plain", "plain"), ("", ""), ("ﬁ", "ﬁ")] {
      let bytes = Array(text.utf8).withUnsafeBytes { normalizer.composed($0) }
      #expect(bytes == Array(expected.utf8))
    }
  }
}
