package import RehearsedPorts

/// How a mail server behaves. It may change while the server runs.
package enum MailCondition: Hashable, Sendable {
  /// Every mail is accepted.
  case works
  /// The kernel refuses connections.
  case refusing
  /// The kernel drops what arrives: a client that connects gets no answer.
  case swallowing
  /// TLS, by STARTTLS or from the first byte, with this certificate.
  case certificate(Certificates.Kind)
  /// STARTTLS is not offered, and refused.
  case withoutStartTLS
  /// This is the answer there, and nothing is accepted. 421 closes the connection (RFC 5321 section 3.8).
  case answers(Int, at: Stage)
  /// The first try of each recipient since the condition began is 451 (RFC 6647), the next is accepted.
  case greylisting
  /// Each answer comes so much later.
  case slow(Duration)
  /// The connection is reset behind the first line of a text, and the mail is not accepted.
  case cutting
  /// The connection is reset in place of the answer. A whole mail was accepted by then.
  case loses(at: Stage)
  /// There is no answer, and the connection stays. A whole mail was accepted by then.
  case silent(at: Stage)

  /// What a server answers to, in the order of a session.
  package enum Stage: String, CaseIterable, Sendable {
    case greeting, hello, startTLS, authentication, sender, recipient, data, message
  }

  /// What a client meets that connects.
  var endpoint: Endpoint.Behaviour {
    switch self {
    case .refusing: .refusing
    case .swallowing: .swallowing
    case .works, .certificate, .withoutStartTLS, .answers, .greylisting, .slow, .cutting, .loses, .silent: .answering
    }
  }

  /// The certificate that it shows, where TLS is spoken.
  var certificate: Certificates.Kind {
    if case .certificate(let kind) = self { kind } else { .good }
  }

  /// What takes the place of the answer to a stage, or goes before it; nil for the usual answer.
  func disturbance(at stage: Stage) -> Disturbance? {
    switch self {
    case .answers(let code, stage): .answer(Answer(code, Self.words(code, stage)))
    case .loses(stage): .reset
    case .silent(stage): .silence
    case .works, .refusing, .swallowing, .certificate, .withoutStartTLS, .answers, .greylisting, .slow, .cutting,
      .loses,
      .silent:
      nil
    }
  }

  var delay: Duration {
    if case .slow(let delay) = self { delay } else { .zero }
  }

  /// As servers say it, with the status of RFC 3463.
  private static func words(_ code: Int, _ stage: Stage) -> String {
    switch (code, stage) {
    case (535, _): "5.7.8 Authentication credentials invalid"
    case (550, .recipient): "5.1.1 No such user here"
    case (421, _): "4.3.2 Service shutting down"
    case (451, _): "4.3.0 Try again later"
    default: "\(code / 100).0.0 As rehearsed"
    }
  }
}

/// What happens in the place of an answer.
enum Disturbance: Equatable {
  case answer(Answer)
  case reset
  case silence
}
