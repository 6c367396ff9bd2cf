internal import AsyncPrimitives
internal import CurlTransfers
internal import Registration
internal import Synchronization

/// A request in flight, shared by the calling task and the loop. Only the loop finishes it.
final class Transfer: LoopTransfer {
  let request: UpstreamRequest
  let share: Share
  /// The latest time for the loop to start the transfer. After that time, the loop finishes it as `unstarted`.
  let latestStart: ContinuousClock.Instant
  let deadline: ContinuousClock.Instant
  /// The reply for the caller. The loop fulfills it once for each submitted transfer.
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

  /// Marks the transfer as cancelled, so that the loop refuses it. After the loop has accepted it, only
  /// `TransferLoop.cancel` ends it.
  func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  func stopped() { finish(.unsent(.broken, "stopped")) }

  /// Resumes the caller. Only the first call counts.
  func finish(_ reply: UpstreamReply) { self.reply.fulfill(reply) }
}
