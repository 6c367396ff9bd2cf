import FormTerminal
import FullScreen
import Glibc
import Localization
import RegdClient
import TestDoubles
import Testing

@Suite("drawing a form in other languages")
struct FormLanguageTests {
  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func language(_ tag: String, _ texts: KeyValuePairs<String, String>) throws -> Language {
    let tag = try #require(LanguageTag(tag))
    var templates: [String: Template] = [:]
    for (key, text) in texts { templates[key] = try Template(text) }
    return Language(tag, chain: [MessageCatalog(tag, texts: templates)])
  }

  private func chinese() throws -> Language {
    try language(
      "zh",
      [
        "regctl.form.email": "电子邮件地址", "regctl.form.password": "密码", "regctl.form.passwordConfirmation": "再次输入密码",
        "regctl.form.registration": "注册账户", "regctl.form.button.register": "注册",
        "regctl.form.button.disabled": "（不可用）",
      ])
  }

  private func arabic() throws -> Language {
    try language(
      "ar",
      [
        "regctl.form.email": "عنوان البريد", "regctl.form.password": "كلمة السّرّ",
        "regctl.form.passwordConfirmation": "كلمة السّرّ مرّة أخرى", "regctl.form.registration": "تسجيل حساب",
        "regctl.form.codeOnItsWay": "أُرسل رمز إلى {email}.",
      ])
  }

  private func drawing(
    _ language: Language, _ message: String, columns: Int = 60, rows: Int = 24, typed: String = "you@example.com",
    glyphs: Glyphs = .unicode
  ) -> Drawing {
    let state = FormState(
      email: "", isEnabled: false, problems: [.init(field: "email", message: message)], errorMessage: nil)
    var form = ShownForm(.registration, state)
    _ = form.press(.edit(.insert(typed)))
    return FormView.draw(form, columns: columns, rows: rows, glyphs, language)
  }

  private func columns(_ text: String) -> Int { Glyphs.unicode.cells(text).columns }

  private func open(_ line: String) -> Int { line.firstIndex(of: "[").map { columns(String(line[..<$0])) } ?? -1 }

  @Test("lines with wide characters, marks and isolates fit every width, and each isolate is closed")
  func sizes() throws {
    let chinese = (try chinese(), "@ 后面的域名需要一个点，例如 example.com。请您检查并再输入一次，谢谢。")
    let arabic = (try arabic(), "يحتاج النطاق بعد \u{2068}@\u{2069} إلى نقطة، كما في \u{2068}example.com\u{2069}.")
    for (language, message) in [chinese, arabic] {
      for width in 1...90 {
        for line in drawing(language, message, columns: width, rows: 12, typed: "漢字أبي@test").lines {
          #expect(columns(line) <= max(1, width - 1), "\(width): \(line)")
          let opened = line.count { "\u{2066}\u{2067}\u{2068}".contains($0) }
          #expect(opened == line.count { $0 == "\u{2069}" }, "\(width): \(line.unicodeScalars.map(\.value))")
        }
      }
    }
  }

  @Test("fields begin in the same column, whatever the widths of their labels")
  func aligned() throws {
    for language in [try chinese(), try arabic()] {
      let fields = drawing(language, "x").lines.filter { $0.contains("✓") || $0.contains("✗") }
      #expect(fields.count == 3 && Set(fields.map(open)).count == 1 && open(fields[0]) > 0, "\(fields)")
    }
  }

  @Test("the cursor is after the typed text, also if the label has wide characters")
  func cursor() throws {
    #expect(drawing(try chinese(), "x", typed: "ab").cursor?.column == 2 + 12 + 2 + 2)
    #expect(drawing(try chinese(), "x", typed: "漢").cursor?.column == 2 + 12 + 2 + 2)
    // combining marks take no column
    let width = "كلمة السّرّ مرّة أخرى".unicodeScalars.count { !$0.properties.generalCategory.isMark }
    #expect(drawing(try arabic(), "x", typed: "ab").cursor?.column == 2 + width + 2 + 2)
  }

  @Test("Chinese text breaks between characters, and no line begins with closing punctuation")
  func broken() throws {
    let message = "密码至少需要十二个字符，例如一句话，容易记住，而且别人猜不到。"
    for width in 12...60 {
      let lines = drawing(try chinese(), message, columns: width).lines.filter { $0.hasPrefix("    ") }
      #expect(lines.map { $0.dropFirst(4) }.joined() == message, "\(width)")
      for line in lines { #expect(!"，。".contains(line.dropFirst(4).first ?? " "), "\(line)") }
      #expect(lines.dropLast().allSatisfy { columns($0) >= width - 6 }, "\(width): \(lines)")
    }
  }

  @Test("right-to-left text is isolated from the brackets and the address beside it")
  func isolated() throws {
    let lines = drawing(try arabic(), "x").lines
    let isolates = lines.filter { $0.contains("you@example.com") }.joined()
    #expect(isolates.hasPrefix("> \u{2067}عنوان البريد\u{2069} "), "\(isolates)")
    // typed text cannot reorder the row: an override becomes a question mark, and Arabic is isolated
    let typed = drawing(try arabic(), "x", typed: "أب\u{202E}\u{2067}").lines.joined()
    #expect(typed.contains("[\u{2068}أب??\u{2069}"), "\(typed)")
    // English has no isolates
    #expect(!drawing(.english, "x").lines.joined().contains("\u{2068}"))
  }

  @Test("every text of every screen comes from the catalogue")
  func marked() {
    for kind in FormKind.allCases {
      for claim in [nil, FormState.Claim(id: "c", email: "a@b.cc")] {
        for isActive in [false, true] {
          let state = FormState(email: "", isEnabled: false, problems: [], errorMessage: nil, claim: claim)
          var form = ShownForm(kind, state)
          if isActive { form.take(.activityStarted) } else { form.noteResent() }
          let text = FormView.draw(form, columns: 160, rows: 40, .unicode, MarkedCatalog.language).lines
            .joined(separator: "\n")
          let letters = MarkedCatalog.unmarked(text).filter(\.isLetter)
          #expect(letters.isEmpty, "\(kind) \(claim == nil) \(isActive): \(letters) in \(text)")
        }
      }
    }
  }

  @Test("regctl's own message about a key is translated")
  func own() {
    let state = FormState(email: "", isEnabled: false, problems: [], errorMessage: nil)
    var form = ShownForm(.registration, state)
    _ = form.press(.unreadable)
    let text = FormView.draw(form, columns: 160, rows: 40, .unicode, MarkedCatalog.language).lines.joined()
    #expect(text.contains("! «The input is not UTF-8 and was ignored.»"))
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isMark: Bool { [.nonspacingMark, .spacingMark, .enclosingMark].contains(self) }
}
