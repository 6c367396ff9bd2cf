import Localization
import Testing

@Suite("Templates")
struct TemplateTests {
  @Test(
    "Template refuses an invalid text",
    arguments: [
      ("{", .place("")), ("}", .unbalanced), ("{name", .unbalanced), ("{}", .place("}")), ("{a b}", .place("a")),
      ("{n, plural, one {x}}", .withoutOther("n")), ("{n, plural, other {x}", .unbalanced),
      ("{n, plural, sum {x} other {y}}", .form("sum")),
      ("{n, plural, one {x} one {y} other {z}}", .form("one")), ("{n, select, other {y}}", .place("n")),
      ("{n, plural, =x {x} other {y}}", .form("=x")), ("it '{ stays", .unbalanced),
    ] as [(String, Template.Fault)])
  func refused(text: String, fault: Template.Fault) {
    #expect(throws: fault) { try Template(text) }
  }

  private enum Counted: String, MessageKey {
    case tries =
      "counted.tries: {left, plural, =0 {No try is} one {One try is} other {# tries are}} left of ''{all}'', it's '{'so'}'."
  }

  @Test("a template accepts nested plurals up to a depth, and any number of them side by side", arguments: [9, 50_000])
  func deep(count: Int) throws {
    func nested(_ count: Int) -> String {
      String(repeating: "{n, plural, other {", count: count) + "x" + String(repeating: "}}", count: count)
    }
    #expect(throws: Template.Fault.tooDeep) { try Template(nested(count)) }
    #expect(try Template(nested(8)).plurals.count == 8)
    #expect(try Template(String(repeating: nested(1), count: 50)).plurals.count == 50)
  }

  @Test(
    "a template fills in placeholders, plural forms and quoted braces",
    arguments: [(0, "No try is left of '9'"), (1, "One try is left of '9'"), (7, "7 tries are left of '9'")])
  func filled(left: Int, text: String) throws {
    let sentence = LocalizedMessage(Counted.tries, ["left": .number(left), "all": 9])
    #expect(sentence.english == text + ", it's {so}.")
    #expect(try Template(Counted.tries.english).places == ["left", "all"])
    #expect(Counted.tries.name == "counted.tries")
  }

  @Test("a right-to-left text isolates its values, and a left-to-right text isolates right-to-left values")
  func isolated() throws {
    let arabic = Language(
      try #require(LanguageTag("ar")),
      chain: [
        MessageCatalog(
          try #require(LanguageTag("ar")),
          texts: ["counted.tries": try Template("بقيت {left, plural, few {# محاولات} other {# محاولة}} {all}")])
      ])
    #expect(
      arabic.text(of: LocalizedMessage(Counted.tries, ["left": 3, "all": "a@b.example"]))
        == "بقيت \u{2068}3\u{2069} محاولات \u{2068}a@b.example\u{2069}")
    #expect(
      LocalizedMessage(GeneralMessageKey.twoSentences, ["first": "اب", "second": "b"]).english == "\u{2068}اب\u{2069} b"
    )
  }

  @Test(
    "an English text used in another language keeps the plural rules and direction of English", arguments: ["ar", "zh"])
  func lent(tag: String) throws {
    let tag = try #require(LanguageTag(tag))
    let english = MessageCatalog(Language.english.tag, texts: ["counted.tries": try Template(Counted.tries.english)])
    let borrower = Language(tag, chain: [MessageCatalog(tag, texts: [:]), english])
    #expect(
      borrower.text(of: LocalizedMessage(Counted.tries, ["left": 1, "all": 5])) == "One try is left of '5', it's {so}.")
  }

  @Test(
    "a language's script decides its direction, by default its usual script",
    arguments: [("ar", true), ("az-Arab", true), ("he-IL", true), ("ar-Latn", false), ("az", false)])
  func direction(tag: String, isRightToLeft: Bool) throws {
    #expect(try #require(LanguageTag(tag)).isRightToLeft == isRightToLeft)
  }

  @Test("two messages are joined with a space, and messages with equal keys and values are equal")
  func followed() {
    let one = LocalizedMessage(Counted.tries, ["left": 1, "all": 2])
    #expect(one.followed(by: one).english == "\(one.english) \(one.english)")
    #expect(one == LocalizedMessage(Counted.tries, ["left": 1, "all": 2]))
    #expect(one != LocalizedMessage(Counted.tries, ["left": 2, "all": 2]))
  }
}
