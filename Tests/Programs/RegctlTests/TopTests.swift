import Glibc
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// `regctl top` in a terminal, with pressed keys.
@Suite("regctl top", .blocking, .timeLimit(.minutes(10)))
struct TopTests {
  private static let keys = "q quit  h help"

  @Test("regctl top says why it cannot show anything: no regd, no terminal, an interval that is out of range")
  func refused() throws {
    try Shell.check(
      [
        ("$regctl top --once", 3, "cannot connect"), ("$regctl top --interval 0.1", 2, "0.5 to 60 seconds, not 0.1"),
        ("$regctl top --interval x", 2, "interval"),
        ("TERM=xterm setsid $regctl top", 2, "there is no terminal; use --once or --json instead"),
        ("TERM=dumb $regctl top", 2, "TERM=dumb"),
      ], "/nonexistent/s")
  }

  @Test("a user who is not an administrator gets an error", .alsoAsRoot)
  func denied() throws {
    try withRegd(["REGD_ACCESS_ADMIN_UIDS": "12345", "REGD_ACCESS_ADMIN_GROUPS": ""]) { regd in
      guard getuid() != 0 else { return try Shell.check([("$regctl top --once", 0, "METHOD")], regd.socket) }
      try Shell.check([("$regctl top --once", 1, "access.denied")], regd.socket)
    }
  }

  @Test("without a screen, regctl top prints one interval as text, or each interval as a line of JSON")
  func noScreen() throws {
    try withRegd { regd in
      let (status, text) = try Shell.run("$regctl top --once --interval 0.5", regd.socket)
      #expect(status == 0 && text.hasPrefix("regd ") && !text.contains("quit"), "\(text)")
      #expect(text.contains("daemon.status") && text.contains("hashing   ["))
      let (_, lines) = try Shell.run("$regctl top --json --interval 0.5 | head -n 2", regd.socket)
      let values = lines.split(separator: "\n").compactMap { JSONValue($0.utf8) }
      #expect(values.count == 2, "\(lines)")
      for value in values { #expect(value["status"]?["version"] != nil && value["methods"]?.array?.isEmpty == false) }
    }
  }

  @Test("the article lists the members of the object that regctl top --json prints")
  func members() throws {
    let rows = try #require(Article.named("Regctl")).rows("member", "value")
    try withRegd { regd in
      let (_, line) = try Shell.run("$regctl top --once --json --interval 0.5", regd.socket)
      let value = try #require(line.split(separator: "\n").first.flatMap { JSONValue($0.utf8) }, "\(line)")
      #expect(Self.names(of: value) == rows.flatMap { Article.codes(in: $0[0]) })
      for row in rows {
        let part = value[Article.codes(in: row[0])[0]]
        for name in Self.names(of: part?.array?.first) { #expect(row[1].contains(name), "\(row)") }
      }
    }
  }

  /// The names of an object's members, in their order.
  private static func names(of value: JSONValue?) -> [String] {
    if case .object(let members)? = value { members.map(\.name) } else { [] }
  }

  @Test("the screen shows regd's requests, and keys sort, pause, show help and quit")
  func keys() throws {
    try withRegd { regd in
      let pane = try TmuxPane.top(regd)
      try pane.wait(for: Self.keys)
      let client = try regd.client()
      for _ in 0..<50 { _ = try client.call("registration.checkEmail", ["email": "a@example.com"]).get() }
      try pane.wait(for: "requests by method") { screen in
        screen.contains { $0.hasPrefix("registration.checkEmail") && $0.hasSuffix(" 50") }
      }
      try pane.wait(for: "METHOD                       REQ/S▾")
      try pane.press("s")
      try pane.wait(for: "REFUSED/S▾")
      try pane.press("h")
      try pane.wait(for: "reverse the order")
      try pane.press("Escape")
      try pane.wait(for: "REFUSED/S▾")
      try pane.press("p")
      try pane.wait(for: "PAUSED")
      _ = try client.call("rpc.ping").get()
      try pane.press("u", "p")
      #expect(try pane.wait(for: "USER  ").contains { $0.hasPrefix("USER") && $0.contains("REQ/S▾") })
      try pane.wait(for: "the ping") { screen in screen.contains { $0.hasPrefix("rpc.ping") } }
      try pane.press("q")
      try pane.expectTopEnd(of: regd, status: 0)
    }
  }

  @Test("regctl top redraws the screen after a change of size, and reports a size that is too small")
  func sizes() throws {
    try withRegd { regd in
      let pane = try TmuxPane.top(regd, columns: 120, rows: 40)
      try pane.wait(for: "METHOD")
      try pane.resize(columns: 60, rows: 10)
      try pane.wait(for: "regctl top needs a terminal of 80 x 24")
      try pane.resize(columns: 80, rows: 24)
      try pane.wait(for: "a whole screen") { $0[0].hasPrefix("regd ") && $0[23].contains(Self.keys) }
      try pane.press("Escape")
      try pane.expectTopEnd(of: regd, status: 0)
    }
  }

  @Test("the screen is ASCII without UTF-8, and has colours only if they are allowed", arguments: ["1", ""])
  func plain(_ noColour: String) throws {
    try withRegd { regd in
      let pane = try TmuxPane.top(regd, variables: ["LC_ALL": "C", "NO_COLOR": noColour])
      try pane.wait(for: "METHOD")
      let screen = try pane.look(withAttributes: true).joined()
      #expect(screen.utf8.allSatisfy { $0 < 0x80 })
      #expect(screen.contains("\u{1B}[") == noColour.isEmpty)
      try pane.press("q")
      try pane.expectTopEnd(of: regd, status: 0)
    }
  }

  @Test(
    "every signal that ends regctl top leaves the terminal as it was", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func signals(_ number: Int32) throws {
    try withRegd { regd in
      let pane = try TmuxPane.top(regd)
      try pane.wait(for: "METHOD")
      if number == SIGINT { try pane.press("C-c") } else { kill(try TmuxPane.process(regd), number) }
      try pane.expectTopEnd(of: regd, status: 128 + Int(number))
    }
  }

  @Test(
    "a stopped regctl top gives the terminal back, and shows the screen again when it continues",
    arguments: [true, false])
  func suspended(_ byKey: Bool) throws {
    try withRegd { regd in
      let pane = try TmuxPane.top(regd)
      try pane.wait(for: "METHOD")
      let pid = try TmuxPane.process(regd)
      if byKey { try pane.press("C-z") } else { kill(pid, SIGTSTP) }
      try pane.wait(for: "a screen without it") { screen in !screen.contains { $0.contains("METHOD") } }
      kill(pid, SIGCONT)
      try pane.wait(for: "METHOD")
      try pane.press("q")
      try pane.expectTopEnd(of: regd, status: 0)
    }
  }

  @Test("regctl top reports that regd is gone, and shows regd again when it is back")
  func lost() throws {
    try withRegd { regd in
      let pane = try TmuxPane.top(regd)
      try pane.wait(for: "METHOD")
      regd.process.end()
      let gone = try pane.wait(for: "; trying again in ")
      #expect(gone[0].hasPrefix("regd ") && gone[1].hasPrefix("✗ "), "\(gone)")
      try regd.restart(after: SIGTERM)
      let client = try regd.client()
      for _ in 0..<77 { _ = try client.call("rpc.ping").get() }
      try pane.wait(for: "a regd that is back") { screen in
        screen.contains { $0.hasPrefix("rpc.ping ") && $0.hasSuffix(" 77") }
          && !screen.contains { $0.contains("again in") }
      }
      try pane.press("q")
      try pane.expectTopEnd(of: regd, status: 0)
    }
  }
}
