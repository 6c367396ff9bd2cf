internal import CurlTransfers
internal import Registration
internal import Synchronization
internal import Waiting

/// A request on its way, as caller and loop both know it. The loop alone finishes it.
final class Transfer: LoopTransfer {
  let request: UpstreamRequest
  let share: Share
  /// The latest time to begin; a transfer that has not begun by then is not begun at all.
  let latestStart: ContinuousClock.Instant
  let deadline: ContinuousClock.Instant
  /// Fulfilled by the loop, once it was given the transfer.
  let reply = Promise<UpstreamReply>()
  private let cancelled = Atomic<Bool>(false)

  init(
    _ request: UpstreamRequest, _ share: Share, startBy latestStart: ContinuousClock.Instant,
    until deadline: ContinuousClock.Instant
  ) {
    self.request = request
    self.share = share
    self.latestStart = latestStart
    self.deadline = deadline
  }

  /// For a transfer that the loop has not yet taken; `TransferLoop.cancel` is for one that it has.
  func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  func stopped() { finish(.unsent(.broken, "stopped")) }

  /// Has the caller go on; only the first time counts.
  func finish(_ reply: UpstreamReply) { self.reply.fulfill(reply) }
}
