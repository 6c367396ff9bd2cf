internal import CurlTransfers
internal import MailComposition
internal import Synchronization
internal import Waiting

/// A mail on its way, as caller and loop both know it.
final class MailTransfer: LoopTransfer {
  let text: MailText
  let deadline: ContinuousClock.Instant
  /// Fulfilled by the loop, once it was given the transfer, or by its cancellation.
  let outcome = Promise<SMTPOutcome>()
  private let cancelled = Atomic<Bool>(false)

  init(_ text: MailText, until deadline: ContinuousClock.Instant) {
    self.text = text
    self.deadline = deadline
  }

  /// Has the caller go on at once; libcurl learns of it within a second.
  func cancel() {
    cancelled.store(true, ordering: .sequentiallyConsistent)
    finish(SMTPOutcome(.cancelled))
  }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  func stopped() { finish(SMTPOutcome(.cancelled)) }

  /// Has the caller go on; only the first time counts.
  func finish(_ outcome: SMTPOutcome) { self.outcome.fulfill(outcome) }
}
