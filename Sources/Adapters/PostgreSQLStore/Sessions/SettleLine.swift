internal import FairSharing
internal import Registration
internal import Waiting

/// The callers that want changes in doubt to be settled. One of them settles on a session, on behalf of all who had come before it
/// began; who comes later is served by the next. So all of them together use one session at a time.
final class SettleLine: Sendable {
  private typealias Line = GroupLine<UInt32?, Origin?, Promise<StoreFailure?>>

  private let line = GroupLine<UInt32?, Origin?, Promise<StoreFailure?>>()

  /// - Parameters:
  ///   - isLate: Whether to ignore cancellation.
  ///   - settle: Settles all changes in doubt that have ended. Waits for none of them, because others wait for `settle`.
  func turn(
    of share: Share, evenIfLate isLate: Bool, _ settle: () async throws(StoreFailure) -> Void
  ) async throws(StoreFailure) {
    let outcome = Promise<StoreFailure?>()
    switch await line.join(of: share.uid, share.origin, outcome, evenIfLate: isLate) {
    case .cancelled: throw .cancelled
    case .followed: if let failure = await outcome.value() { throw failure }
    case .leads:
      defer { line.leave() }
      var followers: [Line.Follower] = []
      while let follower = line.next() { followers.append(follower) }
      let failure = await failure(of: settle)
      for follower in followers {
        follower.work.fulfill(failure)
        follower.end()
      }
      if let failure { throw failure }
    }
  }

  private func failure(of settle: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    do throws(StoreFailure) { try await settle() } catch { return error }
    return nil
  }
}
