import Glibc
import RehearsedNetworks
import RehearsedUpstream
import Synchronization

/// Counts the moments that a server reports, and waits for them.
final class Moments: Sendable {
  private let counts = Mutex<[UpstreamServer.Moment.Kind: Int]>([:])
  private let pipe: (reading: Int32, writing: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    pipe = (ends[0], ends[1])
  }

  deinit {
    close(pipe.reading)
    close(pipe.writing)
  }

  var hook: UpstreamServer.RequestHook {
    { [self] moment in
      counts.withLock { $0[moment.kind, default: 0] += 1 }
      var byte: UInt8 = 0
      send(pipe.writing, &byte, 1, Int32(MSG_NOSIGNAL))
    }
  }

  func seen(_ kind: UpstreamServer.Moment.Kind) -> Int { counts.withLock { $0[kind, default: 0] } }

  func wait(for kind: UpstreamServer.Moment.Kind, count: Int) {
    var byte: UInt8 = 0
    while seen(kind) < count { recv(pipe.reading, &byte, 1, 0) }
  }
}
