internal import FairSharing
internal import Registration
internal import Waiting

/// The callers who wait for the commits that are under way. One of them waits on a session, on behalf of all who had come before it
/// began; who comes later is served by the next. So all of them together use one session at a time.
final class CommitWaits: Sendable {
  private let line = GroupLine<UInt32?, Origin?, Promise<StoreFailure?>>()

  /// - Parameter wait: Waits for the commits that are under way when it is called.
  func turn(
    of share: Share, _ wait: () async throws(StoreFailure) -> Void
  ) async throws(StoreFailure) {
    let outcome = Promise<StoreFailure?>()
    switch await line.join(of: share.uid, share.origin, outcome, evenIfLate: false) {
    case .cancelled: throw .cancelled
    case .followed: if let failure = await outcome.value() { throw failure }
    case .leads:
      defer { line.leave() }
      var followers: [GroupLine<UInt32?, Origin?, Promise<StoreFailure?>>.Follower] = []
      while let follower = line.next() { followers.append(follower) }
      let failure = await failure(of: wait)
      for follower in followers {
        follower.work.fulfill(failure)
        follower.end()
      }
      if let failure { throw failure }
    }
  }

  private func failure(of wait: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    do throws(StoreFailure) { try await wait() } catch { return error }
    return nil
  }
}
