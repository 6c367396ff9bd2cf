import Linux
import RehearsedUpstream
import Synchronization

/// Counts the moments that a server reports, and waits for them.
final class Moments: Sendable {
  private let counts = Mutex<[UpstreamServer.Moment.Kind: Int]>([:])
  private let reported: EventCounter

  init() throws { reported = try EventCounter() }

  var hook: UpstreamServer.RequestHook {
    { [self] moment in
      counts.withLock { $0[moment.kind, default: 0] += 1 }
      reported.signal()
    }
  }

  func seen(_ kind: UpstreamServer.Moment.Kind) -> Int { counts.withLock { $0[kind, default: 0] } }

  func wait(for kind: UpstreamServer.Moment.Kind, count: Int) { while seen(kind) < count { reported.wait() } }
}
