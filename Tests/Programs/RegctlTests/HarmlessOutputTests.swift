import RegdClient
import TestKit
import Testing

@testable import regctl

@Suite("What regctl shows of a daemon's words", .blocking, .timeLimit(.minutes(10)))
struct HarmlessOutputTests {
  @Test("what would do something to a terminal is written out, in JSON and in errors; a program gets it as it came")
  func shown() throws {
    try withRegd { regd in
      let origin = "\u{9B}31m\u{202E}\u{2028}"
      _ = try regd.client().call(
        "registration.register",
        [
          "email": "a@example.com", "password": "a fine phrase", "passwordConfirmation": "a fine phrase",
          "origin": .string(origin),
        ]
      ).get()
      let (status, shown) = try Shell.run("$regctl call events.list", regd.socket)
      #expect(status == 0 && shown.contains(#""origin":"\u009b31m\u202e\u2028""#), "\(shown)")
      let (_, raw) = try Shell.run("$regctl call events.list --json", regd.socket)
      #expect(raw.contains("\"origin\":\"\(origin)\""))
      let (refused, error) = try Shell.run(#"$regctl call "$(printf 'x\033[2J')" 2>&1; true"#, regd.socket)
      #expect(refused == 0 && !error.isEmpty && !error.contains("\u{1B}"), "\(error)")
    }
  }

  @Test("a sentence keeps what isolates a value in it, and a line stays one")
  func isolated() {
    #expect(Terminal.printable("\u{2068}a\u{2069}\nb\u{7}") == "\u{2068}a\u{2069}\nb\\u0007")
  }
}
