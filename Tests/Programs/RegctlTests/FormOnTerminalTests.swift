import Glibc
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// `regctl form` and the terminal on which it runs.
@Suite("regctl form and its terminal", .blocking, .timeLimit(.minutes(10)))
struct FormOnTerminalTests {
  @Test("a small terminal shows the fields and the button, and the form is redrawn after a change of size")
  func sizes() throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd, columns: 40, rows: 10)
      let small = try pane.wait(for: "> Email address")
      for text in ["Password again", "[ Register ]"] { #expect(small.contains { $0.contains(text) }, "\(small)") }
      try pane.type("漢@test")
      try pane.wait(for: "[漢@test ")
      try pane.resize(columns: 100, rows: 30)
      try pane.wait(for: "a wide field") { screen in screen.contains { $0.contains("[漢@test") && $0.count > 50 } }
      try pane.resize(columns: 20, rows: 3)
      try pane.wait(for: "the fields alone") { $0[0].hasPrefix("> Email a [") && $0[2].hasPrefix("  Passwor [") }
      try pane.press("Escape")
      try pane.resize(columns: 80, rows: 24)
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("the form is ASCII without UTF-8, and has colours only if they are allowed", arguments: ["1", ""])
  func plain(_ noColour: String) throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd, variables: ["LC_ALL": "C", "NO_COLOR": noColour])
      try pane.wait(for: "> Email address")
      try pane.type("a@b.cc")
      try pane.wait(for: "a valid address", until: TmuxPane.mark("Email address", "ok"))
      let screen = try pane.look(withAttributes: true).joined()
      #expect(screen.utf8.allSatisfy { $0 < 0x80 })
      #expect(screen.contains("\u{1B}[") == noColour.isEmpty)
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("every signal that ends the form leaves the terminal as it was", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func signals(_ number: Int32) throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd)
      try pane.fill(email: "a@test.com")
      let pid = TextFile.read("\(regd.directory)/pid")?.split(separator: "\n").first.flatMap { Int32($0) }
      if number == SIGINT { try pane.press("C-c") } else { kill(try #require(pid), number) }
      try pane.expectEnd(of: regd, status: 128 + Int(number))
    }
  }

  @Test("a stopped form gives the terminal back, and shows the same entry when it continues", arguments: [true, false])
  func suspended(_ byKey: Bool) throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd)
      try pane.wait(for: "> Email address")
      try pane.type("a@test.com")
      try pane.wait(for: "[a@test.com ")
      let pid = try #require(
        TextFile.read("\(regd.directory)/pid")?.split(separator: "\n").first.flatMap { Int32($0) })
      if byKey { try pane.press("C-z") } else { kill(pid, SIGTSTP) }
      try pane.wait(for: "a screen without the form") { screen in !screen.contains { $0.contains("Email address") } }
      kill(pid, SIGCONT)
      try pane.wait(for: "[a@test.com ")
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("a paste that is too long for a field causes a message, and keys still work")
  func longPaste() throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd)
      try pane.wait(for: "> Email address")
      for _ in 0..<12 { try pane.paste(String(repeating: "x", count: 2000)) }
      try pane.wait(for: "This field is full.")
      try pane.press("C-u")
      try pane.type("a@b.cc")
      try pane.wait(for: "[a@b.cc ")
      try pane.press("C-c")
      try pane.expectEnd(of: regd, status: 130)
    }
  }

  @Test("pasted text presses no button, whatever lines it contains")
  func paste() throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd)
      try pane.wait(for: "> Email address")
      try pane.paste("a@b.cc\n")
      try pane.type("x")
      #expect(try pane.wait(for: "[a@b.ccx ").contains { $0.hasPrefix("> Email address") })
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("the form is drawn again after a stop, also when another program has changed the terminal meanwhile")
  func stopped() throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd)
      try pane.wait(for: "> Email address")
      let pid = try #require(TextFile.read("\(regd.directory)/pid")?.split(separator: "\n").first.flatMap { Int32($0) })
      kill(pid, SIGSTOP)
      let (status, output) = try TemporaryDirectory.with { directory in
        try RegdProcess.run(
          program: "/bin/sh", arguments: ["-c", "stty sane <\(try pane.terminal())"], directory: directory)
      }
      #expect(status == 0, "\(output)")
      kill(pid, SIGCONT)
      try pane.type("awake")
      try pane.wait(for: "> Email address  [awake ")
      try pane.press("Escape")
      try pane.expectEnd(of: regd, status: 1)
    }
  }

  @Test("if regd ends, the form restores the terminal and prints an error")
  func disconnected() throws {
    try withRegd { regd in
      let pane = try TmuxPane.form(regd)
      try pane.fill(email: "a@test.com")
      regd.process.end()
      try pane.wait(for: "regctl: regd closed the connection")
      try pane.expectEnd(of: regd, status: 3)
    }
  }

  @Test("without a terminal, or on a terminal without a screen, the form fails with the reason")
  func noTerminal() throws {
    try withRegd { regd in
      for (command, says) in [
        ("setsid \(Places.regctl) form", "no terminal"), ("TERM=dumb \(Places.regctl) form", "TERM=dumb"),
      ] {
        let (status, output) = try TemporaryDirectory.with { directory in
          try RegdProcess.run(
            program: "/bin/sh", arguments: ["-c", command],
            environment: ["REGD_SOCKET_PATH": regd.socket, "TERM": "xterm"], directory: directory)
        }
        #expect(status == 2 && output.contains(says), "\(output)")
      }
    }
  }
}
