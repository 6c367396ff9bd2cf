internal import Registration

/// The one table from what came to what it means. Nothing else in this module decides that.
///
/// The server's reply decides wherever there is one: 4yz may be repeated, 5yz not (RFC 5321 section 4.2.1), in whatever phase. Without
/// one it matters whether the text was on its way.
enum SMTPVerdict {
  /// - Returns: Nil if the server has taken the mail.
  static func failure(_ outcome: SMTPOutcome) -> MailFailure? {
    switch outcome.end {
    case .whole: nil
    case .denied: refusal(outcome)
    case .unauthorized where (outcome.code ?? 0) >= 400: refusal(outcome)
    // not the mail's fault, and an operator can mend it
    case .unauthorized: .deferred("the mail server offers no authentication that regd knows")
    case .unsupported: .refused("the mail server takes no addresses beyond ASCII (SMTPUTF8)")
    case .untrusted: .untrusted
    case .cancelled: .cancelled
    case .outOfTime: outcome.isHandedOver ? .lost : .timeout
    case .unconnected: .offline
    case .broken: outcome.isHandedOver ? .lost : .offline
    }
  }

  private static func refusal(_ outcome: SMTPOutcome) -> MailFailure {
    (outcome.code ?? 0) >= 500 ? .refused(outcome.reply) : .deferred(outcome.reply)
  }
}
