import CCurl
import CurlTransfers
import Registration
import Testing

@testable import SMTPMail

/// Tests the mapping from libcurl's code, the handshake, the last command and the server's last reply to a failure.
@Suite("Meaning of SMTP outcomes")
struct SMTPVerdictTests {
  private static func failure(
    _ result: CURLcode, _ tls: TLSTrace = TLSTrace(), code: Int? = nil, isTransaction: Bool = true,
    handedOver: Bool = false
  ) -> MailFailure? {
    let end = SMTPOutcome.End(result, tls, code: code, isTransaction: isTransaction)
    return SMTPVerdict.failure(SMTPOutcome(end, code: code, words: "4.0.0 words", isHandedOver: handedOver))
  }

  @Test(
    "a mail may be repeated after a 4yz reply in any phase, and not after a 5yz reply",
    arguments: [421, 450, 451, 452, 454, 455, 500, 535, 550, 552, 554])
  func replies(_ code: Int) {
    let expected: MailFailure = code < 500 ? .deferred("\(code) 4.0.0 words") : .refused("\(code) 4.0.0 words")
    #expect(expected.isTemporary == (code < 500))
    #expect(Self.failure(CURLE_SEND_ERROR, code: code) == expected)
    #expect(Self.failure(CURLE_WEIRD_SERVER_REPLY, code: code, handedOver: true) == expected)
    for result in [CURLE_WEIRD_SERVER_REPLY, CURLE_REMOTE_ACCESS_DENIED, CURLE_LOGIN_DENIED] {
      #expect(Self.failure(result, code: code, isTransaction: false) == expected)
    }
  }

  @Test(
    "without a reply, a mail may have arrived if its text was being sent, and has not arrived otherwise",
    arguments: [false, true])
  func noReply(_ handedOver: Bool) {
    let lost = handedOver ? MailFailure.lost : .offline
    for result in [
      CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_COULDNT_CONNECT,
    ] {
      #expect(Self.failure(result, code: handedOver ? 354 : 250, handedOver: handedOver) == lost)
      #expect(Self.failure(result, handedOver: handedOver) == lost)
    }
    #expect(Self.failure(CURLE_OPERATION_TIMEDOUT, handedOver: handedOver) == (handedOver ? .lost : .timeout))
    #expect(MailFailure.lost.isTemporary && MailFailure.offline.isTemporary && MailFailure.timeout.isTemporary)
  }

  @Test("a connection that breaks after an intermediate refusal is offline and does not refuse the mail")
  func broken() {
    // a mechanism was refused, and the next mechanism was tried
    #expect(Self.failure(CURLE_RECV_ERROR, code: 504) == .offline)
    #expect(Self.failure(CURLE_SEND_ERROR, code: 504, isTransaction: false) == .offline)
    // a server that closes the connection replies 421
    #expect(Self.failure(CURLE_RECV_ERROR, code: 421) == .deferred("421 4.0.0 words"))
  }

  @Test("failures of TLS, authentication and addresses are distinguished")
  func others() {
    #expect(Self.failure(CURLE_PEER_FAILED_VERIFICATION) == .untrusted)
    for code in [250, 454] { #expect(Self.failure(CURLE_USE_SSL_FAILED, code: code) == .untrusted) }
    var tls = TLSTrace()
    Array("\u{16}\u{3}\u{1}\u{2}\u{0}".utf8).withUnsafeBytes { tls.note(CURLINFO_SSL_DATA_OUT, $0) }
    #expect(Self.failure(CURLE_SSL_CONNECT_ERROR, tls) == .offline)
    // plain text instead of TLS
    Array("220 m".utf8).withUnsafeBytes { tls.note(CURLINFO_SSL_DATA_IN, $0) }
    #expect(Self.failure(CURLE_SSL_CONNECT_ERROR, tls) == .untrusted)
    #expect(Self.failure(CURLE_LOGIN_DENIED, code: 250)?.isTemporary == true)
    #expect(SMTPVerdict.failure(SMTPOutcome(.unsupported))?.isTemporary == false)
    #expect(SMTPVerdict.failure(SMTPOutcome(.unconnected)) == .offline)
    #expect(SMTPVerdict.failure(SMTPOutcome(.cancelled)) == .cancelled)
    #expect(Self.failure(CURLE_OK, code: 250) == nil)
  }

  @Test("the operator gets warnings about problems that stop all mails, without addresses")
  func warnings() {
    let words = "5.7.8 <name@example.com> rejected"
    #expect(
      SMTPOutcome(.unauthorized, code: 535, words: words).warning
        == "the server refused the user and password: 535 5.7.8 … rejected")
    #expect(SMTPOutcome(.unauthorized, code: 250).warning?.contains("offers no authentication") == true)
    #expect(
      SMTPOutcome(.untrusted, message: "certificate has expired").warning?.hasSuffix("certificate has expired") == true)
    #expect(SMTPOutcome(.denied, code: 550, words: words).warning == nil)
  }
}

@Suite("Replies of SMTP servers")
struct SMTPConversationTests {
  private func heard(_ lines: [String], startTLS: Bool = false) -> SMTPConversation {
    var conversation = SMTPConversation(needsStartTLS: startTLS)
    for line in lines { _ = conversation.hear(line + "\r\n") }
    return conversation
  }

  @Test("the last complete reply counts, with all its lines")
  func replies() {
    let conversation = heard(["220 a", "250-a", "250 b", "550-5.1.1 no", "550 5.1.1 user", "451-half"])
    #expect(conversation.code == 550)
    #expect(conversation.words.split(whereSeparator: \.isWhitespace) == ["5.1.1", "no", "5.1.1", "user"])
    #expect(heard(["no reply", "", "2", "25x a"]).code == nil)
    #expect(heard(["220"]).code == 220)
  }

  @Test("SMTPUTF8 counts only if the server offers it on the connection that carries the mail")
  func utf8() {
    #expect(heard(["220 a"]).offersUTF8 == nil)
    #expect(heard(["220 a", "250-a", "250 SMTPUTF8"]).offersUTF8 == true)
    #expect(heard(["220 a", "250-a", "250-smtputf8", "250 SIZE 1"]).offersUTF8 == true)
    #expect(heard(["220 a", "250-SMTPUTF8X", "250 SIZE 1"]).offersUTF8 == false)
    #expect(heard(["220 a", "502 what", "250 a"]).offersUTF8 == false)
    #expect(heard(["220 a", "250-a", "250 SMTPUTF8"], startTLS: true).offersUTF8 == nil)
    #expect(heard(["220 a", "250 SMTPUTF8", "220 go", "250 a"], startTLS: true).offersUTF8 == false)
    #expect(
      heard(["220 a", "250 a", "220 go", "250-a", "250 SMTPUTF8", "235 ok", "250 ok"], startTLS: true).offersUTF8
        == true)
  }

  @Test("a conversation that is longer than any real one counts as endless")
  func endless() {
    #expect(heard(Array(repeating: "250-\(String(repeating: "x", count: 500))", count: 100)).isEndless == false)
    #expect(heard(Array(repeating: "250-\(String(repeating: "x", count: 500))", count: 200)).isEndless)
  }
}

@Suite("The URL of a mail server")
struct SMTPServerTests {
  @Test(
    "an invalid URL fails with its problem",
    arguments: [
      ("http://a", .scheme), ("smtp:/a", .scheme), ("a", .scheme), ("smtp://", .host), ("smtp://:25", .host),
      ("smtp:///x", .path),
      ("smtp://a:", .port), ("smtp://a:0", .port), ("smtp://a:x", .port), ("smtp://u@a", .userInformation),
      ("smtp://a/b", .path),
      ("smtp://a?b", .path), ("smtp://a#b", .path), ("smtp://bücher.example", .unusableCharacter),
      ("smtp://a b", .unusableCharacter),
      ("", .scheme),
    ] as [(String, SMTPServer.Problem)])
  func refused(_ text: String, _ problem: SMTPServer.Problem) {
    #expect(SMTPServer.read(text) == .failure(problem))
  }

  @Test(
    "scheme and host determine whether TLS is required",
    arguments: [
      ("smtp://mail.example.com:587", false, false), ("SMTPS://mail.example.com/", true, false),
      ("smtp://localhost", false, true),
      ("smtp://127.0.0.1:2525", false, true), ("smtp://[::1]:25", false, true), ("smtps://localhost", true, true),
      ("smtp://127.example.com", false, false), ("smtp://localhost.example.com", false, false),
    ])
  func read(_ text: String, _ isTLS: Bool, _ isLoopback: Bool) throws {
    let server = try SMTPServer.read(text).get()
    #expect((server.isTLS, server.isLoopback) == (isTLS, isLoopback))
    #expect(SMTPMail.Configuration(server: server).needsStartTLS == (!isTLS && !isLoopback))
    // an operator who configures authorities also wants TLS on this machine
    #expect(SMTPMail.Configuration(server: server, caFile: "/ca.pem").needsStartTLS == !isTLS)
  }
}
