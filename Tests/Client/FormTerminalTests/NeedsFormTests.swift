import FormTerminal
import FullScreen
import Glibc
import RegdClient
import TestDoubles
import Testing

@Suite("a form that asks for an invitation and terms")
struct NeedsFormTests {
  private let terms = ShownForm.Terms(version: "2026-01", url: "https://example.org/terms")

  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func state(
    _ needs: [FormKind.Field], enabled: Bool = false, missing: [FormKind.Field] = [], claim: FormState.Claim? = nil
  ) -> FormState {
    FormState(
      email: "a@b.cc", isEnabled: enabled,
      problems: missing.map { .init(field: $0.rawValue, message: "\($0) is missing.") }, errorMessage: nil,
      claim: claim,
      needs: needs)
  }

  private func form(_ needs: [FormKind.Field], missing: [FormKind.Field] = [], terms: ShownForm.Terms? = nil)
    -> ShownForm
  {
    var form = ShownForm(.registration, state(needs, missing: missing))
    if let terms { form.show(terms) }
    return form
  }

  private func lines(_ form: ShownForm, _ columns: Int = 80) -> [String] {
    FormView.draw(form, columns: columns, rows: 24, .unicode).lines
  }

  private func press(_ keys: [Key], _ form: inout ShownForm) -> ShownForm.Action? {
    keys.reduce(nil) { _, key in form.press(key) }
  }

  @Test(
    "a form has only the fields that regd asks for",
    arguments: [[], [.invitation], [.terms], [.invitation, .terms]] as [[FormKind.Field]])
  func fields(_ needs: [FormKind.Field]) {
    let seen = lines(form(needs, terms: terms))
    #expect(seen.contains { $0.hasPrefix("  Invitation ") } == needs.contains(.invitation))
    #expect(seen.contains { $0.hasPrefix("  Terms ") } == needs.contains(.terms))
    #expect(seen.contains { $0.hasPrefix("  Password again ") })
  }

  @Test("the needs are read from regd's JSON, and unknown needs are ignored")
  func wire() {
    func read(_ needs: String) -> FormState? {
      let text = #"""
        {"email":"a@b.cc","registrationEnabled":false,"problems":[],"errorMessage":null,"registered":false\#(needs)}
        """#
      return FormState(JSONValue(text.utf8), .registration)
    }
    #expect(read(#","needs":["invitation","terms"]"#) == state([.invitation, .terms]))
    #expect(read(#","needs":["fee","email",5]"#) == state([]))
    #expect(read(#","needs":"terms""#) == state([]))
    #expect(read("") == state([]))
  }

  @Test("an invitation is shown as typed, is marked only if it is missing, and is submitted unjudged")
  func invitation() {
    var form = form([.invitation], missing: [.invitation])
    #expect(press([.next, .next, .next], &form) == nil)
    #expect(lines(form).contains { $0.hasPrefix("> Invitation ") && $0.hasSuffix("] ✗") })
    #expect(lines(form).contains("    invitation is missing."))
    #expect(form.press(.edit(.insert("ABC"))) == .set(.invitation, "ABC"))
    form.take(.changed(state([.invitation], enabled: true)))
    #expect(lines(form).contains { $0.hasPrefix("> Invitation     [ABC ") && $0.hasSuffix("]") })
    #expect(form.press(.next) == nil && form.press(.enter) == .submit)
  }

  @Test("a key accepts the terms in the version that regd has sent, and another key withdraws the acceptance")
  func accepting() {
    var form = form([.terms], missing: [.terms], terms: terms)
    #expect(press([.next, .next, .next], &form) == nil)
    #expect(lines(form).contains("> Terms          [ ] 2026-01 ✗"))
    #expect(lines(form).contains("    Read the terms at https://example.org/terms, then press Space to accept."))
    #expect(form.press(.edit(.insert(" "))) == .set(.terms, "2026-01"))
    form.take(.changed(state([.terms], enabled: true)))
    #expect(lines(form).contains("> Terms          [x] 2026-01 ✓"))
    #expect(form.press(.edit(.insert("y"))) == nil && form.press(.edit(.insert("a paste"))) == nil)
    #expect(form.press(.edit(.backspace)) == .set(.terms, ""))
    #expect(form.press(.edit(.insert("x"))) == .set(.terms, "2026-01"))
    #expect(form.press(.edit(.insert(" "))) == .set(.terms, ""))
  }

  @Test("terms cannot be accepted before regd has sent them")
  func unknown() {
    var form = form([.terms], missing: [.terms])
    #expect(form.lacksTerms)
    #expect(press([.next, .next, .next, .edit(.insert(" "))], &form) == nil)
    #expect(lines(form).contains { $0.hasPrefix("> Terms          [ ]… ✗") })
    form.show(terms)
    #expect(!form.lacksTerms && form.press(.edit(.insert(" "))) == .set(.terms, "2026-01"))
    #expect(!self.form([]).lacksTerms)
  }

  @Test("terms are requested again after regd has replaced them, and a new version is not accepted yet")
  func replaced() {
    var form = form([.terms], missing: [.terms], terms: terms)
    _ = press([.next, .next, .next, .edit(.insert(" "))], &form)
    form.take(.changed(state([.terms], enabled: true)))
    #expect(!form.lacksTerms)
    form.take(.changed(state([.terms], missing: [.terms])))
    #expect(form.lacksTerms)
    form.show(terms)
    #expect(lines(form).contains { $0.contains("[x] 2026-01") }, "the same ones stay accepted")
    form.show(.init(version: "2027-01", url: ""))
    #expect(!form.lacksTerms)
    #expect(
      lines(form).contains("> Terms          [ ] 2027-01 ✗")
        && lines(form).contains("    Press Space to accept the terms."))
  }

  @Test("a reload that adds or removes a field does not move the focus")
  func reload() {
    var form = form([])
    _ = press([.next, .next, .next], &form)
    form.take(.changed(state([.invitation, .terms])))
    #expect(form.press(.enter) == .submit)
    form.take(.changed(state([.invitation])))
    #expect(form.press(.enter) == .submit)
    #expect(form.press(.previous) == nil && form.press(.edit(.insert("A"))) == .set(.invitation, "A"))
    form.take(.changed(state([])))
    #expect(form.press(.edit(.insert("z"))) == .set(.email, "z"), "the field is gone")
  }

  @Test("the code's screen has no field for an invitation, and the entry keeps the typed one")
  func claimed() {
    var form = form([.invitation], terms: nil)
    _ = press([.next, .next, .next, .edit(.insert("ABC"))], &form)
    form.take(.changed(state([.invitation], claim: .init(id: "4f", email: "a@b.cc"))))
    #expect(!lines(form).contains { $0.contains("Invitation") })
    form.take(.changed(state([.invitation])))
    #expect(lines(form).contains { $0.contains("Invitation     [ABC ") })
  }

  @Test("the form fits every width, and terms from the configuration cannot control the terminal")
  func hostile() {
    var form = form(
      [.invitation, .terms], missing: [.terms], terms: .init(version: "\u{1B}[31m漢", url: "\u{202E}\u{1B}x"))
    _ = press([.next, .next, .next, .next], &form)
    for columns in 1...90 {
      for line in lines(form, columns) {
        #expect(Glyphs.unicode.cells(line).columns <= max(1, columns - 1), "\(columns): \(line)")
        #expect(!line.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(line)")
      }
    }
  }

  @Test("every text comes from the catalogue")
  func marked() {
    var form = form([.invitation, .terms], terms: .init(version: "1", url: ""))
    _ = press([.next, .next, .next, .next], &form)
    let text = FormView.draw(form, columns: 160, rows: 40, .unicode, MarkedCatalog.language).lines.joined()
    let letters = MarkedCatalog.unmarked(text).filter(\.isLetter)
    #expect(letters.isEmpty, "\(letters) in \(text)")
  }
}
