import Synchronization

/// The resources of a server that each user (uid) holds. A user that holds nothing is forgotten once there are too many
/// users.
package final class PeerQuotas: Sendable {
  /// The usage of one user, or of several together.
  package struct Figures: Equatable, Sendable {
    package internal(set) var connections = 0
    /// Requests and notifications since the start.
    package internal(set) var requests: UInt64 = 0
    /// Requests that have no reply yet.
    package internal(set) var inFlight = 0
    /// Bytes of replies that wait for clients to read them.
    package internal(set) var queuedBytes = 0

    mutating func add(_ other: Figures) {
      connections += other.connections
      requests &+= other.requests
      inFlight += other.inFlight
      queuedBytes += other.queuedBytes
    }

    /// Ranks figures by present usage, and equal ones by past requests.
    fileprivate var size: (Int, Int, Int, UInt64) { (connections, inFlight, queuedBytes, requests) }
  }

  package struct Survey: Sendable {
    /// The users with the largest usage, sorted by uid.
    package internal(set) var listed: [(uid: UInt32, figures: Figures)] = []
    /// How many further users are known.
    package internal(set) var unlistedUsers = 0
    /// Totals of the unlisted users and of all forgotten users.
    package internal(set) var unlisted = Figures()

    /// Totals of all users, forgotten ones included.
    package var all: Figures { listed.reduce(into: unlisted) { $0.add($1.figures) } }
  }

  /// While there are fewer users than this, no user is forgotten.
  static let leastRoom = 1024

  private struct Guarded {
    var requestsPerSecond: Int
    var quotas: [UInt32: PeerQuota] = [:]
    /// The number of users at which idle users are forgotten. After each search it is at least twice the number of
    /// users left, so that the searches take amortized constant time per new user.
    var room = PeerQuotas.leastRoom
    var forgottenRequests: UInt64 = 0

    /// Forgets idle users: those whose usage nothing else references, such as a connection, and whose token bucket is
    /// full.
    mutating func forgetIdle(at now: ContinuousClock.Instant) {
      for uid in Array(quotas.keys) {
        guard isKnownUniquelyReferenced(&quotas[uid]), let quota = quotas[uid], quota.isRested(at: now) else {
          continue
        }
        forgottenRequests &+= quota.requests
        quotas[uid] = nil
      }
      room = max(PeerQuotas.leastRoom, 2 * quotas.count)
    }
  }

  private let guarded: Mutex<Guarded>

  package init(_ limits: Limits) { guarded = Mutex(Guarded(requestsPerSecond: limits.requestsPerSecondPerUID)) }

  /// Applies other rate limits to all users.
  package func adopt(_ limits: Limits) {
    guarded.withLock { guarded in
      guarded.requestsPerSecond = limits.requestsPerSecondPerUID
      for quota in guarded.quotas.values { quota.adopt(requestsPerSecond: guarded.requestsPerSecond) }
    }
  }

  /// The usage of a user. The object remains the same while anything references it.
  package func quota(of uid: UInt32) -> PeerQuota {
    guarded.withLock { guarded in
      if let quota = guarded.quotas[uid] { return quota }
      if guarded.quotas.count >= guarded.room { guarded.forgetIdle(at: .now) }
      let quota = PeerQuota(uid: uid, requestsPerSecond: guarded.requestsPerSecond)
      guarded.quotas[uid] = quota
      return quota
    }
  }

  /// Surveys the usage of all users.
  ///
  /// - Parameter most: How many users are listed one by one.
  package func survey(listing most: Int) -> Survey {
    var survey = Survey()
    let (quotas, forgottenRequests) = guarded.withLock { (Array($0.quotas.values), $0.forgottenRequests) }
    // each value is read once: sorting by numbers that change meanwhile has no defined order
    var users = quotas.map { (uid: $0.uid, figures: $0.figures) }
    if users.count > most { users.sort { $1.figures.size < $0.figures.size } }
    survey.listed = users.prefix(most).sorted { $0.uid < $1.uid }
    survey.unlistedUsers = users.count - survey.listed.count
    survey.unlisted.requests = forgottenRequests
    for user in users.dropFirst(most) { survey.unlisted.add(user.figures) }
    return survey
  }
}
