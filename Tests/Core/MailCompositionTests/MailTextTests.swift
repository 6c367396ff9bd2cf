import AddressNormalization
import MailComposition
import Registration
import TestDoubles
import Testing

/// Tests the headers and the envelope of a mail, parsed as a mail program parses them.
@Suite("The text of a mail")
struct MailTextTests {
  static func mail(
    to typed: String = "name@example.com", key: String? = nil, from: String = "regd@example.com",
    fromName: String = "", language: String = "en", subject: String = "Your code", body: String = "123456\n"
  ) -> Mail {
    Mail(
      id: MailID(at: Fixtures.time), kind: .registrationCode,
      to: EmailAddress(stored: typed, key: EmailKey(key ?? typed)), from: from, fromName: fromName,
      date: Fixtures.time, language: language, subject: subject, body: body)
  }

  @Test(
    "a mail refuses an address that no header may contain, even if another check accepted it",
    arguments: [
      "a\r\nBcc: b@example.com", "a\nb@example.com", "a\r@example.com", "a@example.com\r\nX: y", "a b@example.com",
      "a,b@example.com", "<a@example.com>", "a\u{0}@example.com", "a\u{85}b@example.com", "a\u{2028}b@example.com",
      "a\u{202E}b@example.com", "@example.com", "a@", "a", "", ".a@example.com", "a..b@example.com", "a.@example.com",
      "\"a\\\n\"@example.com", "a@b@example.com", "a;b@example.com", "a:b@example.com", "(c)a@example.com",
    ])
  func refused(_ address: String) {
    let says = "the recipient is no address of a mailbox"
    #expect(throws: MailFailure.refused(says)) { try MailText(Self.mail(to: address)) }
    #expect(throws: MailFailure.refused("mail.from is no address of a mailbox")) {
      try MailText(Self.mail(from: address))
    }
  }

  @Test("a mail has the headers that RFC 5322 and RFC 3834 require, and no others")
  func headers() throws {
    let mail = Self.mail()
    let text = try MailText(mail)
    #expect(
      text.lines == [
        "Date: Sat, 21 Nov 2026 10:57:00 +0000", "From: regd@example.com", "To: name@example.com",
        "Message-ID: <\(mail.id)@example.com>", "Subject: Your code", "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 7bit",
        "Content-Language: en", "", "123456",
      ])
    #expect((text.sender, text.recipient) == ("regd@example.com", "name@example.com"))
    #expect(!text.needsUTF8)
    #expect(try MailText(mail) == text)
  }

  @Test(
    "a recipient's address keeps its local part as typed, and has its domain in A-labels",
    arguments: [
      ("Na.Me+x@Example.COM", "na.me+x@example.com", "Na.Me+x@example.com", false),
      ("-x@example.com", "-x@example.com", "-x@example.com", false),
      ("a@bücher.example", "a@xn--bcher-kva.example", "a@xn--bcher-kva.example", false),
      ("Jürgen@bücher.example", "jürgen@xn--bcher-kva.example", "Jürgen@xn--bcher-kva.example", true),
      ("用户@例子.example", "用户@xn--fsqu00a.example", "用户@xn--fsqu00a.example", true),
    ])
  func recipients(_ typed: String, _ key: String, _ sent: String, _ needsUTF8: Bool) throws {
    let text = try MailText(Self.mail(to: typed, key: key))
    #expect(text.recipient == sent)
    #expect(text.needsUTF8 == needsUTF8)
    let read = try #require(ReadMail(text.bytes(.wire)))
    #expect(read["To"] == sent)
    #expect(text.bytes(.wire).allSatisfy { $0 < 0x80 } == !needsUTF8)
  }

  @Test("regd can send mail to every address that it accepts")
  func corpus() throws {
    let rules = EmailRules(normalizer: UnicodeNormalizer())
    var generator = SeededGenerator(seed: 15)
    let pieces = ["a", "Z", "9", "+", "-", "_", "!", "'", ".", "ü", "é", "用", "ñ", "ß", "İ", "ā", "{", "%", "=", "?"]
    var taken = 0
    for _ in 0..<2000 {
      let local = (0..<Int.random(in: 1...12, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
      guard case .success(let address) = rules.check(local.joined() + "@exämple.org") else { continue }
      taken += 1
      let mail = Mail(
        id: MailID(at: Fixtures.time), kind: .recoveryCode, to: address, from: "regd@example.com", date: Fixtures.time,
        language: "en", subject: "x", body: "y\n")
      let text = try MailText(mail)
      #expect(try #require(ReadMail(text.bytes(.system)))["To"] == local.joined() + "@xn--exmple-cua.org")
    }
    #expect(taken > 1000)
  }

  @Test(
    "a subject is decoded unchanged, except that line breaks and control characters become spaces",
    arguments: [
      ("Your code", "Your code"), ("Jürgen, dein Code", "Jürgen, dein Code"), ("رمزك", "رمزك"), ("您的验证码", "您的验证码"),
      ("a\r\nBcc: b@example.com", "a  Bcc: b@example.com"), ("a\u{2028}b\u{0}c\td", "a b c d"),
      ("=?utf-8?B?eA==?=", "=?utf-8?B?eA==?="),
      (" ends ", " ends "),
      (String(repeating: "long ", count: 300) + "!", String(repeating: "long ", count: 300) + "!"),
      (String(repeating: "验", count: 500), String(repeating: "验", count: 500)), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦"),
    ])
  func subjects(_ subject: String, _ shown: String) throws {
    let text = try MailText(Self.mail(subject: subject))
    let read = try #require(ReadMail(text.bytes(.wire)))
    #expect(
      read.fields.map(\.name) == (try #require(ReadMail(try MailText(Self.mail()).bytes(.wire)))).fields.map(\.name))
    #expect(read["Subject"].map { Array($0.utf8) } == Array(shown.utf8))
    #expect(text.lines.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test(
    "the sender's name is decoded unchanged, except that line breaks and control characters become spaces",
    arguments: [
      ("a\r\nBcc: b@example.com", "a  Bcc: b@example.com"), ("a\u{2028}b\u{0}c\td", "a b c d"),
      ("=?utf-8?B?eA==?=", "=?utf-8?B?eA==?="), ("<x@y.example>, z", "<x@y.example>, z"), (#"\ "A" \"#, #"\ "A" \"#),
      (" ends ", " ends "), ("Käserei, Inc.", "Käserei, Inc."), ("مثال", "مثال"), ("示例", "示例"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"),
      (String(repeating: "long ", count: 300) + "!", String(repeating: "long ", count: 300) + "!"),
      (String(repeating: "验", count: 500), String(repeating: "验", count: 500)),
    ])
  func senders(_ name: String, _ shown: String) throws {
    let text = try MailText(Self.mail(fromName: name))
    let read = try #require(ReadMail(text.bytes(.wire)))
    let plain = try #require(ReadMail(try MailText(Self.mail()).bytes(.wire)))
    #expect(read.fields.map(\.name) == plain.fields.map(\.name))
    let (value, address) = (try #require(read["From"]), " <regd@example.com>")
    #expect(value.hasSuffix(address))
    var person = String(value.dropLast(address.count))
    if person.hasPrefix("\"") {
      person = String(person.dropFirst().dropLast()).replacing(/\\(.)/) { "\($0.output.1)" }
    }
    #expect(Array(person.utf8) == Array(shown.utf8))
    #expect(text.lines.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(text.sender == "regd@example.com" && !text.needsUTF8, "the envelope has the address alone")
  }

  private static let senderForms: [(String, [String])] = [
    ("", ["From: regd@example.com"]),
    ("Example", [#"From: "Example" <regd@example.com>"#]),
    (#"A "B" \"#, [#"From: "A \"B\" \\" <regd@example.com>"#]),
    ("Grüße", ["From: =?utf-8?B?R3LDvMOfZQ==?= <regd@example.com>"]),
    (x(49), ["From: \"\(x(49))\" <regd@example.com>"]),
    (x(50), ["From: \"\(x(50))\"", " <regd@example.com>"]),
    (
      x(69),
      [
        "From: =?utf-8?B?\(String(repeating: "eHh4", count: 14))?=",
        " =?utf-8?B?\(String(repeating: "eHh4", count: 9))?= <regd@example.com>",
      ]
    ),
  ]

  private static func x(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test(
    "a short ASCII name is a quoted string before the sender's address, and any other name is encoded words",
    arguments: senderForms)
  func senderLines(_ name: String, _ lines: [String]) throws {
    let text = try MailText(Self.mail(fromName: name))
    #expect(Array(text.lines.dropFirst().prefix { !$0.hasPrefix("To: ") }) == lines)
  }

  @Test(
    "a mail leaves out an invalid language tag",
    arguments: ["", "en\r\nX: y", "de DE", "ü", String(repeating: "a", count: 65)])
  func languages(_ tag: String) throws {
    let text = try MailText(Self.mail(language: tag))
    #expect(!text.lines.contains { $0.hasPrefix("Content-Language") || $0.hasPrefix("X:") })
  }

  @Test(
    "a date has the format of RFC 5322",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
      (1_795_361_593, "Sun, 22 Nov 2026 15:33:13 +0000"), (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 +0000"),
    ])
  func dates(_ seconds: Int64, _ text: String) throws {
    let mail = Mail(
      id: MailID(at: Fixtures.time), kind: .emailChanged,
      to: EmailAddress(stored: "a@b.example", key: EmailKey("a@b.example")),
      from: "regd@example.com", date: Timestamp(microseconds: seconds * 1_000_000), language: "en", subject: "x",
      body: "y\n")
    #expect(try MailText(mail).lines[0] == "Date: \(text)")
  }
}
