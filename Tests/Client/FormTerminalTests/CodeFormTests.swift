import FormTerminal
import FullScreen
import Glibc
import RegdClient
import Testing

@Suite("a form that asks for a code")
struct CodeFormTests {
  private let claim = FormState.Claim(id: "4f", email: "a@b.cc")

  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func state(_ claim: FormState.Claim?, enabled: Bool = false, problems: [FormState.Problem] = []) -> FormState
  {
    FormState(email: "a@b.cc", isEnabled: enabled, problems: problems, errorMessage: nil, claim: claim)
  }

  /// A form that showed the screen of the entry and then got a claim.
  private func form(_ kind: FormKind, problems: [FormState.Problem] = []) -> ShownForm {
    var form = ShownForm(kind, state(nil))
    _ = form.press(.edit(.insert("a@b.cc")))
    form.take(.goOn)
    form.take(.changed(state(claim, problems: problems)))
    return form
  }

  private func lines(_ form: ShownForm, _ columns: Int = 80, _ rows: Int = 24) -> [String] {
    FormView.draw(form, columns: columns, rows: rows, .unicode).lines
  }

  @Test("with a claim, the code below the address has the focus, and a button sends the email again")
  func screen() {
    let blank = String(repeating: " ", count: 48)
    let email = "a@b.cc" + blank.dropFirst(6)
    #expect(
      lines(form(.registration)) == [
        "Register an account", "A code is on its way to a@b.cc.", "", "  Email address [\(email)] ✓",
        "> Code          [\(blank)]", "", "  [ Confirm ] (disabled)", "  [ Send the code again ]", "", "", "",
        "Enter: continue  Esc: leave  Tab, Shift-Tab: next, previous  Ctrl-U: clear",
      ])
  }

  @Test("a recovery hides the new password, and does not reveal whether the account exists")
  func recovery() {
    var form = form(.recovery, problems: [.init(field: "password", message: "Too short.")])
    for key in [Key.edit(.insert("123")), .next, .edit(.insert("abc"))] { _ = form.press(key) }
    let seen = lines(form)
    #expect(seen[1] == "If a@b.cc has an account, a code is on its way to this address.")
    #expect(seen.contains { $0.hasPrefix("  Code               [123 ") && $0.hasSuffix("]") })
    #expect(seen.contains { $0.hasPrefix("> New password       [•••  ") && $0.hasSuffix("] ✗") })
    #expect(seen.contains("    Too short.") && seen.contains("  [ Set the password ] (disabled)"))
    #expect(lines(ShownForm(.recovery, state(nil, enabled: true))).contains("  [ Send a code ]"))
  }

  @Test("typing sends the code to regd, Enter on the first button submits, and on the second sends the email again")
  func keys() {
    var form = form(.registration)
    #expect(form.press(.edit(.insert("123"))) == .set(.code, "123"))
    #expect(form.press(.next) == nil)
    #expect(form.press(.enter) == .submit)
    #expect(form.press(.next) == nil)
    #expect(form.press(.enter) == .resend(claim: "4f"))
    #expect(form.press(.next) == nil && form.focus == 0)
    form.noteResent()
    #expect(lines(form).contains("  The code is being sent again."))
    form.refuse("Wait.")
    #expect(lines(form).contains("  ! Wait.") && !lines(form).contains { $0.contains("again.") })
    form.noteResent()
    form.take(.activityStarted)
    #expect(form.submittedEmail == "a@b.cc" && lines(form).contains("  Confirming…"))
    form.take(.activityEnded)
    #expect(!lines(form).contains { $0.contains("again.") })
  }

  @Test("without the claim, the form shows the entry and its text again, and a new claim begins without a code")
  func back() {
    var form = form(.registration)
    _ = form.press(.edit(.insert("123")))
    form.take(.changed(state(nil)))
    #expect(form.focus == 0 && lines(form).contains { $0.hasPrefix("> Email address  [a@b.cc ") })
    #expect(lines(form).contains("  [ Register ] (disabled)"))
    form.take(.changed(state(claim)))
    #expect(lines(form).contains { $0.hasPrefix("> Code          [  ") })
    // a user who corrects the address keeps the focus on its field
    _ = form.press(.previous)
    #expect(form.press(.edit(.insert("x"))) == .set(.email, "a@b.ccx"))
    form.take(.changed(state(nil)))
    #expect(form.focus == 0)
  }

  @Test("the claim is read from regd's JSON")
  func wire() {
    let claimed = #"""
      {"email":"a@b.cc","recoveryEnabled":true,"problems":[],"errorMessage":null,"recovered":false,
       "claim":{"id":"4f","email":"a@b.cc","expiresAt":"2026-11-22T15:00:00Z","resendAt":"2026-11-22T15:00:00Z"}}
      """#
    #expect(FormState(JSONValue(claimed.utf8), .recovery) == state(claim, enabled: true))
    let none = #"{"email":"a@b.cc","recoveryEnabled":true,"problems":[],"errorMessage":null,"recovered":false}"#
    #expect(FormState(JSONValue(none.utf8), .recovery) == state(nil, enabled: true))
  }
}
