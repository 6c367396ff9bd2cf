internal import FairQueues
internal import Registration

/// The queue of requests that wait for a connection: chooses the request to send next, and refuses a request whose user
/// has too many waiting. Has no clock, and does not block.
///
/// Users (uids) take turns, and so do each user's origins (the people for whom a front end calls). A user may use three
/// times as many connections as are free (the dynamic threshold of A. Choudhury and E. Hahne, "Dynamic queue length
/// thresholds for shared-memory packet switches", 1998). A single user therefore gets three quarters of all
/// connections, and some remain free for the next user. By the same rule, an origin may have three times as many
/// waiting requests as its user may still add.
struct TransferTurns<Element: Sendable>: Sendable {
  typealias User = UInt32?

  private let connections: Int
  private let maximumWaiting: Int
  private var waiting = FairQueue<User, Origin?, Element>()
  private var running: [User: Int] = [:]
  private(set) var runningCount = 0

  /// - Parameters:
  ///   - connections: How many may be in use at once. Must be 1 or more.
  ///   - maximumWaiting: How many requests of one user may wait. Must be 1 or more.
  init(connections: Int, maximumWaiting: Int) {
    self.connections = connections
    self.maximumWaiting = maximumWaiting
  }

  private static var threshold: Int { 3 }

  var waitingCount: Int { waiting.count }
  func runningCount(of share: Share) -> Int { running[share.uid] ?? 0 }

  /// Queues one request.
  ///
  /// - Returns: Whether the request now waits. It does not if its user or its origin has too many waiting already.
  mutating func append(_ element: Element, of share: Share) -> Bool {
    let room = maximumWaiting - waiting.count(of: share.uid)
    guard waiting.count(of: share.uid, share.origin) < Self.threshold * room else { return false }
    waiting.append(element, of: share.uid, share.origin)
    return true
  }

  /// Removes and returns the next request that may be sent, or nil if no request may. The request counts as running until `ended`.
  mutating func next() -> Element? {
    let free = connections - runningCount
    guard free > 0 else { return nil }
    let running = running
    guard let (user, element) = waiting.popFirst(where: { running[$0] ?? 0 < Self.threshold * free }) else {
      return nil
    }
    self.running[user, default: 0] += 1
    runningCount += 1
    return element
  }

  /// Frees the connection of a running request, which has ended.
  mutating func ended(of share: Share) {
    guard let count = running[share.uid] else { return }
    running[share.uid] = count > 1 ? count - 1 : nil
    runningCount -= 1
  }

  /// Removes a waiting request.
  ///
  /// - Returns: The removed request, or nil if no waiting request of this user and origin matches.
  mutating func withdraw(of share: Share, where isMeant: (Element) -> Bool) -> Element? {
    waiting.remove(of: share.uid, share.origin, where: isMeant)
  }
}
