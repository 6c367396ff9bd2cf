internal import Registration
internal import Synchronization

/// A request on its way, as caller and loop both know it. The loop alone finishes it.
final class Transfer: Sendable {
  let request: UpstreamRequest
  let share: Share
  /// Where it has not begun by then it is not begun at all.
  let latestStart: ContinuousClock.Instant
  let deadline: ContinuousClock.Instant
  private let caller = Mutex<CheckedContinuation<UpstreamReply, Never>?>(nil)
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

  /// Before it is given to the loop.
  func await(_ continuation: CheckedContinuation<UpstreamReply, Never>) { caller.withLock { $0 = continuation } }

  /// For a transfer that the loop has not yet taken; one that it has is told of by `TransferLoop.cancel`.
  func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  /// Has the caller go on; only the first time counts.
  func finish(_ reply: UpstreamReply) {
    let continuation = caller.withLock { caller in
      defer { caller = nil }
      return caller
    }
    continuation?.resume(returning: reply)
  }
}
