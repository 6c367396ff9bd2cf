import Synchronization

/// The usage of every user that has connected since the start.
package final class PeerUsages: Sendable {
  private struct Guarded {
    var requestsPerSecond: Int
    var usages: [UInt32: PeerUsage] = [:]
  }

  private let guarded: Mutex<Guarded>

  package init(_ limits: Limits) { guarded = Mutex(Guarded(requestsPerSecond: limits.requestsPerSecondPerUID)) }

  /// Limits the rates of all users otherwise.
  package func adopt(_ limits: Limits) {
    guarded.withLock { guarded in
      guarded.requestsPerSecond = limits.requestsPerSecondPerUID
      for usage in guarded.usages.values { usage.adopt(requestsPerSecond: guarded.requestsPerSecond) }
    }
  }

  /// The usage of a user; the same object for as long as the server lives.
  package func usage(of uid: UInt32) -> PeerUsage {
    guarded.withLock { guarded in
      if let usage = guarded.usages[uid] { return usage }
      let usage = PeerUsage(uid: uid, requestsPerSecond: guarded.requestsPerSecond)
      guarded.usages[uid] = usage
      return usage
    }
  }

  /// All of them, by uid.
  package var all: [PeerUsage] { guarded.withLock { $0.usages.values.sorted { $0.uid < $1.uid } } }
}
