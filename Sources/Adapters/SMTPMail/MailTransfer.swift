internal import CurlTransfers
internal import MailComposition
internal import Synchronization
internal import Waiting

/// A mail in flight, shared by the calling task and the loop.
final class MailTransfer: LoopTransfer {
  let text: MailText
  let deadline: ContinuousClock.Instant
  /// The result for the caller, fulfilled by the loop, or earlier by the caller's cancellation.
  let outcome = Promise<SMTPOutcome>()
  private let cancelled = Atomic<Bool>(false)

  init(_ text: MailText, until deadline: ContinuousClock.Instant) {
    self.text = text
    self.deadline = deadline
  }

  /// Resumes the caller at once. If libcurl already sends the mail, it stops within a second.
  func cancel() {
    cancelled.store(true, ordering: .sequentiallyConsistent)
    finish(SMTPOutcome(.cancelled))
  }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  func stopped() { finish(SMTPOutcome(.cancelled)) }

  /// Resumes the caller; only the first call counts.
  func finish(_ outcome: SMTPOutcome) { self.outcome.fulfill(outcome) }
}
