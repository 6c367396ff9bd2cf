import Linux
import RegdProcesses
import RehearsedMailServer
import RehearsedPorts
import TestDoubles
import TestKit
import Testing

@Suite("What becomes of a mail under each condition", .blocking, .timeLimit(.minutes(10)))
struct ConditionTests {
  @Test(
    "curl says what is wrong, and nothing is accepted; once the server works, on the same port, it is",
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

  @Test("a connection that is lost before the greeting: what curl says hangs on when it sees the reset")
  func lostAtOnce() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.loses(at: .greeting), directory: directory)
      #expect([7, 8, 55, 56].contains(try curl(server, directory)))
      try server.play(.works)
      #expect(try curl(server, directory) == 0)
    }
  }

  @Test("a port that swallows answers nothing, not even a SYN, and serves again later")
  func swallowing() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.swallowing, directory: directory)
      // curl's 28: nothing came within the time that it was given
      #expect(try curl(server, directory, ["--connect-timeout", "0.2"]) == 28)
      #expect(server.ledger.connections == 0)
      try server.play(.works)
      #expect(try curl(server, directory) == 0)
    }
  }

  @Test("the connection lost in the text: nothing is accepted, and the next try is")
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

  @Test("accepted, and then the connection lost: the mail is there, and the client cannot know")
  func lost() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.loses(at: .message), directory: directory)
      #expect([55, 56].contains(try curl(server, directory)))
      #expect(server.ledger.mails.map(\.messageID) == ["<1@example.org>"])
    }
  }

  @Test("greylisting: each recipient's first try is put off, the next is taken, and a new condition begins anew")
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

  @Test("wrong and missing credentials are refused, right ones are not, and a condition refuses even those")
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

  @Test("slow: no answer before its time; a client that has no time goes without one")
  func slow() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(.slow(.seconds(3600)), directory: directory)
      #expect(try curl(server, directory, ["--max-time", "0.3"]) == 28)
      try server.play(.slow(.milliseconds(1)))
      #expect(try curl(server, directory) == 0)
    }
  }

  @Test("silent behind the mail: it is there, and no answer comes", arguments: [true, false])
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
      // the first that comes is the end
      server.stop()
      #expect(try client.answer() == "END")
      #expect(server.ledger.mails.count == (isBehind ? 1 : 0))
    }
  }

  @Test("a condition that changes between two commands of one connection is met with the next")
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

  @Test("what was refused was not done: MAIL may be said again, and nobody is signed in")
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
