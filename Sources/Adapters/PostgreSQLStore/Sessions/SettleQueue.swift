internal import AsyncPrimitives
internal import FairQueues
internal import Registration

/// The callers that want changes in doubt to be settled. One of them settles on a session, on behalf of all callers
/// that came before it began. The next one serves the later callers. So all of them together use one session at a time.
final class SettleQueue: Sendable {
  private enum Outcome: Sendable {
    case ended(StoreFailure?)
    /// The caller that settled on behalf of this one has given up.
    case again
  }

  private let queue = GroupCommitQueue<UInt32?, Origin?, Promise<Outcome>>()

  /// How many callers wait for their turn.
  var waiting: Int { queue.count }

  /// - Parameters:
  ///   - isLate: Whether to ignore cancellation.
  ///   - settle: Settles all changes in doubt that have ended. Waits for none of them, because others wait for `settle`.
  func turn(
    of share: Share, evenIfLate isLate: Bool, _ settle: () async throws(StoreFailure) -> Void
  ) async throws(StoreFailure) {
    while true {
      let outcome = Promise<Outcome>()
      switch await queue.join(of: share.uid, share.origin, outcome, evenIfLate: isLate) {
      case .cancelled: throw .cancelled
      case .followed:
        let ending = await outcome.value { if !isLate { outcome.fulfill(.ended(.cancelled)) } }
        guard case .ended(let failure) = ending else { continue }
        if let failure { throw failure }
      case .leads: if let failure = await lead(settle) { throw failure }
      }
      return
    }
  }

  private func lead(_ settle: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    defer { queue.leave() }
    var followers: [Promise<Outcome>] = []
    while let follower = queue.next() {
      followers.append(follower.work)
      // it waits for the outcome from here on, and may give up
      follower.end()
    }
    let failure = await failure(of: settle)
    for follower in followers { follower.fulfill(failure == .cancelled ? .again : .ended(failure)) }
    return failure
  }

  private func failure(of settle: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    do throws(StoreFailure) { try await settle() } catch { return error }
    return nil
  }
}
