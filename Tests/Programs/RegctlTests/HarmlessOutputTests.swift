import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("Values of a daemon in regctl's output", .blocking, .timeLimit(.minutes(10)))
struct HarmlessOutputTests {
  @Test("control characters are escaped in JSON and in errors, and --json prints them unchanged")
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

  /// A value with which a daemon might control a terminal or add lines.
  private static let hostile = "x\\u001b[31m\\u0007\\nFAKE\\r\\u009b\\u202e\\u2028"

  @Test("every value in the output of a command is one harmless line")
  func sentences() throws {
    let value = "\"\(Self.hostile)\""
    let info = """
      "result":{"name":\(value),"version":\(value),"uptimeSeconds":3,"store":{"backend":\(value)},
      "network":{"backend":\(value)},"environment":{"name":\(value),"summary":\(value)},
      "registration":{"mode":\(value),"verification":\(value),"approval":\(value),
      "terms":{"version":\(value),"url":\(value)}}}
      """.replacing("\n", with: "")
    let status = """
      "result":{"store":{"failure":\(value),"since":\(value),"damagedRows":2,"damaged":[\(value)]},
      "doors":[{"name":\(value),"protocol":\(value),"address":\(value)}],
      "breachedPasswords":{"active":true,"entries":3,"path":\(value)}}
      """.replacing("\n", with: "")
    try PlayedDaemon.with([[info], [status]]) { socket, _ in
      let (code, output) = try Shell.run("$regctl status", socket)
      #expect(code == 0, "\(output)")
      try harmless(output)
      #expect(output.contains(#"x\u001b[31m\u0007\u000aFAKE\u000d\u009b\u202e\u2028"#))
    }
    let account =
      #""result":{"account":{"id":"1","email":\#(value),"state":\#(value),"createdAt":"x","updatedAt":"x"}}"#
    for (command, says) in [("account get a@example.com", "FAKE"), ("account disable a@example.com", "disabled")] {
      try PlayedDaemon.with([[account], [account]]) { socket, _ in
        let (code, output) = try Shell.run("$regctl \(command) 2>&1", socket)
        #expect(code == 0 && output.contains(says), "\(command): \(output)")
        try harmless(output)
      }
    }
    let refusal = #""error":{"code":1,"message":\#(value),"data":{"reason":\#(value),"retryable":false}}"#
    for command in ["check a@example.com", "events", "events --list"] {
      try PlayedDaemon.with([[refusal]]) { socket, _ in
        let (code, output) = try Shell.run("$regctl \(command) --timeout 5 2>&1", socket)
        #expect(code != 0 && output.contains("FAKE"), "\(command): \(output)")
        try harmless(output)
      }
    }
  }

  private func harmless(_ output: String) throws {
    for scalar in output.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control, "\(output.debugDescription)")
    }
    #expect(!output.contains("\u{202E}") && !output.contains("\u{2028}"))
    #expect(!output.split(separator: "\n").contains { $0.hasPrefix("FAKE") }, "\(output)")
  }

  @Test("in the sources of programs for users, only Terminal.swift writes to standard output")
  func onlyTerminal() throws {
    let pattern = "(^|[^.A-Za-z])(print|printLine|debugPrint|dump|puts|fputs)\\(|Swift\\.print\\("
    let folders = "regctl regd-login regd-tools regd-matrix RegctlCommandLine UserMessages"
    let command = "cd \(Places.root)/Sources/Programs && grep -rnE '\(pattern)' \(folders) --include='*.swift'"
    let found = try Shell.run("\(command) | grep -v '/Terminal.swift:' | grep -v 'func print'; true", "").output
    #expect(found.isEmpty, "\(found)")
  }
}
