import Linux
import RegdProcesses
import RehearsedMailServer
import RehearsedPorts
import TestDoubles
import TestKit
import Testing

@Suite("Mails under each condition", .blocking, .timeLimit(.minutes(10)))
struct ConditionTests {
  @Test(
    "curl fails and the server accepts no mail until the server works again, on the same port",
    arguments: [
      (MailCondition.refusing, Int32(7)), (.answers(421, at: .greeting), 8), (.answers(554, at: .greeting), 8),
      (.answers(451, at: .sender), 55), (.answers(550, at: .recipient), 55), (.answers(554, at: .data), 55),
      (.answers(552, at: .message), 8), (.loses(at: .recipient), 56),
      (.greylisting, 55),
    ])
  func refused(_ condition: MailCondition, _ status: Int32) throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(condition, directory: directory)
      #expect(try curl(server, directory) == status)
      #expect(server.ledger.mails.isEmpty)
      try server.play(.works)
      #expect(try curl(server, directory) == 0)
      #expect(server.ledger.mails.map(\.recipients) == [["a@b.cd"]])
      #expect(server.ledger.complaints.isEmpty)
      try server.play(condition)
      #expect(try curl(server, directory) == status)
    }
  }

  @Test("curl fails if the connection is lost before the greeting, with a status that depends on the timing")
  func lostAtOnce() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.loses(at: .greeting), directory: directory)
      #expect([7, 8, 55, 56].contains(try curl(server, directory)))
      try server.play(.works)
      #expect(try curl(server, directory) == 0)
    }
  }

  @Test("a swallowing port answers nothing, not even a SYN, and serves again later")
  func swallowing() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.swallowing, directory: directory)
      // curl's status 28: timeout
      #expect(try curl(server, directory, ["--connect-timeout", "0.2"]) == 28)
      #expect(server.ledger.connections == 0)
      try server.play(.works)
      #expect(try curl(server, directory) == 0)
    }
  }

  @Test("if the connection is lost within the text, the server accepts no mail, and the next attempt succeeds")
  func cut() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.cutting, directory: directory)
      #expect([55, 56].contains(try curl(server, directory)))
      #expect(server.ledger.mails.isEmpty)
      try server.play(.works)
      #expect(try curl(server, directory) == 0)
      #expect(server.ledger.mails.map(\.messageID) == ["<1@example.org>"] && server.ledger.complaints.isEmpty)
    }
  }

  @Test("if the connection is lost after the server accepted the mail, the client gets an error")
  func lost() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.loses(at: .message), directory: directory)
      #expect([55, 56].contains(try curl(server, directory)))
      #expect(server.ledger.mails.map(\.messageID) == ["<1@example.org>"])
    }
  }

  @Test("greylisting defers each recipient's first attempt and accepts the next, until the condition changes")
  func greylisting() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.greylisting, directory: directory)
      let tries = ["a@b.cd", "c@d.ef", "a@b.cd", "a@b.cd", "c@d.ef"]
      #expect(try tries.map { try curl(server, directory, to: $0) } == [55, 55, 0, 0, 0])
      try server.play(.works)
      try server.play(.greylisting)
      #expect(try curl(server, directory) == 55)
      #expect(server.ledger.mails.map(\.recipients) == [["a@b.cd"], ["a@b.cd"], ["c@d.ef"]])
      #expect(server.ledger.tries == ["a@b.cd": 4, "c@d.ef": 2])
    }
  }

  @Test("the server accepts only correct credentials, and a condition can refuse even those")
  func credentials() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(
        directory: directory, credentials: MailServer.Credentials(user: "regd", password: "geheim"))
      #expect(try curl(server, directory, ["--user", "regd:falsch"]) == 67)
      #expect(try curl(server, directory) == 55)
      #expect(try curl(server, directory, ["--user", "regd:geheim"]) == 0)
      try server.play(.answers(535, at: .authentication))
      #expect(try curl(server, directory, ["--user", "regd:geheim"]) == 67)
      #expect(server.ledger.mails.map(\.user) == ["regd"])
      #expect(server.ledger.complaints.isEmpty)
    }
  }

  @Test("a slow server answers only after its delay, and an impatient client times out")
  func slow() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.slow(.seconds(3600)), directory: directory)
      #expect(try curl(server, directory, ["--max-time", "0.3"]) == 28)
      try server.play(.slow(.milliseconds(1)))
      #expect(try curl(server, directory) == 0)
    }
  }

  @Test(
    "a server that falls silent after a mail has accepted it, and one that is silent before has not",
    arguments: [true, false])
  func silent(_ isBehind: Bool) throws {
    try TemporaryDirectory.with { directory in
      let accepted = try EventCounter()
      let server = try MailServer(directory: directory) { _ in accepted.signal() }
      let client = try Dialogue(server)
      _ = try client.answer()
      #expect(try client.codes(["EHLO x", "MAIL FROM:<r@e.org>", "RCPT TO:<a@b.cd>"]) == [250, 250, 250])
      try server.play(.silent(at: isBehind ? .message : .data))
      if isBehind {
        #expect(try client.say("DATA").hasPrefix("354 "))
        try client.send("Subject: x\r\n\r\ny\r\n.\r\n")
        #expect(accepted.wait(atMost: .seconds(300)))
      } else {
        try client.send("DATA\r\n")
      }
      // the next thing to arrive is the end of the connection
      server.stop()
      #expect(try client.answer() == "END")
      #expect(server.ledger.mails.count == (isBehind ? 1 : 0))
    }
  }

  @Test("a condition that changes between two commands of a connection applies to the next command")
  func meanwhile() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(directory: directory)
      let client = try Dialogue(server)
      #expect(try client.answer().hasPrefix("220 "))
      #expect(try client.codes(["EHLO x", "MAIL FROM:<r@e.org>"]) == [250, 250])
      try server.play(.answers(450, at: .recipient))
      #expect(try client.codes(["RCPT TO:<a@b.cd>", "DATA"]) == [450, 554])
      try server.play(.works)
      #expect(
        try client.codes(["RCPT TO:<a@b.cd>", "DATA", "Subject: x\r\n\r\ny\r\n.", "QUIT"]) == [250, 354, 250, 221])
      #expect(try client.answer() == "END")
      #expect(server.ledger.complaints.isEmpty)
    }
  }

  @Test("a refused command has no effect: the client may repeat MAIL, and is not signed in")
  func undone() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(
        .answers(451, at: .sender), directory: directory,
        credentials: MailServer.Credentials(user: "regd", password: "geheim"))
      let client = try Dialogue(server)
      _ = try client.answer()
      let signIn = "AUTH PLAIN AHJlZ2QAZ2VoZWlt"
      #expect(try client.codes(["EHLO x", signIn, "MAIL FROM:<r@e.org>"]) == [250, 235, 451])
      try server.play(.works)
      #expect(try client.codes(["MAIL FROM:<r@e.org>", "RSET"]) == [250, 250])
      let other = try Dialogue(server)
      _ = try other.answer()
      try server.play(.answers(454, at: .authentication))
      #expect(try other.codes(["EHLO x", signIn, "AUTH PLAIN"]) == [250, 454, 334])
      #expect(try other.say("AHJlZ2QAZ2VoZWlt").hasPrefix("454 "))
      try server.play(.works)
      #expect(try other.say("MAIL FROM:<r@e.org>").hasPrefix("530 "))
      #expect(server.ledger.complaints.isEmpty)
    }
  }
}
