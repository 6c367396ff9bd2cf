internal import Registration

/// The one table from outcomes to failures. Nothing else in this module interprets an outcome.
///
/// If the server refused, its reply decides: after 4yz regd may repeat the mail, after 5yz not (RFC 5321 section
/// 4.2.1), in every phase. Without a reply, the mail may have been accepted (`lost`) if the text may have been sent.
enum SMTPVerdict {
  /// - Returns: The failure for the caller, or nil if the server accepted the mail.
  static func failure(_ outcome: SMTPOutcome) -> MailFailure? {
    switch outcome.end {
    case .whole: nil
    case .denied: refusal(outcome)
    case .unauthorized where (outcome.code ?? 0) >= 400: refusal(outcome)
    // no mail can be sent until an operator changes the user or the server
    case .unauthorized: .unusable("the mail server offers no authentication that regd supports")
    case .unsupported: .refused(MailFailure.noUTF8)
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
