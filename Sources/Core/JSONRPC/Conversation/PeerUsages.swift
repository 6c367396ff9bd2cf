import Synchronization

/// The usage of every user that takes something of a server, and of some that do so no more.
package final class PeerUsages: Sendable {
  /// The usage of one user, or of several together.
  package struct Figures: Equatable, Sendable {
    package internal(set) var connections = 0
    /// Requests and notifications since the start.
    package internal(set) var requests: UInt64 = 0
    /// Requests that have no reply yet.
    package internal(set) var inFlight = 0
    /// Bytes of replies that wait to be taken.
    package internal(set) var queuedBytes = 0

    mutating func add(_ other: Figures) {
      connections += other.connections
      requests &+= other.requests
      inFlight += other.inFlight
      queuedBytes += other.queuedBytes
    }

    /// Present usage goes before past usage.
    fileprivate var size: (Int, Int, Int, UInt64) { (connections, inFlight, queuedBytes, requests) }
  }

  package struct Survey: Sendable {
    /// Those that take the most, by uid.
    package internal(set) var listed: [(uid: UInt32, figures: Figures)] = []
    /// How many more are known.
    package internal(set) var unlistedUsers = 0
    /// Totals of those, and of all that were forgotten.
    package internal(set) var unlisted = Figures()

    /// Totals of all users since the start.
    package var all: Figures { listed.reduce(into: unlisted) { $0.add($1.figures) } }
  }

  /// Users that are known without any search for some to forget.
  static let leastRoom = 1024

  private struct Guarded {
    var requestsPerSecond: Int
    var usages: [UInt32: PeerUsage] = [:]
    /// With so many, those that take nothing are forgotten. Half of it at most stays, so that a search is paid by as many
    /// new users.
    var room = PeerUsages.leastRoom
    var forgottenRequests: UInt64 = 0

    /// Forgets who takes nothing: nothing else knows its usage, and it has its whole rate again.
    mutating func forgetIdle(at now: ContinuousClock.Instant) {
      for uid in Array(usages.keys) {
        guard isKnownUniquelyReferenced(&usages[uid]), let usage = usages[uid], usage.isRested(at: now) else {
          continue
        }
        forgottenRequests &+= usage.requests
        usages[uid] = nil
      }
      room = max(PeerUsages.leastRoom, 2 * usages.count)
    }
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

  /// The usage of a user; the same object for as long as anything keeps it.
  package func usage(of uid: UInt32) -> PeerUsage {
    guarded.withLock { guarded in
      if let usage = guarded.usages[uid] { return usage }
      if guarded.usages.count >= guarded.room { guarded.forgetIdle(at: .now) }
      let usage = PeerUsage(uid: uid, requestsPerSecond: guarded.requestsPerSecond)
      guarded.usages[uid] = usage
      return usage
    }
  }

  /// Looks at all of them.
  ///
  /// - Parameter most: How many are listed one by one.
  package func survey(listing most: Int) -> Survey {
    var survey = Survey()
    let (usages, forgottenRequests) = guarded.withLock { (Array($0.usages.values), $0.forgottenRequests) }
    // read once: a sort by numbers that change meanwhile has no order
    var users = usages.map { (uid: $0.uid, figures: $0.figures) }
    if users.count > most { users.sort { $1.figures.size < $0.figures.size } }
    survey.listed = users.prefix(most).sorted { $0.uid < $1.uid }
    survey.unlistedUsers = users.count - survey.listed.count
    survey.unlisted.requests = forgottenRequests
    for user in users.dropFirst(most) { survey.unlisted.add(user.figures) }
    return survey
  }
}
