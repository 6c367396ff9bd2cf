import RegdClient
import TestDoubles
import TestKit
import Testing

/// `regctl form` in a terminal, when it asks for a code.
@Suite("regctl form and codes", .blocking, .timeLimit(.minutes(10)))
struct CodeFormTests {
  @Test("the registration form handles a wrong code, a second email too soon, and the correct code")
  func registration() throws {
    try withRegd(Postbox.verifying) { regd in
      let postbox = try Postbox(regd)
      let pane = try TmuxPane.form(regd)
      try pane.fill(email: "a@test.com")
      try pane.press("Enter")
      let screen = try pane.wait(for: "> Code ")
      #expect(screen.contains("A code is on its way to a@test.com."))
      #expect(screen.contains("  [ Confirm ] (disabled)") && screen.contains("  [ Send the code again ]"), "\(screen)")
      let code = try postbox.code(for: "a@test.com")
      try pane.type(String(code.map { $0 == "1" ? "2" : "1" }))
      try pane.wait(for: "an enabled button") { $0.contains("  [ Confirm ]") }
      try pane.press("Tab", "Enter")
      try pane.wait(for: "4 attempts are")  // the line ends here
      try pane.wait(for: "> [ Confirm ] (disabled)")
      try pane.press("Tab", "Enter")
      try pane.wait(for: "! An email was requested a moment ago")
      try pane.press("BTab", "BTab", "C-u")
      try pane.type("\(code.prefix(3))-\(code.suffix(3))")
      try pane.wait(for: "an enabled button") { $0.contains("  [ Confirm ]") }
      try pane.press("Enter", "Enter")
      try pane.wait(for: "registered a@test.com")
      try pane.expectEnd(of: regd, status: 0)
    }
  }

  @Test("a user who mistyped the address can correct it on the code's screen, and returns to the entry")
  func corrected() throws {
    try withRegd(Postbox.verifying) { regd in
      let postbox = try Postbox(regd)
      let pane = try TmuxPane.form(regd)
      try pane.fill(email: "a@test.co")
      try pane.press("Enter")
      try pane.wait(for: "> Code ")
      try pane.press("BTab")
      try pane.type("m")
      // typed text is shown before regd has answered
      try pane.wait(for: "the entry") { screen in
        screen.contains { $0.hasPrefix("> Email address  [a@test.com ") } && screen.contains("  [ Register ]")
          && screen.contains { $0.hasPrefix("  Password again") }
      }
      try pane.press("BTab", "Enter")
      try pane.wait(for: "A code is on its way to a@test.com.")
      try pane.type(try postbox.code(for: "a@test.com"))
      try pane.press("Enter", "Enter")
      try pane.wait(for: "registered a@test.com")
      try pane.expectEnd(of: regd, status: 0)
    }
  }

  @Test("the last wrong code leads back to the entry")
  func usedUp() throws {
    try withRegd(Postbox.verifying.merging(["REGD_REGISTRATION_CODE_ATTEMPTS": "1"]) { $1 }) { regd in
      let postbox = try Postbox(regd)
      let pane = try TmuxPane.form(regd)
      try pane.fill(email: "a@test.com")
      try pane.press("Enter")
      try pane.wait(for: "> Code ")
      try pane.type(String(try postbox.code(for: "a@test.com").map { $0 == "1" ? "2" : "1" }))
      try pane.press("Tab", "Enter")
      // the error is shown before regd's new state arrives
      try pane.wait(for: "the entry") { screen in
        screen.contains { $0.contains("No attempts are left") }
          && (screen.contains("  [ Register ]") || screen.contains("> [ Register ]"))
      }
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("the recovery form asks for the address, then for the code and a new password, which regd judges at every key")
  func recovery() throws {
    try withRegd(Postbox.settings) { regd in
      let entry = RegdClient.entry(
        email: "a@test.com", password: TmuxPane.password, confirmation: TmuxPane.password)
      _ = try regd.client().call("registration.register", entry).get()
      let postbox = try Postbox(regd)
      let pane = try TmuxPane.form(regd, "recovery")
      try pane.wait(for: "> Email address")
      try pane.type("a@test.com")
      try pane.wait(for: "an enabled button") { $0.contains("  [ Send a code ]") }
      try pane.press("Enter", "Enter")
      try pane.wait(for: "If a@test.com has an account, a code is on its way to this address.")
      try pane.type(try postbox.code(for: "a@test.com"))
      try pane.press("Tab")
      try pane.type("a fine")
      try pane.wait(for: "at least 8 characters; this one has 6.")
      try pane.type(" phrase 2")
      try pane.press("Tab")
      try pane.type("a fine phrase 2")
      try pane.wait(for: "an enabled button") { $0.contains("  [ Set the password ]") }
      try pane.press("Enter", "Enter")
      try pane.wait(for: "set the password of a@test.com")
      try pane.expectEnd(of: regd, status: 0)
    }
  }

  @Test("if recovery is off, regctl prints an error instead of a form")
  func off() throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd, "recovery")
      try pane.wait(for: "feature.off")
      try pane.expectEnd(of: regd, status: 1)
    }
  }
}
