import Glibc
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl", .blocking, .timeLimit(.minutes(10)))
struct RegctlTests {
  @Test("regctl exits with 2 for a wrong command line, and with 3 if no regd listens")
  func failures() throws {
    for (command, status) in [
      ("$regctl", 0), ("$regctl nonsense", 2), ("$regctl check", 2), ("$regctl status --nonsense", 2),
      ("$regctl status --timeout 0", 2),
      ("$regctl call rpc.ping '{'", 2), ("$regctl call rpc.ping 5", 2), ("setsid $regctl sign-in a@test.com", 2),
      ("$regctl matrix --regd /nonexistent /nonexistent", 2), ("$regctl status", 3),
      ("$regctl status --socket /nonexistent", 3),
    ] as [(String, Int32)] {
      let (seen, output) = try Shell.run(command, "/nonexistent/s")
      #expect(seen == status, "\(command): \(output)")
    }
  }

  @Test("each command prints its result or its error as text")
  func verbs() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl status", 0, "store: sqlite"),
          (
            "echo 12345 | $regctl validate email@test --password-stdin", 1,
            "password: A password needs at least 8 characters"
          ),
          ("echo 'a fine phrase' | $regctl validate email@test.com --password-stdin", 0, "valid"),
          ("$regctl check email@test", 1, "(email.domain)"),
          ("$regctl check email@test 2>&1 | grep -c 'needs a dot'", 0, "1\n"),
          ("$regctl check email@test", 1, "One or more fields are not valid. (validation.failed)"),
          ("$regctl check email@test.com", 0, "email@test.com is available"),
          (
            "echo 'a fine phrase' | $regctl register email@test.com --password-stdin", 0,
            "registered email@test.com as "
          ),
          ("echo 'a fine phrase' | $regctl register email@test.com --password-stdin", 1, "already taken (email.taken)"),
          ("$regctl check EMAIL@test.com", 1, "is not available"),
          ("echo 'a fine phrase' | $regctl sign-in email@test.com --password-stdin", 0, "signed in email@test.com"),
          ("echo 'wrong' | $regctl sign-in email@test.com --password-stdin", 1, "(credentials.rejected)"),
          ("$regctl call rpc.ping", 0, "\"pong\""),
          ("$regctl call registration.checkEmail '[\"a@b.cc\"]'", 0, #"{"available":true}"#),
          ("$regctl call nonsense", 1, "rpc.methodNotFound"),
          ("$regctl call registration.chekEmail email=a@b.cc", 2, "did you mean \"registration.checkEmail\"?"),
          ("$regctl call nonsense a=b", 2, "there is no method \"nonsense\"; regctl call lists the methods"),
          ("$regctl call registration.checkEmail mail=a@b.cc", 2, "no parameter \"mail\"; it takes email"),
          ("$regctl call registration.checkEmail email=a@b.cc more", 2, "is neither name=value nor"),
          ("$regctl call rpc.ping a=b", 2, "it takes none"),
          ("$regctl call registration.checkEmail email=a@b.cc", 0, #"{"available":true}"#),
          ("echo '[\"a@b.cc\"]' | $regctl call registration.checkEmail -", 0, #"{"available":true}"#),
          ("$regctl call rpc.cancel id=5", 0, "{}"), ("$regctl call rpc.cancel id=x", 0, "{}"),
          ("$regctl call session.signIn --describe", 0, "may fail with: credentials.rejected"),
          ("$regctl call", 0, "registration.checkEmail  Returns whether an address can be registered now."),
        ], regd.socket)
    }
  }

  @Test("regctl names the byte at which params are not JSON")
  func paramsPosition() throws {
    try Shell.check(
      [
        (#"$regctl call rpc.ping '{"a":1,}'"#, 2, "Invalid JSON: expected a member name at byte 7."),
        (#"echo ' [1,]' | $regctl call rpc.ping -"#, 2, "expected a value at byte 4."),
        ("$regctl call rpc.ping 5", 2, "the parameters must be a JSON object or array, or have the form name=value"),
        (#"$regctl bench --yes --method rpc.ping --params '{"a"}'"#, 2, "expected a colon at byte 4."),
      ], "/nonexistent/s")
  }

  @Test("regctl prints each problem of an invalid entry once, including the first one")
  func problemsOnce() throws {
    try withRegd { regd in
      let (status, output) = try Shell.run("$regctl check a@b", regd.socket)
      #expect(status == 1)
      let message = JSONValue(try Shell.run("$regctl check a@b --json", regd.socket).output.utf8)?["message"]?.string
      let pieces = output.split(separator: try #require(message), omittingEmptySubsequences: false)
      #expect(pieces.count == 2, "\(output)")
      #expect(output.contains("(validation.failed)\n  email: "), "\(output)")
    }
  }

  @Test(
    "regctl prints the wait of a throttled call once, whether or not the message contains it",
    arguments: [
      ("Wait 30 s before the next try.", "", 1), ("Too many.", "", 1), ("Wait 300 s.", "", 2),
      ("\u{627}\u{646}\u{62A}\u{638}\u{631} \u{663}\u{660}", "", 0), ("At most 30 a second.", ",\"limit\":30", 2),
    ])
  func waitOnce(_ message: String, _ limit: String, _ count: Int) throws {
    let error =
      "\"error\":{\"code\":-32003,\"message\":\"\(message)\",\"data\":{\"reason\":\"rate.limited\",\"retryable\":true,\"retryAfter\":30\(limit)}}"
    try PlayedDaemon.with([[error]]) { socket, _ in
      let (status, output) = try Shell.run("$regctl check a@b.cc", socket)
      #expect(status == 1 && output.contains("(rate.limited)"), "\(output)")
      #expect(output.matches(of: /30/).count == count, "\(output)")
    }
  }

  @Test("--json prints only regd's answer")
  func json() throws {
    try withRegd { regd in
      #expect(
        try Shell.run("$regctl check a@b.cc --json", regd.socket) == (0, #"{"available":true}"# + "\n"))
      let refused = try Shell.run("echo x | $regctl sign-in a@b.cc --password-stdin --json", regd.socket)
      #expect(refused.status == 1)
      #expect(refused.output.hasPrefix(#"{"code":1003,"message":"#))
      #expect(refused.output.split(separator: "\n").count == 1)
      let valid = try Shell.run("echo x | $regctl validate a@b.cc --password-stdin --json", regd.socket)
      #expect(valid.status == 1)
      #expect(valid.output.hasPrefix(#"{"emailValid":true,"passwordValid":false"#))
    }
  }

  @Test("regctl exits with 4 if regd does not answer")
  func timeout() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3600000ms",
      "REGD_SHUTDOWN_GRACE_SECONDS": "0", "REGD_STORE_BACKEND": "memory",
    ]) { (regd) throws in
      #expect(try Shell.run("$regctl check a@b.cc --timeout 1", regd.socket).status == 4)
      kill(regd.process.pid, SIGSTOP)
      defer { kill(regd.process.pid, SIGCONT) }
      #expect(try Shell.run("$regctl events --timeout 1", regd.socket).status == 4)
    }
  }

  /// Types two passwords at the prompts of `regctl register`.
  private func register(_ password: String, _ confirmation: String, _ regd: RunningRegd) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      program: Places.regctl, arguments: ["register", "a@test.com", "--socket", regd.socket])
    try terminal.wait(for: "Password: ")
    terminal.type(password + "\n")
    try terminal.wait(for: "Password again: ")
    terminal.type(confirmation + "\n")
    return terminal
  }

  @Test("on a terminal, regctl register asks for the password twice, and shows nothing of it")
  func prompt() throws {
    try withRegd { regd in
      let terminal = try register("a fine phrase", "a fine phrase", regd)
      #expect(terminal.finish() == 0)
      #expect(terminal.screen.contains("registered a@test.com"))
      #expect(!terminal.screen.contains("fine phrase"))
    }
  }

  @Test("an interrupted prompt leaves the terminal's echo on")
  func interrupted() throws {
    try withRegd { regd in
      let terminal = try PseudoTerminal(
        program: "/bin/sh",
        arguments: ["-c", "trap : INT; \(Places.regctl) sign-in a@test.com --socket \(regd.socket); stty -a"])
      try terminal.wait(for: "Password: ")
      terminal.type("\u{3}")
      _ = terminal.finish()
      #expect(terminal.screen.contains(" echo "))
      #expect(!terminal.screen.contains("credentials"))
    }
  }

  @Test("an error that regd sends before it closes the connection is a refusal, not a missing answer")
  func refusedConnection() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS": "1"]) { regd in
      let only = try regd.connect()
      try only.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"#)
      _ = try only.receiveLine()
      let (status, output) = try Shell.run("$regctl status", regd.socket)
      #expect(status == 1, "\(output)")
      #expect(output.contains("server.busy"))
    }
  }

  @Test("a missing status is an error, but a user without access to it gets the other facts")
  func status() throws {
    let info = #""result":{"name":"regd","version":"1","store":{"backend":"sqlite"},"network":{"backend":"none"}}"#
    func error(_ code: Int, _ reason: String) -> String {
      "\"error\":{\"code\":\(code),\"message\":\"No.\",\"data\":{\"reason\":\"\(reason)\",\"retryable\":false}}"
    }
    for (code, reason, ends) in [(-32008, "response.tooLarge", Int32(1)), (-32001, "access.denied", 0)] {
      try PlayedDaemon.with([[info], [error(code, reason)]]) { socket, _ in
        let (status, output) = try Shell.run("$regctl status", socket)
        #expect(status == ends && output.contains("store: sqlite"), "\(output)")
        #expect(output.contains(reason) == (ends == 1), "\(output)")
      }
      try PlayedDaemon.with([[info, error(code, reason)]]) { socket, _ in
        let (status, output) = try Shell.run("$regctl status --json", socket)
        #expect(status == ends && output.contains(reason) == (ends == 1), "\(output)")
      }
    }
  }

  @Test("an export fails if regd does not confirm that it is complete")
  func unsureExport() throws {
    let busy = #""error":{"code":-32009,"message":"No.","data":{"reason":"server.busy","retryable":true}}"#
    try PlayedDaemon.with([[#""result":{"records":[]}"#, busy]]) { socket, _ in
      let (status, output) = try Shell.run("$regctl export -", socket)
      #expect(status == 1 && output.contains("server.busy"), "\(output)")
    }
  }

  @Test("regd and regctl have the same version")
  func version() throws {
    let regctl = try Shell.run("$regctl --version", "").output
    let regd = try Shell.run("\(Places.regd) --version", "").output
    #expect(regctl.dropFirst(6) == regd.dropFirst(4))
    #expect(regctl.hasPrefix("regctl "))
  }

  @Test("regd refuses two passwords that differ")
  func mismatch() throws {
    try withRegd { regd in
      let terminal = try register("a fine phrase", "another phrase", regd)
      #expect(terminal.finish() == 1)
      #expect(terminal.screen.contains("password.mismatch"))
    }
  }
}
