import FormTerminal
import FullScreen
import RegdClient
import Testing

@Suite("the state of a form on a terminal")
struct ShownFormTests {
  private let empty = FormState(email: "", isEnabled: false, problems: [], errorMessage: nil)

  private func form(_ keys: [Key] = []) -> ShownForm {
    var form = ShownForm(.registration, empty)
    for key in keys { _ = form.press(key) }
    return form
  }

  @Test("every change of a field sends the whole text to regd, and a key that changes nothing sends nothing")
  func typing() {
    var form = form()
    #expect(form.press(.edit(.insert("ab"))) == .set(.email, "ab"))
    #expect(form.press(.edit(.left)) == nil)
    #expect(form.press(.edit(.insert("x"))) == .set(.email, "axb"))
    #expect(form.press(.edit(.delete)) == .set(.email, "ax"))
    #expect(form.press(.edit(.delete)) == nil)
    #expect(form.press(.edit(.home)) == nil)
    #expect(form.press(.edit(.backspace)) == nil)
    #expect(form.press(.edit(.right)) == nil)
    #expect(form.press(.edit(.backspace)) == .set(.email, "x"))
    #expect(form.press(.edit(.end)) == nil)
    #expect(form.press(.edit(.insert("e\u{301}"))) == .set(.email, "xe\u{301}"))
    #expect(form.press(.edit(.backspace)) == .set(.email, "x"))
    #expect(form.press(.edit(.clear)) == .set(.email, ""))
    #expect(form.press(.edit(.clear)) == nil)
    #expect(form.press(.next) == nil)
    #expect(form.press(.edit(.insert("p"))) == .set(.password, "p"))
    #expect(form.press(.next) == nil)
    #expect(form.press(.edit(.insert("q"))) == .set(.passwordConfirmation, "q"))
  }

  @Test("a combining mark that is typed separately is sent to regd")
  func normalForms() {
    var form = form([.edit(.insert("é"))])
    _ = form.press(.edit(.backspace))
    #expect(form.press(.edit(.insert("e"))) == .set(.email, "e"))
    #expect(form.press(.edit(.insert("\u{301}"))) == .set(.email, "e\u{301}"))
  }

  @Test("the focus wraps around, and only Enter on the button submits")
  func focus() {
    var form = form()
    var seen: [Int] = []
    for key in [Key.previous, .previous, .next, .next, .enter, .enter, .enter] {
      #expect(form.press(key) == nil)
      seen.append(form.focus)
    }
    #expect(seen == [3, 2, 3, 0, 1, 2, 3])
    #expect(form.press(.edit(.insert("a"))) == nil)
    #expect(form.press(.enter) == .submit)
  }

  @Test("the form always submits, because regd decides whether the button is enabled")
  func decidesNothing() {
    var form = form([.previous])
    #expect(!form.state.isEnabled)
    #expect(form.press(.enter) == .submit)
    form.take(.activityStarted)
    #expect(form.press(.enter) == .submit)
    #expect(form.press(.next) == nil)
    #expect(form.press(.edit(.insert("kept"))) == .set(.email, "kept"))
    #expect(!form.state.isEnabled && form.state == empty)
  }

  @Test("an alert is shown until regd sends another state, whose own message is shown next")
  func messages() {
    var form = form()
    form.take(.alert("taken"))
    #expect(form.message == .told("taken"))
    form.take(.activityStarted)
    form.take(.activityEnded)
    #expect(form.message == .told("taken") && !form.isActive)
    var state = empty
    state.errorMessage = "still taken"
    form.take(.changed(state))
    #expect(form.message == .told("still taken"))
    form.take(.changed(empty))
    #expect(form.message == nil)
    form.refuse("busy")
    #expect(form.message == .told("busy"))
    form.take(.changed(empty))
    #expect(form.press(.unreadable) == nil)
    #expect(form.message != nil)
  }

  @Test("the registered address is the one in the form when the work began")
  func submitted() {
    var form = form()
    var state = empty
    state.email = "a@b.cc"
    form.take(.changed(state))
    form.take(.activityStarted)
    state.email = "other@b.cc"
    form.take(.changed(state))
    form.take(.activityEnded)
    #expect(form.submittedEmail == "a@b.cc")
  }

  @Test("notifications are read from regd's JSON, and unknown ones are ignored")
  func events() throws {
    let state = """
      {"email":"a","emailValid":false,"passwordValid":true,"registrationEnabled":true,"problems":\
      [{"field":"email","reason":"email.syntax","message":"m"}],"errorMessage":"e","registered":false}
      """
    let expected = FormState(
      email: "a", isEnabled: true, problems: [.init(field: "email", message: "m")], errorMessage: "e")
    for (method, params, event) in [
      ("form.changed", #"{"form":1,"state":\#(state)}"#, .changed(expected)),
      ("form.changed", #"{"form":1,"state":{}}"#, nil),
      ("form.event", #"{"form":1,"event":"activityStarted"}"#, .activityStarted),
      ("form.event", #"{"form":1,"event":"activityEnded"}"#, .activityEnded),
      ("form.event", #"{"form":1,"event":"alert","reason":"r","message":"m"}"#, .alert("m")),
      ("form.event", #"{"form":1,"event":"navigate","to":"welcome"}"#, .welcome),
      ("form.event", #"{"form":1,"event":"navigate","to":"code"}"#, .goOn),
      ("form.event", #"{"form":1,"event":"confetti"}"#, nil), ("else", #"{"event":"alert"}"#, nil),
    ] as [(String, String, FormEvent?)] {
      #expect(FormEvent(method, JSONValue(params.utf8), .registration) == event, "\(method) \(params)")
    }
    let signIn = #"{"email":"a","signInEnabled":true,"problems":[],"errorMessage":null,"signedIn":false}"#
    #expect(
      FormState(JSONValue(signIn.utf8), .signIn)
        == FormState(email: "a", isEnabled: true, problems: [], errorMessage: nil))
    #expect(FormState(JSONValue(signIn.utf8), .registration) == nil)
  }
}
