import RegdClient
import TestDoubles
import TestKit
import Testing

/// `regctl form` in a terminal, with typed keys.
@Suite("regctl form", .blocking, .timeLimit(.minutes(10)))
struct FormTests {
  private func register(_ email: String, _ regd: RunningRegd) throws {
    let password = TmuxPane.password
    let entry = RegdClient.entry(email: email, password: password, confirmation: password)
    _ = try regd.client().call("registration.register", entry).get()
  }

  @Test("the form judges every key, reports an invalid and a taken address, and registers a free one")
  func registration() throws {
    try withRegd { regd in
      try register("taken@test.com", regd)
      let pane = try TmuxPane.form(regd)
      try pane.wait(for: "> Email address")
      try pane.type("taken")
      #expect(try pane.wait(for: "[taken ").contains { $0.hasSuffix("✗") })
      try pane.type("@test")
      try pane.wait(for: "The domain after the @ needs a dot")
      try pane.type(".com")
      try pane.wait(for: "a valid address", until: TmuxPane.mark("Email address", "✓"))
      try pane.press("Enter")
      try pane.type("a fine")
      try pane.wait(for: "at least 8 characters; this one has 6.")
      try pane.type(" phrase")
      try pane.wait(for: "a valid password", until: TmuxPane.mark("Password  ", "✓"))
      try pane.press("Enter")
      try pane.type("a fine")
      try pane.wait(for: "The password and its confirmation do not match.")
      try pane.wait(for: "  [ Register ] (disabled)")
      try pane.type(" phrase")
      try pane.wait(for: "a valid confirmation", until: TmuxPane.mark("Password again", "✓"))
      try pane.press("Enter")
      try pane.wait(for: "an enabled button") { $0.contains("> [ Register ]") }
      try pane.press("Enter")
      try pane.wait(for: "! Sorry, provided email address is already taken")
      try pane.wait(for: "> [ Register ] (disabled)")
      try pane.press("Tab", "C-u")
      try pane.wait(for: "no message any more") { screen in !screen.contains { $0.contains("Sorry") } }
      try pane.type("free@test.com")
      try pane.wait(for: "an enabled button") { $0.contains("  [ Register ]") }
      try pane.press("BTab", "Enter")
      try pane.wait(for: "registered free@test.com")
      try pane.expectEnd(of: regd, status: 0)
    }
  }

  @Test("regd refuses an entry if the user presses the disabled button")
  func disabled() throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd)
      try pane.wait(for: "> Email address")
      try pane.press("BTab", "Enter")
      try pane.wait(for: "! Enter an email address")
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("an unreachable upstream causes an alert, and the form keeps its entry")
  func offline() throws {
    try withRegd(["REGD_NETWORK_BACKEND": "offline"]) { regd in
      let pane = try TmuxPane.form(regd)
      try pane.fill(email: "a@test.com")
      try pane.press("Enter")
      let screen = try pane.wait(for: "  ! ")
      #expect(screen.contains("> [ Register ]") && TmuxPane.mark("Email address", "✓")(screen))
      #expect(!screen.contains { $0.contains("Registering") })
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("while regd works, the form shows it, keeps typed text, and ignores a second Enter")
  func activity() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_REGISTER": "accept delay=3600000ms",
      "REGD_SHUTDOWN_GRACE_SECONDS": "0",
    ]) { (regd) throws in
      let pane = try TmuxPane.form(regd)
      try pane.fill(email: "a@test.com")
      try pane.press("Enter")
      try pane.wait(for: "  Registering…")
      try pane.press("Enter", "Tab")
      try pane.type("pany")
      let screen = try pane.wait(for: "[a@test.company ")
      #expect(screen.contains("  Registering…") && !screen.contains { $0.contains("!") }, "\(screen)")
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("on the sign-in form, a wrong password causes an alert, and the correct one signs in")
  func signIn() throws {
    try withRegd { regd in
      try register("a@test.com", regd)
      let pane = try TmuxPane.form(regd, "sign-in")
      try pane.wait(for: "> Email address")
      try pane.type("a@test.com")
      try pane.press("Tab")
      try pane.type("wrong")
      try pane.press("Tab")
      try pane.wait(for: "an enabled button") { $0.contains("> [ Sign in ]") }
      try pane.press("Enter")
      try pane.wait(for: "  ! ")
      try pane.press("BTab", "C-u")
      try pane.type(TmuxPane.password)
      try pane.wait(for: "what was typed", until: { $0.contains { $0.contains("[••••••••••••• ") } })
      try pane.press("Enter", "Enter")
      try pane.wait(for: "signed in a@test.com")
      try pane.expectEnd(of: regd, status: 0)
    }
  }

  @Test("--json prints regd's events")
  func json() throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd, "--json")
      try pane.fill(email: "a@test.com")
      try pane.press("Enter")
      try pane.wait(for: #"{"form":1,"event":"navigate","to":"welcome"}"#)
      try pane.expectEnd(of: regd, status: 0)
    }
  }
}
