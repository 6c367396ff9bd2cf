internal import CurlTransfers
internal import MailComposition
internal import Synchronization
internal import Waiting

/// A mail on its way, as caller and loop both know it. The loop alone finishes it.
final class MailTransfer: LoopTransfer {
  let text: MailText
  let deadline: ContinuousClock.Instant
  /// Fulfilled by the loop, once it was given the transfer.
  let outcome = Promise<SMTPOutcome>()
  private let cancelled = Atomic<Bool>(false)

  init(_ text: MailText, until deadline: ContinuousClock.Instant) {
    self.text = text
    self.deadline = deadline
  }

  func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  func stopped() { finish(SMTPOutcome(.cancelled)) }

  /// Has the caller go on; only the first time counts.
  func finish(_ outcome: SMTPOutcome) { self.outcome.fulfill(outcome) }
}
