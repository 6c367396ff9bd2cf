import Synchronization

/// The usage of every user that has connected since the start.
package final class PeerUsages: Sendable {
  private let requestsPerSecond: Int
  private let usages = Mutex<[UInt32: PeerUsage]>([:])

  package init(_ limits: Limits) { requestsPerSecond = limits.requestsPerSecondPerUID }

  /// The usage of a user; the same object for as long as the server lives.
  package func usage(of uid: UInt32) -> PeerUsage {
    usages.withLock { usages in
      if let usage = usages[uid] { return usage }
      let usage = PeerUsage(uid: uid, requestsPerSecond: requestsPerSecond)
      usages[uid] = usage
      return usage
    }
  }

  /// All of them, by uid.
  package var all: [PeerUsage] { usages.withLock { $0.values.sorted { $0.uid < $1.uid } } }
}
