import MailComposition
import Registration
import TestDoubles
import Testing

/// Tests that the text of a mail arrives unchanged through every mail server.
@Suite("The body of a mail")
struct EncodedBodyTests {
  private func text(_ body: String) throws -> MailText { try MailText(MailTextTests.mail(body: body)) }

  @Test(
    "a mail uses the simplest encoding that preserves the text",
    arguments: [
      ("Your code is 123456.\n\nIt is good for 15 minutes.\n", "7bit"), ("", "7bit"), ("no end", "7bit"),
      ("Dein Code für example.com\n", "quoted-printable"), ("رمزك هو 123456\n", "base64"),
      ("您的验证码是 123456\n", "base64"),
      ("From here\n", "quoted-printable"), (".\n", "quoted-printable"), ("a \n", "quoted-printable"),
      ("a\r\nb\n", "quoted-printable"), ("\u{0}\n", "quoted-printable"),
      (String(repeating: "x", count: 2000) + "\n", "quoted-printable"),
    ])
  func encodings(_ body: String, _ encoding: String) throws {
    #expect(try text(body).lines.contains("Content-Transfer-Encoding: \(encoding)"))
  }

  @Test("random texts are decoded unchanged, from lines that no mail server breaks", arguments: 0..<20)
  func random(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "a", "word ", "F", "From ", ".", "..", "=", "=3D", "\n", "\n\n", " ", "\t", "é", "ü", "码", "رمز", "👩‍👧", "\u{2028}",
      "\u{7F}",
      String(repeating: "y", count: 75), String(repeating: "é", count: 40), "--", "?=",
    ]
    for _ in 0..<200 {
      let count = Int.random(in: 0...30, using: &generator)
      let body = (0..<count).map { _ in pieces.randomElement(using: &generator)! }.joined()
      let composed = try text(body)
      let read = try #require(ReadMail(composed.bytes(.wire)))
      let expected = body.hasSuffix("\n") ? body : body + "\n"
      #expect(Array(read.body.utf8) == Array(expected.utf8), "\(body.debugDescription)")
      let lines = composed.lines[(composed.lines.firstIndex(of: "")! + 1)...]
      for line in lines {
        #expect(line.utf8.count <= 78 && line.utf8.allSatisfy { 0x20...0x7E ~= $0 })
        #expect(!line.hasPrefix("From ") && !line.hasPrefix("."), "\(line)")
        #expect(!line.hasSuffix(" "))
      }
    }
  }

  @Test("a mail has CRLF line ends on the wire and LF line ends on this system")
  func lineEnds() throws {
    let text = try text("a\nb\n")
    #expect(String(decoding: text.bytes(.wire), as: UTF8.self).hasSuffix("\r\n\r\na\r\nb\r\n"))
    #expect(String(decoding: text.bytes(.system), as: UTF8.self).hasSuffix("\n\na\nb\n"))
    #expect(!text.bytes(.system).contains(13))
  }
}
