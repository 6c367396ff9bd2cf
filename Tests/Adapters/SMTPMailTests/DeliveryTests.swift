import AsyncPrimitives
import CurlTransfers
import MailComposition
import Registration
import RehearsedMailServer
import TestDoubles
import Testing

@testable import SMTPMail

/// Tests mails that a real server accepted, as the server received them.
@Suite("Mails that a server accepts", .timeLimit(.minutes(10)))
struct DeliveryTests {
  @Test("a greylisted mail is accepted at the next attempt, as one mail")
  func greylisted() async throws {
    try await Delivery.play(.greylisting) { delivery in
      let mail = Delivery.mail()
      #expect(await delivery.failure(mail) == .deferred("451 4.7.1 Greylisted, come again"))
      #expect(await delivery.failure(mail) == nil)
      #expect(delivery.server.ledger.mails.count == 1)
    }
  }

  @Test("a mail whose answer was lost arrives twice, with the same Message-ID and Date")
  func twice() async throws {
    try await Delivery.play(.loses(at: .message)) { delivery in
      let mail = Delivery.mail()
      #expect(await delivery.failure(mail) == .lost)
      try delivery.server.play(.works)
      #expect(await delivery.failure(mail) == nil)
      let mails = delivery.server.ledger.mails
      #expect(mails.count == 2)
      #expect(mails[0].bytes == mails[1].bytes)
      #expect(mails[0].messageID == "<\(mail.id)@example.com>")
    }
  }

  @Test("every text arrives unchanged at every address", arguments: 0..<5)
  func whole(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let pieces = ["a", ".", "\n", "\n.\n", "..", "é", "码", " ", "From ", "=", String(repeating: "y", count: 90)]
    try await Delivery.play(.works) { delivery in
      for (typed, key) in [
        ("name@example.com", nil), ("-x@example.com", nil), ("a@bücher.example", "a@xn--bcher-kva.example"),
        ("Jürgen@bücher.example", "jürgen@xn--bcher-kva.example"), ("a'b`|{}%$#x@example.com", nil),
      ] {
        let body = (0..<40).map { _ in pieces.randomElement(using: &generator)! }.joined() + "\n"
        let mail = Delivery.mail(to: typed, key: key, body: body)
        #expect(await delivery.failure(mail) == nil)
        let text = try MailText(mail)
        let received = try #require(delivery.server.ledger.mails.last)
        #expect(received.recipients == [text.recipient])
        #expect(received.sender == "regd@example.com")
        #expect(received.bytes == text.bytes(.wire))
        let read = try #require(ReadMail(received.bytes))
        #expect(read.body == body && read["From"] == "Käserei, Inc. <regd@example.com>")
      }
    }
  }

  @Test(
    "regd signs in with the configured user, within TLS if the server supports it",
    arguments: [MailServer.Security.none, .startTLS, .tls])
  func user(_ security: MailServer.Security) async throws {
    let credentials = MailServer.Credentials(user: "regd@example.com", password: "geheim")
    try await Delivery.play(.works, security, credentials: credentials) {
      $0.user = ("regd@example.com", "geheim")
    } _: { delivery in
      #expect(await delivery.failure() == nil)
      #expect(delivery.server.ledger.mails.map(\.user) == ["regd@example.com"])
      #expect(delivery.server.ledger.mails.map(\.isSecure) == [security != .none])
    }
  }

  @Test(
    "regd prefers PLAIN, and then LOGIN, to mechanisms that need more than a password",
    arguments: [
      (["NTLM", "DIGEST-MD5", "CRAM-MD5", "LOGIN", "PLAIN"], 1), (["CRAM-MD5", "PLAIN"], 1), (["PLAIN"], 1),
      (["LOGIN", "NTLM"], 2), (["LOGIN"], 2),
    ])
  func mechanisms(_ offered: [String], _ connections: Int) async throws {
    let credentials = MailServer.Credentials(
      user: "regd@example.com", password: "geheim", mechanisms: offered, needsInitialResponse: true)
    try await Delivery.play(.works, credentials: credentials) {
      $0.user = ("regd@example.com", "geheim")
    } _: { delivery in
      #expect(await delivery.failure() == nil)
      #expect(delivery.server.ledger.mails.map(\.user) == ["regd@example.com"])
      #expect(delivery.server.ledger.connections == connections)
      #expect(delivery.warnings.isEmpty)
    }
  }

  @Test(
    "regd introduces itself by its name, or by its address",
    arguments: ["mail.example.com", "[192.0.2.1]", "[IPv6:2001:db8::1]"])
  func helo(_ name: String) async throws {
    try await Delivery.play(.works) {
      $0.helo = name
    } _: { delivery in
      #expect(await delivery.failure() == nil)
      #expect(delivery.server.ledger.mails.map(\.hello) == [name])
    }
  }

  @Test("regd does not sign in to a server that does not ask for it")
  func noUser() async throws {
    try await Delivery.play(.works) {
      $0.user = ("regd", "geheim")
    } _: { delivery in
      #expect(await delivery.failure() == nil)
      #expect(delivery.server.ledger.mails.map(\.user) == [nil])
    }
  }

  @Test("a mail to this machine is sent in plain text, unless authorities are configured")
  func loopback() async throws {
    try await Delivery.play(.works, .startTLS) {
      $0.caFile = nil
    } _: { delivery in
      #expect(await delivery.failure() == nil)
      #expect(delivery.server.ledger.mails.map(\.isSecure) == [false])
    }
  }

  @Test("many concurrent mails all arrive, each once")
  func many() async throws {
    try await Delivery.play(.works) { delivery in
      await withTaskGroup(of: MailFailure?.self) { group in
        for number in 0..<40 { group.addTask { await delivery.failure(Delivery.mail(to: "n\(number)@example.com")) } }
        for await failure in group { #expect(failure == nil) }
      }
      #expect(Set(delivery.server.ledger.mails.flatMap(\.recipients)).count == 40)
      #expect(delivery.server.ledger.mails.count == 40)
    }
  }

  @Test("cancelling and stopping end a mail at once", arguments: [true, false])
  func ended(_ isCancelled: Bool) async throws {
    let arrived = Promise<Void>()
    try await Delivery.play(.silent(at: .message), arrived: arrived) { delivery in
      let failure = await withTaskGroup(of: MailFailure?.self) { group in
        group.addTask { await delivery.failure() }
        await arrived.value()
        if isCancelled { group.cancelAll() } else { delivery.mail.stop() }
        return await group.next() ?? nil
      }
      #expect(failure == .cancelled)
      delivery.mail.stop()
      #expect(await delivery.failure() == .cancelled)
    }
  }
}
