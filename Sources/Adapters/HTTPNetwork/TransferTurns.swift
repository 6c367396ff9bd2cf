internal import FairSharing
internal import Registration

/// Which request is sent next, and which is refused a place in the queue. A value without a clock and without waiting.
///
/// Users take turns, and each user's origins among themselves. How many connections one user may have depends on how many
/// are free: three times as many (the dynamic threshold of A. Choudhury and E. Hahne, "Dynamic queue length thresholds for
/// shared-memory packet switches", 1998). So one user alone has three quarters of them, and some are free for whoever
/// comes next. By the same rule an origin may have waiting what its user has still room for.
struct TransferTurns<Element: Sendable>: Sendable {
  typealias User = UInt32?

  private let connections: Int
  private let maximumWaiting: Int
  private var waiting = FairQueue<User, Origin?, Element>()
  private var running: [User: Int] = [:]
  private(set) var runningCount = 0

  /// - Parameters:
  ///   - connections: That may be in use at once; 1 or more.
  ///   - maximumWaiting: What one user may have waiting at most; 1 or more.
  init(connections: Int, maximumWaiting: Int) {
    self.connections = connections
    self.maximumWaiting = maximumWaiting
  }

  private static var threshold: Int { 3 }

  var waitingCount: Int { waiting.count }
  func runningCount(of share: Share) -> Int { running[share.uid] ?? 0 }

  /// Lets one wait for its turn.
  ///
  /// - Returns: Whether it waits; false if its user, or its origin, has too many waiting already.
  mutating func append(_ element: Element, of share: Share) -> Bool {
    let room = maximumWaiting - waiting.count(of: share.uid)
    guard waiting.count(of: share.uid, share.origin) < Self.threshold * room else { return false }
    waiting.append(element, of: share.uid, share.origin)
    return true
  }

  /// The next that may be sent; it is running then, until `ended`.
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

  /// One that was running is not any more.
  mutating func ended(of share: Share) {
    guard let count = running[share.uid] else { return }
    running[share.uid] = count > 1 ? count - 1 : nil
    runningCount -= 1
  }

  /// Takes back one that waits.
  ///
  /// - Returns: Nil if none of the share is meant.
  mutating func withdraw(of share: Share, where isMeant: (Element) -> Bool) -> Element? {
    waiting.remove(of: share.uid, share.origin, where: isMeant)
  }
}
