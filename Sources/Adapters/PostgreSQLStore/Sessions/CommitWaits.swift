internal import FairSharing
internal import Registration
internal import Waiting

/// The callers who wait for the commits that are under way. One of them waits on a session, on behalf of all who had come before it
/// began; who comes later is served by the next. So all of them together use one session at a time.
final class CommitWaits: Sendable {
  private enum Outcome: Sendable {
    case ended(StoreFailure?)
    /// The caller who waited on behalf of this one has given up.
    case again
  }

  private let line = GroupLine<UInt32?, Origin?, Promise<Outcome>>()

  /// How many callers wait for their turn.
  var waiting: Int { line.count }

  /// - Parameter wait: Waits for the commits that are under way when it is called.
  func turn(
    of share: Share, _ wait: () async throws(StoreFailure) -> Void
  ) async throws(StoreFailure) {
    while true {
      let outcome = Promise<Outcome>()
      switch await line.join(of: share.uid, share.origin, outcome, evenIfLate: false) {
      case .cancelled: throw .cancelled
      case .followed:
        guard case .ended(let failure) = await outcome.value(onCancel: { outcome.fulfill(.ended(.cancelled)) })
        else { continue }
        if let failure { throw failure }
      case .leads: if let failure = await lead(wait) { throw failure }
      }
      return
    }
  }

  private func lead(_ wait: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    defer { line.leave() }
    var followers: [Promise<Outcome>] = []
    while let follower = line.next() {
      followers.append(follower.work)
      // it waits for the outcome from here on, and may give up
      follower.end()
    }
    let failure = await failure(of: wait)
    for follower in followers { follower.fulfill(failure == .cancelled ? .again : .ended(failure)) }
    return failure
  }

  private func failure(of wait: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    do throws(StoreFailure) { try await wait() } catch { return error }
    return nil
  }
}
