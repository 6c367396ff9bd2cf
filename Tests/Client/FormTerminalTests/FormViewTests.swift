import FormTerminal
import FullScreen
import Glibc
import Testing

@Suite("drawing a form")
struct FormViewTests {
  private static let problems = [
    FormState.Problem(field: "email", message: "The domain after the @ needs a dot, as in example.com."),
    FormState.Problem(field: "passwordConfirmation", message: "The password and its confirmation do not match."),
  ]
  private let state = FormState(email: "", isEnabled: false, problems: problems, errorMessage: nil)

  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func form(_ state: FormState, _ keys: [Key] = [], kind: FormKind = .registration) -> ShownForm {
    var form = ShownForm(kind, state)
    for key in keys { _ = form.press(key) }
    return form
  }

  private func typed(_ text: String) -> Key { .edit(.insert(text)) }

  private func lines(
    _ form: ShownForm, _ columns: Int = 80, _ rows: Int = 24, _ glyphs: Glyphs = .unicode
  ) -> [String] {
    FormView.draw(form, columns: columns, rows: rows, glyphs).lines
  }

  @Test("each field has a mark, and the field with the focus shows its problem")
  func marks() {
    let blank = String(repeating: " ", count: 38)
    let expected = [
      "Register an account", "",
      "> Email address  [email@test\(blank)] ✗",
      "    The domain after the @ needs a dot, as in example.com.",
      "  Password       [\(blank)          ] ✓",
      "  Password again [\(blank)          ] ✗", "", "  [ Register ] (disabled)", "", "", "",
      "Enter: continue  Esc: leave  Tab, Shift-Tab: next, previous  Ctrl-U: clear",
    ]
    #expect(lines(form(state, [typed("email@test")])) == expected)
    let second = lines(form(state, [.next]))
    #expect(second[3].hasPrefix("> Password ") && second[3].hasSuffix("✓") && !second.contains { $0.contains("dot") })
    let third = lines(form(state, [.next, .next]))
    #expect(third[5] == "    The password and its confirmation do not match.")
  }

  @Test("the button is enabled only if regd enables it")
  func button() {
    var state = state
    #expect(lines(form(state)).contains("  [ Register ] (disabled)"))
    state.isEnabled = true
    #expect(lines(form(state)).contains("  [ Register ]"))
    #expect(lines(form(state, [.previous])).contains("> [ Register ]"))
    #expect(lines(form(state, kind: .signIn)).contains("  [ Sign in ]"))
  }

  @Test("the form shows an activity while it runs, and the alert after it ends")
  func news() {
    var form = form(state)
    form.take(.alert("Sorry, provided email address is already taken"))
    #expect(lines(form).contains("  ! Sorry, provided email address is already taken"))
    form.take(.activityStarted)
    #expect(lines(form).contains("  Registering…"))
    #expect(!lines(form).contains { $0.contains("Sorry") })
    form.take(.activityEnded)
    #expect(!lines(form).contains("  Registering…"))
    #expect(lines(form).contains { $0.contains("Sorry") })
  }

  @Test("the screen shows only the length of a password")
  func secrets() {
    let form = form(state, [.next, typed("geheim漢"), .next, typed("geheim"), .edit(.left)])
    let shown = lines(form)
    #expect(shown[3].contains("[••••••• ") && shown[4].contains("[•••••• "))
    #expect(!shown.joined().contains("geheim"))
    #expect(!"\(FormView.draw(form, columns: 80, rows: 24, .unicode))".contains("geheim"))
  }

  @Test("the cursor is at the next character's position, also if the text is longer than its field")
  func cursor() {
    func cursor(_ keys: [Key]) -> Int {
      FormView.draw(form(state, keys), columns: 80, rows: 24, .unicode).cursor?.column ?? -1
    }
    #expect(cursor([]) == 18)
    #expect(cursor([typed("abc")]) == 21)
    #expect(cursor([typed("漢字")]) == 22)
    #expect(cursor([typed("abc"), .edit(.left)]) == 20)
    #expect(cursor([typed("abc"), .edit(.home)]) == 18)
    let long = String(repeating: "0123456789", count: 9) + "end"
    #expect(cursor([typed(long)]) == 65)
    #expect(lines(form(state, [typed(long)]))[2].hasSuffix("9end ] ✗"))
    #expect(lines(form(state, [typed(long), .edit(.home)]))[2].contains("[0123456789"))
    #expect(FormView.draw(form(state, [.previous]), columns: 80, rows: 24, .unicode).cursor == .init(row: 6, column: 4))
  }

  @Test("invisible characters and terminal commands are drawn as question marks")
  func invisible() {
    let shown = lines(form(state, [typed("a\u{200B}b\u{202E}c\u{7}d漢")]))
    #expect(shown[2].contains("[a?b?c?d漢 "))
    var odd = state
    odd.errorMessage = "x\u{1B}[2Jy"
    #expect(lines(form(odd)).contains("  ! x?[2Jy"))
  }

  @Test("without UTF-8, the screen is ASCII and has the same content")
  func ascii() {
    var form = form(state, [typed("a漢é"), .next, typed("abc")])
    let shown = lines(form, 80, 24, .ascii)
    #expect(shown[2].contains("[a?? ") && shown[2].hasSuffix("] no"))
    #expect(shown[3].contains("[*** ") && shown[3].hasSuffix("] ok"))
    form.take(.activityStarted)
    #expect(lines(form, 80, 24, .ascii).contains("  Registering..."))
    #expect(lines(form, 80, 24, .ascii).joined().utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("the form fits every screen size, and the cursor's row is always shown")
  func sizes() throws {
    var form = form(state, [typed("漢字@test"), .next, .next, typed("x")])
    form.take(.alert("Sorry, provided email address is already taken"))
    for place in 0...3 {
      for columns in 1...90 {
        for rows in 1...16 {
          let drawing = FormView.draw(form, columns: columns, rows: rows, .ascii)
          let widest = drawing.lines.map(\.count).max() ?? 0
          #expect(drawing.rows.count <= rows && widest <= max(1, columns - 1), "\(columns)x\(rows)")
          let cursor = try #require(drawing.cursor)
          #expect(cursor.row < drawing.rows.count && cursor.column < columns, "\(columns)x\(rows)")
          #expect(drawing.lines[cursor.row].hasPrefix(">"), "\(columns)x\(rows) \(place)")
        }
      }
      _ = form.press(.next)
    }
    let small = lines(form, 40, 10)
    for text in ["Email address", "Password ", "Password again", "[ Register ]", "! Sorry, provided"] {
      #expect(small.contains { $0.contains(text) }, "\(text): \(small)")
    }
  }

  @Test("without colours, no row has an attribute, and the text is the same")
  func styles() {
    let drawing = FormView.draw(form(state), columns: 80, rows: 24, .unicode)
    let plain = drawing.sequences(styled: false)
    let styled = drawing.sequences(styled: true)
    #expect(styled.contains("\u{1B}[31m✗\u{1B}[0m") && styled.contains("\u{1B}[32m✓\u{1B}[0m"))
    #expect(!plain.contains("✗\u{1B}[0m") && !plain.contains("\u{1B}[31m"))
    var stripped = styled
    for parameter in ["0", "1", "2", "31", "32"] { stripped = removing("\u{1B}[\(parameter)m", from: stripped) }
    #expect(stripped == plain)
    #expect(plain.hasPrefix("\u{1B}[?25l\u{1B}[1;1HRegister an account\u{1B}[K\u{1B}[2;1H"))
    #expect(plain.hasSuffix("\u{1B}[J\u{1B}[3;19H\u{1B}[?25h"))
  }

  private func removing(_ part: String, from text: String) -> String {
    text.split(separator: part, omittingEmptySubsequences: false).joined()
  }
}
