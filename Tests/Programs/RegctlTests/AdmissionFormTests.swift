import RegdClient
import TestDoubles
import TestKit
import Testing

/// `regctl form` in a terminal, when registration needs more than an address and a password.
@Suite("regctl form, invitations and terms", .blocking, .timeLimit(.minutes(10)))
struct AdmissionFormTests {
  private static let asking = [
    "REGD_REGISTRATION_MODE": "invited", "REGD_REGISTRATION_TERMS_VERSION": "2026-11",
    "REGD_REGISTRATION_TERMS_URL": "https://example.org/terms",
  ]

  @Test("a wrong invitation disables the button, and the correct one with accepted terms registers the account")
  func invited() throws {
    try withRegd(Self.asking) { regd in
      let code = try #require(try regd.client().call("invitation.create").get()["code"]?.string)
      let pane = try TmuxPane.form(regd)
      try pane.wait(for: "> Email address")
      for text in ["a@test.com", TmuxPane.password, TmuxPane.password] {
        try pane.type(text)
        try pane.press("Tab")
      }
      try pane.wait(for: "> Invitation")
      try pane.wait(for: "[ Register ] (disabled)")
      try pane.type(String(code.dropLast()) + (code.hasSuffix("1") ? "2" : "1"))
      try pane.press("Tab")
      try pane.wait(for: "Read the terms at https://example.org/terms, then press Space to accept.")
      try pane.press("Space", "Tab")
      try pane.wait(for: "accepted terms") {
        $0.contains("> [ Register ]") && $0.contains { $0.hasSuffix("[x] 2026-11 ✓") }
      }
      try pane.press("Enter")
      try pane.wait(for: "  ! ")
      try pane.wait(for: "> [ Register ] (disabled)")
      try pane.press("BTab", "BTab", "C-u")
      try pane.type(code)
      try pane.wait(for: "an enabled button") { $0.contains("  [ Register ]") }
      try pane.press("Tab", "Tab", "Enter")
      try pane.wait(for: "registered a@test.com")
      try pane.expectEnd(of: regd, status: 0)
      let account = try regd.client().call("account.get", ["email": "a@test.com"]).get()
      #expect(account["terms"]?["version"] == "2026-11")
    }
  }

  @Test("the form shows an error if registration is closed, and has no fields that regd does not ask for")
  func closed() throws {
    try withRegd(["REGD_REGISTRATION_MODE": "closed"]) { regd in
      let pane = try TmuxPane.form(regd)
      let screen = try pane.wait(for: "> Email address")
      #expect(!screen.contains { $0.contains("Invitation") || $0.contains("Terms") }, "\(screen)")
      try pane.press("BTab", "Enter")
      try pane.wait(for: "  ! ")
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }
}
