import RegdProcesses
import RehearsedMailServer
import TestDoubles
import TestKit
import Testing

@Suite("A session with the mail server", .blocking, .timeLimit(.minutes(10)))
struct SessionTests {
  /// After EHLO.
  private func client(_ server: MailServer) throws -> Dialogue {
    let client = try Dialogue(server)
    #expect(try client.answer() == "220 localhost ESMTP, rehearsed")
    #expect(try client.say("EHLO x").hasPrefix("250-localhost greets you\n"))
    return client
  }

  @Test(
    "the server refuses a protocol violation and records a complaint",
    arguments: [
      ("MAIL FROM:a@b.cd", "500"), ("MAIL FROM: <a@b.cd>", "500"), ("RCPT TO:<a@b.cd>", "503"), ("RCPT TO:<>", "500"),
      ("MAIL FROM:<a@b.cd> RET=HDRS", "555"), ("MAIL FROM:<ä@b.cd>", "553"), ("STARTTLS", "502"),
      ("AUTH PLAIN AGEAYg==", "502"), ("AUTH LOGIN", "502"), ("EHLO", "500"), ("GET / HTTP/1.1", "500"), ("", "500"),
    ])
  func violations(_ line: String, _ code: String) throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(directory: directory)
      let client = try client(server)
      #expect(try client.say(line).prefix(3) == code)
      #expect(
        try client.codes(["MAIL FROM:<>", "RCPT TO:<a@b.cd>", "DATA", ".", "QUIT"]) == [250, 250, 354, 250, 221])
      #expect(try client.answer() == "END")
      server.stop()
      #expect(server.ledger.complaints.count == 1)
      #expect(server.ledger.complaints.first?.hasPrefix("\(code): ") == true)
    }
  }

  @Test(
    "the server records a complaint about invalid content of a mail",
    arguments: [
      ("a\nb\r\n", "a line that ends without CR"), ("a\rb\r\n", "a CR within a line"), ("\r\na\0b\r\n", "a NUL"),
      ("\r\n" + String(repeating: "a", count: 999) + "\r\n", "a line of 999 octets"),
      ("Subject: ä\r\n\r\n", "a header beyond ASCII without SMTPUTF8"),
      ("Subject: a\r\n\r\nä\r\n", "a body beyond ASCII without BODY=8BITMIME"),
    ])
  func contents(_ mail: String, _ complaint: String) throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(directory: directory)
      let client = try client(server)
      #expect(try client.codes(["MAIL FROM:<>", "RCPT TO:<a@b.cd>", "DATA", mail + "."]) == [250, 250, 354, 250])
      #expect(try client.say("QUIT") == "221 2.0.0 Bye")
      server.stop()
      #expect(server.ledger.complaints.count == 1)
      #expect(server.ledger.complaints.first?.hasPrefix(complaint) == true)
    }
  }

  @Test("the server accepts the extensions that it offers without a complaint, and refuses others")
  func extensions() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(directory: directory)
      let client = try client(server)
      let lines = [
        "MAIL FROM:<ä@b.cd> SMTPUTF8 BODY=8BITMIME SIZE=99", "RCPT TO:<ö@b.cd>", "DATA", "Subject: ä\r\n\r\nü\r\n.",
      ]
      #expect(try client.codes(lines) == [250, 250, 354, 250])
      #expect(server.ledger.mails.map(\.recipients) == [["ö@b.cd"]])
      #expect(server.ledger.complaints.isEmpty)
      let plain = try MailServer(directory: directory, extensions: [])
      let other = try self.client(plain)
      #expect(try other.codes(["MAIL FROM:<a@b.cd> SMTPUTF8", "MAIL FROM:<a@b.cd> BODY=8BITMIME"]) == [555, 555])
    }
  }

  @Test("the server removes dot-stuffing, and accepts several recipients, several mails and RSET")
  func mails() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(directory: directory)
      let client = try client(server)
      #expect(
        try client.codes([
          "MAIL FROM:<a@b.cd>", "RCPT TO:<gone@b.cd>", "RSET", "NOOP", "mail from:<a@b.cd>", "rcpt to:<c@d.ef>",
          "RCPT TO:<e@f.gh>", "DATA", "..\r\n.x\r\n...\r\n.", "MAIL FROM:<>", "RCPT TO:<c@d.ef>", "DATA", "\r\nz\r\n.",
        ]) == [250, 250, 250, 250, 250, 250, 250, 354, 250, 250, 250, 354, 250])
      let mails = server.ledger.mails
      #expect(mails.map(\.sender) == ["a@b.cd", ""])
      #expect(mails.map(\.recipients) == [["c@d.ef", "e@f.gh"], ["c@d.ef"]])
      #expect(mails.map { String(decoding: $0.bytes, as: UTF8.self) } == [".\r\nx\r\n..\r\n", "\r\nz\r\n"])
      #expect(server.ledger.mails(to: "e@f.gh").count == 1)
      #expect(server.ledger.complaints.isEmpty)
    }
  }

  @Test("the server does not record an unfinished mail")
  func broken() throws {
    try TemporaryDirectory.with { directory in
      let server = try MailServer(directory: directory)
      do {
        let client = try client(server)
        #expect(try client.codes(["MAIL FROM:<>", "RCPT TO:<a@b.cd>", "DATA"]) == [250, 250, 354])
        try client.send("Subject: x\r\n\r\nhalf")
      }
      server.stop()
      #expect(server.ledger.mails.isEmpty)
    }
  }

  @Test(
    "a received mail unfolds its fields and decodes its text",
    arguments: [
      ("7bit", "caf=E9 123456\r\nend\r\n", "caf=E9 123456\nend\n"),
      ("quoted-printable", "caf=C3=A9 1=\r\n23456\r\nend\r\n", "café 123456\nend\n"),
      ("base64", "Y2Fmw6kg\r\nMTIzNDU2DQplbmQNCg==\r\n", "café 123456\nend\n"),
      ("quoted-printable", "=4", nil), ("base64", "Y2Fm*", nil),
    ])
  func text(_ encoding: String, _ body: String, _ text: String?) {
    let header =
      "Subject: a\r\n b\r\nMESSAGE-ID:  <1@e>\r\nReceived: x\r\nReceived: y\r\nContent-Transfer-Encoding: \(encoding)"
    let mail = ReceivedMail(bytes: Array((header + "\r\n\r\n" + body).utf8))
    #expect(mail.text == text)
    #expect(mail.fields("subject") == ["a b"])
    #expect(mail.fields("received") == ["x", "y"])
    #expect(mail.messageID == "<1@e>")
    #expect(mail.fields("Cc").isEmpty)
  }
}
