package import RehearsedPorts

/// A mail server's behaviour. It may change while the server runs.
package enum MailCondition: Hashable, Sendable {
  /// Every mail is accepted.
  case works
  /// The kernel refuses connections.
  case refusing
  /// The kernel drops incoming packets: a client that connects gets no answer.
  case swallowing
  /// TLS, by STARTTLS or from the first byte, with this certificate.
  case certificate(Certificates.Kind)
  /// STARTTLS is neither offered nor accepted.
  case withoutStartTLS
  /// The server gives this answer at the stage, and accepts nothing. 421 closes the connection (RFC 5321 section 3.8).
  case answers(Int, at: Stage)
  /// The first try of each recipient under this condition gets 451 (RFC 6647), the next is accepted.
  case greylisting
  /// Each answer is delayed by this time.
  case slow(Duration)
  /// The connection is reset after the first line of a mail's text, and the mail is not accepted.
  case cutting
  /// The connection is reset instead of the stage's answer. At `message`, the mail is accepted before that.
  case loses(at: Stage)
  /// The stage gets no answer, and the connection remains open. At `message`, the mail is accepted first.
  case silent(at: Stage)

  /// The stages that a server answers, in the order of a session.
  package enum Stage: String, CaseIterable, Sendable {
    case greeting, hello, startTLS, authentication, sender, recipient, data, message
  }

  /// The port's behaviour to a client that connects.
  var endpoint: Endpoint.Behaviour {
    switch self {
    case .refusing: .refusing
    case .swallowing: .swallowing
    case .works, .certificate, .withoutStartTLS, .answers, .greylisting, .slow, .cutting, .loses, .silent: .answering
    }
  }

  /// The certificate for TLS.
  var certificate: Certificates.Kind {
    if case .certificate(let kind) = self { kind } else { .good }
  }

  /// The event that replaces the answer to a stage, or nil for the usual answer.
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

  /// The text of an answer, with the enhanced status code of RFC 3463.
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

/// An event that replaces an answer.
enum Disturbance: Equatable {
  case answer(Answer)
  case reset
  case silence
}
