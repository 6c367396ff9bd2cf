import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("Administration of a daemon", .blocking, .timeLimit(.minutes(10)))
struct AdministrationTests {
  private func entry(_ email: String, _ request: String) -> JSONValue {
    guard
      case .object(let members) = RegdClient.entry(
        email: email, password: "a fine phrase", confirmation: "a fine phrase")
    else { return nil }
    return .object(members + [.init("requestId", .string(request))])
  }

  @Test("after SIGKILL during registrations, a caller that repeats its request gets one account, audited once")
  func killed() throws {
    try withRegd { regd in
      for round in 0..<5 {
        let emails = (0..<4).map { "r\(round)n\($0)@example.com" }
        for email in emails {
          let connection = try regd.connect()
          let params = entry(email, email).text
          try connection.send(
            Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"registration.register\",\"params\":\(params)}\n".utf8))
          // The test waits for the first one. The others are at any stage when the process ends.
          if email == emails[0] { _ = try connection.receiveLine() }
        }
        try regd.restart(after: 9)
        let client = try regd.client()
        for email in emails {
          let before = try client.call("registration.status", ["requestId": .string(email)]).get()
          if email == emails[0] { #expect(before["state"]?.string == "active") }
          let again = try client.call("registration.register", entry(email, email)).get()
          #expect(again["account"]?["state"]?.string == "active")
          // The repeat returns the account that already existed.
          if before["state"]?.string == "active" { #expect(again["account"] == before["account"]) }
          let after = try client.call("registration.status", ["requestId": .string(email)]).get()
          #expect(after["account"] == again["account"])
        }
      }
      let client = try regd.client()
      let accounts = try client.call("account.list").get()["accounts"]?.array ?? []
      let events = try client.call("events.list").get()["events"]?.array ?? []
      #expect(accounts.count == 20)
      #expect(Set(events.map { $0["account"]?.string }) == Set(accounts.map { $0["id"]?.string }))
      #expect(events.count == 20)
      #expect(events.allSatisfy { $0["event"]?.string == "account.registered" })
    }
  }

  @Test(
    "a list of breached passwords is off if missing, stops the start if damaged, and otherwise refuses its passwords")
  func breached() throws {
    try TemporaryDirectory.with { directory in
      let list = "\(directory)/breached.regd"
      try withRegd(["REGD_PASSWORD_BREACHED_LIST": list]) { regd in
        let client = try regd.client()
        let status = try client.call("daemon.status").get()["breachedPasswords"]
        #expect(status?.text == "{\"active\":false,\"path\":\"\(list)\"}")
        #expect(regd.process.output.contains("file=\(list) [Daemon] password.breachedList: the file does not exist"))
      }
      try TextFile.write("no list, and shorter than one", to: list)
      let (exit, output) = try RegdProcess.run(
        program: Places.regd,
        arguments: [
          "--password-breached-list", list, "--socket-path", "\(directory)/s", "--socket-group=",
          "--store-backend", "memory",
        ],
        directory: directory)
      #expect(exit == 78)
      #expect(output.contains("password.breachedList"))
      // the SHA-1 of "correct horse battery", as the public lists write it
      try TextFile.write(
        "98DECC62ECE399A22ED30D490EF333BE7FDE7385:7\r\n\(shaOfPhrase):3\n", to: "\(directory)/hashes.txt")
      let (built, says) = try RegdProcess.run(
        program: Places.regctl, arguments: ["breached", "build", "\(directory)/hashes.txt", "--output", "\(list).new"],
        directory: directory)
      #expect(built == 0, "\(says)")
      try withRegd(["REGD_PASSWORD_BREACHED_LIST": "\(list).new"]) { regd in
        let client = try regd.client()
        let status = try client.call("daemon.status").get()["breachedPasswords"]
        #expect(status?["active"]?.bool == true)
        #expect(status?["entries"]?.integer == 2)
        for (password, isBreached) in [
          ("correct horse battery staple", true), ("correct horse battery staples", false),
        ] {
          let entry = RegdClient.entry(email: "a@example.com", password: password, confirmation: password)
          let problems = try client.call("registration.validate", entry).get()["problems"]?.array ?? []
          #expect(problems.map { $0["reason"]?.string } == (isBreached ? ["password.breached"] : []), "\(password)")
        }
        // A truncated file does not end the daemon, and is logged.
        try TextFile.write("", to: "\(list).new")
        let entry = RegdClient.entry(email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase")
        for _ in 0..<2 {
          #expect(try client.call("registration.validate", entry).get()["registrationEnabled"]?.bool == true)
        }
        #expect(try client.call("daemon.status").get()["breachedPasswords"]?["active"]?.bool == false)
        regd.process.end()
        #expect(regd.process.output.split(separator: "\n").count { $0.contains("the file was truncated") } == 1)
      }
    }
  }

  /// The SHA-1 of "correct horse battery staple".
  private let shaOfPhrase = "ABF7AAD6438836DBE526AA231ABDE2D0EEF74D42"

  @Test("the throttle can be switched on and off")
  func throttle() throws {
    for isOn in [true, false] {
      try withRegd(["REGD_SIGN_IN_THROTTLE": "\(isOn)"]) { regd in
        let client = try regd.client()
        var reasons = Set<String>()
        // Each wait is twice the one before. On a busy machine a try may outlast the first waits, but not the later
        // ones.
        for number in 0..<(isOn ? 14 : 8) where !reasons.contains("rate.limited") {
          let params: JSONValue = ["email": "nobody@example.com", "password": .string("another phrase \(number)")]
          guard case .failure(let error) = try client.call("session.signIn", params) else { continue }
          reasons.insert(error.reason)
          if error.reason == "rate.limited" { #expect((error.data["retryAfter"]?.integer ?? 0) >= 1) }
        }
        #expect(reasons == (isOn ? ["credentials.rejected", "rate.limited"] : ["credentials.rejected"]))
      }
    }
  }

  @Test("daemon.metrics counts requests by method and reason, and ends as OpenMetrics requires")
  func metrics() throws {
    try withRegd { regd in
      let client = try regd.client()
      for _ in 0..<3 { _ = try client.call("rpc.ping") }
      _ = try client.call("registration.checkEmail", ["email": "none"])
      _ = try client.call("nonsense")
      let text = try client.call("daemon.metrics").get()["text"]?.string ?? ""
      for line in [
        "regd_requests_total{method=\"rpc.ping\",reason=\"ok\"} 3",
        "regd_requests_total{method=\"registration.checkEmail\",reason=\"validation.failed\"} 1",
        "regd_requests_total{method=\"none\",reason=\"rpc.methodNotFound\"} 1",
        "regd_request_duration_seconds_count{method=\"registration.checkEmail\"} 1", "regd_connections 1",
        "regd_healthy{part=\"store\"} 1",
      ] {
        #expect(text.split(separator: "\n").contains(Substring(line)), "\(line)")
      }
      #expect(text.hasSuffix("# EOF\n"))
    }
  }
}
