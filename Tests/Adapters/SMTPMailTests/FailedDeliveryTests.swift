import CurlTransfers
import Registration
import RehearsedMailServer
import RehearsedMails
import RehearsedPorts
import TestDoubles
import Testing

@testable import SMTPMail

/// Tests each fault of a mail server on real connections.
@Suite("Mails that a server does not accept", .timeLimit(.minutes(10)))
struct FailedDeliveryTests {
  @Test(
    "a 4yz reply defers a mail at any stage, and a 5yz reply refuses it",
    arguments: MailCondition.Stage.allCases, [421, 454, 554])
  func answers(_ stage: MailCondition.Stage, _ code: Int) async throws {
    let security: MailServer.Security = stage == .startTLS ? .startTLS : .none
    let credentials = stage == .authentication ? MailServer.Credentials(user: "regd", password: "geheim") : nil
    try await Delivery.play(.answers(code, at: stage), security, credentials: credentials) { configuration in
      configuration.user = credentials.map { ($0.user, Secret(value: $0.password)) }
    } _: { delivery in
      let failure = await delivery.failure()
      switch failure {
      // no TLS, no mail
      case .untrusted?: #expect(stage == .startTLS)
      case .deferred(let words)?: #expect(code < 500 && words.hasPrefix("\(code) "), "\(words)")
      case .refused(let words)?: #expect(code >= 500 && words.hasPrefix("\(code) "), "\(words)")
      case .offline?, .lost?, .timeout?, .unusable?, .cancelled?, nil: Issue.record("\(String(describing: failure))")
      }
      #expect(delivery.server.ledger.mails.isEmpty)
    }
  }

  @Test(
    "a lost connection loses no mail before the server asks for the text", arguments: MailCondition.Stage.allCases)
  func lost(_ stage: MailCondition.Stage) async throws {
    let security: MailServer.Security = stage == .startTLS ? .startTLS : .none
    let credentials = stage == .authentication ? MailServer.Credentials(user: "regd", password: "geheim") : nil
    try await Delivery.play(.loses(at: stage), security, credentials: credentials) { configuration in
      configuration.user = credentials.map { ($0.user, Secret(value: $0.password)) }
    } _: { delivery in
      #expect(await delivery.failure() == (stage == .message ? .lost : .offline))
      #expect(delivery.server.ledger.mails.count == (stage == .message ? 1 : 0))
    }
  }

  @Test("regd waits for a silent server up to the configured time", arguments: MailCondition.Stage.allCases)
  func silent(_ stage: MailCondition.Stage) async throws {
    guard stage != .authentication, stage != .startTLS else { return }
    try await Delivery.play(.silent(at: stage)) { configuration in
      configuration.total = stage == .message ? .seconds(8) : .seconds(1)
    } _: { delivery in
      #expect(await delivery.failure() == (stage == .message ? .lost : .timeout))
    }
  }

  @Test(
    "an unreachable server counts as offline within the time for connecting",
    arguments: [MailCondition.refusing, .swallowing])
  func unreachable(_ condition: MailCondition) async throws {
    try await Delivery.play(condition) {
      $0.connect = .milliseconds(500)
    } _: { delivery in
      #expect(await delivery.failure() == .offline)
    }
  }

  @Test("the timeout for connecting does not apply to the server's greeting")
  func slowGreeting() async throws {
    try await Delivery.play(.slow(.milliseconds(400))) {
      $0.connect = .milliseconds(50)
    } _: { delivery in
      #expect(await delivery.failure() == nil)
    }
  }

  @Test(
    "a server that cannot prove its identity gets no mail, and the operator gets a warning", arguments: [true, false])
  func untrusted(_ isStartTLS: Bool) async throws {
    try await Delivery.play(.works, isStartTLS ? .startTLS : .tls) { delivery in
      for kind in Certificates.Kind.allCases where kind != .good {
        try delivery.server.play(.certificate(kind))
        #expect(await delivery.failure() == .untrusted)
      }
      #expect(delivery.warnings.count == Certificates.Kind.allCases.count - 1)
      #expect(
        delivery.warnings.allSatisfy { $0.hasPrefix("mail.smtp: the identity of the server could not be verified: ") })
      #expect(delivery.server.ledger.mails.isEmpty)
      try delivery.server.play(.works)
      #expect(await delivery.failure() == nil)
      #expect(delivery.server.ledger.mails.map(\.isSecure) == [true])
    }
  }

  @Test("if a mail needs STARTTLS and the server does not offer it, regd does not send the mail")
  func noStartTLS() async throws {
    try await Delivery.play(.withoutStartTLS, .startTLS) { delivery in
      #expect(await delivery.failure() == .untrusted)
      #expect(delivery.server.ledger.mails.isEmpty)
    }
  }

  @Test("a wrong password is final for the mail, and the warning does not contain the password")
  func wrongPassword() async throws {
    let credentials = MailServer.Credentials(user: "regd", password: "geheim")
    try await Delivery.play(.works, credentials: credentials) {
      $0.user = ("regd", "falsch")
    } _: { delivery in
      #expect(await delivery.failure() == .refused("535 5.7.8 Authentication credentials invalid"))
      #expect(delivery.warnings.count == 1)
      #expect(!delivery.warnings.joined().contains("falsch"))
    }
  }

  @Test("regd uses the only mechanism offered, and warns if libcurl does not know it")
  func otherMechanisms() async throws {
    for (mechanism, failure) in [
      ("CRAM-MD5", MailFailure.refused("535 5.7.8 Authentication credentials invalid")),
      ("X-OTHER", .unusable("the mail server offers no authentication that regd supports")),
    ] {
      let credentials = MailServer.Credentials(user: "regd", password: "geheim", mechanisms: [mechanism])
      try await Delivery.play(.works, credentials: credentials) {
        $0.user = ("regd", "geheim")
      } _: { delivery in
        #expect(await delivery.failure() == failure)
        #expect(delivery.warnings.count == 1, "one for the mail, not for each try")
        #expect(delivery.server.ledger.connections == SMTPMechanisms.allCases.count)
      }
    }
  }

  @Test("regd does not send a non-ASCII address to a server without SMTPUTF8", arguments: [true, false])
  func noUTF8(_ isStartTLS: Bool) async throws {
    try await Delivery.play(.works, isStartTLS ? .startTLS : .none, extensions: [.eightBitMIME]) { delivery in
      let failure = await delivery.failure(Delivery.mail(to: "用户@xn--fsqu00a.example"))
      #expect(failure?.isTemporary == false)
      #expect(delivery.server.ledger.tries.isEmpty)
      #expect(await delivery.failure(Delivery.mail(to: "a@例子.example", key: "a@xn--fsqu00a.example")) == nil)
    }
  }

  @Test("a simulated fault and the real fault cause the same failure", arguments: MailFault.allCases)
  func twins(_ fault: MailFault) async throws {
    let (condition, security): (MailCondition, MailServer.Security)
    switch fault {
    case .offline, .unresolvable: (condition, security) = (.refusing, .none)
    case .unroutable: (condition, security) = (.swallowing, .none)
    case .resetBefore: (condition, security) = (.loses(at: .greeting), .none)
    case .closing: (condition, security) = (.answers(421, at: .greeting), .none)
    case .untrusted: (condition, security) = (.certificate(.untrusted), .tls)
    case .wrongHost: (condition, security) = (.certificate(.wrongHost), .tls)
    case .expired: (condition, security) = (.certificate(.expired), .tls)
    case .noTLS: (condition, security) = (.withoutStartTLS, .startTLS)
    case .unauthorized: (condition, security) = (.answers(535, at: .authentication), .none)
    case .unavailable: (condition, security) = (.answers(451, at: .sender), .none)
    case .greylisted: (condition, security) = (.greylisting, .none)
    case .reject: (condition, security) = (.answers(550, at: .recipient), .none)
    case .rejectText: (condition, security) = (.answers(554, at: .message), .none)
    case .timeout: (condition, security) = (.silent(at: .sender), .none)
    case .cut: (condition, security) = (.cutting, .none)
    case .lost: (condition, security) = (.loses(at: .message), .none)
    case .mute: (condition, security) = (.silent(at: .message), .none)
    }
    let credentials = fault == .unauthorized ? MailServer.Credentials(user: "regd", password: "geheim") : nil
    let isSilent = [.timeout, .mute].contains(fault)
    try await Delivery.play(condition, security, credentials: credentials) { configuration in
      if fault == .unresolvable, let server = try? SMTPServer.read("smtp://no-such-host.invalid").get() {
        configuration.server = server
      }
      configuration.user = credentials.map { ($0.user, Secret(value: $0.password)) }
      configuration.connect = .seconds(1)
      if isSilent { configuration.total = .seconds(8) }
    } _: { delivery in
      let failure = await delivery.failure()
      #expect(MailWords.word(failure) == MailWords.word(fault.failure))
      #expect(delivery.server.ledger.mails.isEmpty != fault.hidesSuccess)
    }
  }
}
