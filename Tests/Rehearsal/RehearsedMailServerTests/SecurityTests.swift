import Linux
import RegdProcesses
import RehearsedMailServer
import RehearsedPorts
import TestDoubles
import TestKit
import Testing

@Suite("TLS of the mail server", .blocking, .timeLimit(.minutes(10)))
struct SecurityTests {
  @Test("curl refuses each bad certificate, and accepts the good one again on the same port", arguments: [true, false])
  func certificates(_ isStartTLS: Bool) throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(
        .certificate(.expired), directory: directory, security: isStartTLS ? .startTLS : .tls,
        credentials: MailServer.Credentials(user: "regd", password: "geheim"))
      #expect(server.url.hasPrefix(isStartTLS ? "smtp://localhost:" : "smtps://localhost:"))
      let options = ["--ssl-reqd", "--user", "regd:geheim"]
      #expect(try curl(server, directory, options) == 60)
      for kind in Certificates.Kind.allCases where kind != .good {
        try server.play(.certificate(kind))
        #expect(try curl(server, directory, options) == 60)
        try server.play(.works)
        #expect(try curl(server, directory, options) == 0)
      }
      #expect(server.ledger.mails.map(\.isSecure) == [true, true, true])
      #expect(server.ledger.mails.map(\.user) == ["regd", "regd", "regd"])
      #expect(server.ledger.complaints.isEmpty)
      server.stop()
      #expect(try processes(with: directory).isEmpty)
    }
  }

  @Test("conditions also apply within TLS", arguments: [MailServer.Security.startTLS, .tls])
  func conditions(_ security: MailServer.Security) throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.answers(550, at: .recipient), directory: directory, security: security)
      #expect(try curl(server, directory, ["--ssl-reqd"]) == 55)
      try server.play(.loses(at: .message))
      #expect([55, 56].contains(try curl(server, directory, ["--ssl-reqd"])))
      #expect(server.ledger.mails.map(\.isSecure) == [true])
      try server.play(.refusing)
      #expect(try curl(server, directory, ["--ssl-reqd"]) == 7)
      try server.play(.works)
      #expect(try curl(server, directory, ["--ssl-reqd"]) == 0)
    }
  }

  @Test("without STARTTLS, a client that requires TLS leaves, and another client sends in clear")
  func withoutStartTLS() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.withoutStartTLS, directory: directory, security: .startTLS)
      #expect(try curl(server, directory, ["--ssl-reqd"]) == 64)
      #expect(server.ledger.mails.isEmpty)
      #expect(try curl(server, directory) == 0)
      #expect(server.ledger.mails.map(\.isSecure) == [false])
      try server.play(.works)
      #expect(try curl(server, directory, ["--ssl-reqd"]) == 0)
    }
  }

  @Test("the server does not offer AUTH before STARTTLS")
  func passwords() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(
        directory: directory, security: .startTLS,
        credentials: MailServer.Credentials(user: "regd", password: "geheim"))
      let client = try Dialogue(server)
      _ = try client.answer()
      let offers = try client.say("EHLO x")
      #expect(offers.split(separator: "\n").contains("250 STARTTLS"))
      #expect(!offers.contains("AUTH"))
    }
  }

  @Test("commands injected before TLS end the connection")
  func injected() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(directory: directory, security: .startTLS)
      let client = try Dialogue(server)
      _ = try client.answer()
      _ = try client.say("EHLO x")
      try client.send("STARTTLS\r\nMAIL FROM:<mallory@e.org>\r\n")
      #expect(try client.answer().hasPrefix("220 "))
      #expect(try client.answer() == "END")
      #expect(server.ledger.complaints == ["commands behind STARTTLS, before TLS"])
    }
  }

  @Test("a server without TLS refuses conditions that need TLS, and continues to work")
  func impossible() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(directory: directory)
      for condition in [MailCondition.certificate(.expired), .withoutStartTLS] {
        #expect(throws: MailServer.Failure.self) { try server.play(condition) }
        #expect(throws: MailServer.Failure.self) { _ = try MailServer(condition, directory: directory) }
      }
      #expect(try curl(server, directory) == 0)
    }
  }
}
