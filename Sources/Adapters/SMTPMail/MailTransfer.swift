internal import AsyncPrimitives
internal import CurlTransfers
internal import MailComposition
internal import Synchronization

/// Mechanisms of authentication (RFC 4954) in the order in which regd tries them. It tries the next ones only if the
/// server offers none of these. libcurl by itself prefers NTLM, DIGEST-MD5 and CRAM-MD5, which many servers offer
/// without the data that they need, and does not fall back. The password does not need their protection, because it is
/// sent only over TLS or within this machine.
enum SMTPMechanisms: CaseIterable {
  case plain, login, others

  /// The value of CURLOPT_LOGIN_OPTIONS.
  var options: String {
    switch self {
    case .plain: "AUTH=PLAIN"
    case .login: "AUTH=LOGIN"
    case .others: "AUTH=SCRAM-SHA-256;AUTH=SCRAM-SHA-1;AUTH=DIGEST-MD5;AUTH=CRAM-MD5;AUTH=NTLM"
    }
  }

  /// Whether the command has the initial response (CURLOPT_SASL_IR). Some servers accept PLAIN only with one, and LOGIN only
  /// without.
  var hasInitialResponse: Bool { self == .plain }
}

/// A mail in flight, shared by the calling task and the loop.
final class MailTransfer: LoopTransfer {
  let text: MailText
  let mechanisms: SMTPMechanisms
  let deadline: ContinuousClock.Instant
  /// The result for the caller, fulfilled by the loop, or earlier by the caller's cancellation.
  let outcome = Promise<SMTPOutcome>()
  private let cancelled = Atomic<Bool>(false)

  init(_ text: MailText, by mechanisms: SMTPMechanisms, until deadline: ContinuousClock.Instant) {
    self.text = text
    self.mechanisms = mechanisms
    self.deadline = deadline
  }

  /// Resumes the caller at once. If libcurl already sends the mail, it stops within a second.
  func cancel() {
    cancelled.store(true, ordering: .sequentiallyConsistent)
    finish(SMTPOutcome(.cancelled))
  }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  func stopped() { finish(SMTPOutcome(.cancelled)) }

  /// Resumes the caller. Only the first call counts.
  func finish(_ outcome: SMTPOutcome) { self.outcome.fulfill(outcome) }
}
