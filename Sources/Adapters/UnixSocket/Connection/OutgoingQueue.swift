internal import JSONRPC
internal import Linux

/// Counts the bytes that wait for a peer to take them: the rest that the kernel did not take, and the replies behind it. It
/// holds none of them.
struct OutgoingQueue: ~Copyable {
  enum Progress {
    /// Everything has been taken.
    case done
    case going
    /// The peer has taken nothing for `stalledSeconds`.
    case stalled
  }

  /// Bytes that a connection may always have waiting, however much its user has.
  private static let share = 16_384

  var limits: Limits
  private let usage: PeerUsage
  /// Bytes of the rest, sent since or not.
  private var handedOver = 0
  /// Replies that wait behind it.
  private var waiting = 0
  /// Bytes that are counted among the user's.
  private var counted = 0
  private var isWatched = false
  private var isEnded = false
  private var left = 0
  private var lastProgress = MonotonicInstant.now

  init(_ limits: Limits, _ usage: PeerUsage) {
    self.limits = limits
    self.usage = usage
  }

  /// Whether there is no rest.
  var isEmpty: Bool { handedOver == 0 }

  /// Bytes that wait, sent in part or not.
  var total: Int { handedOver + waiting }

  private var isUserOver: Bool { usage.queuedBytes - counted >= limits.queuedBytesPerUID }

  /// How many bytes of replies may wait behind the rest.
  var room: Int { (isUserOver ? Self.share : limits.queuedBytesPerConnection) - handedOver }

  /// Whether notifications may go out that have so many bytes: those that would exceed the limit stay with the session, which has a
  /// limit for them, until less waits. What no limit has room for goes when nothing else waits.
  ///
  /// - Parameter behind: Bytes of replies that wait behind the rest.
  func takes(notifications bytes: Int, behind waiting: Int) -> Bool {
    handedOver + waiting == 0 || waiting + bytes <= room
  }

  /// How many bytes one more response may have.
  var roomForResponse: Int { isUserOver ? Self.share : limits.responseBytes }

  mutating func handOver(_ bytes: Int) { handedOver = bytes }

  /// The rest has been sent.
  mutating func hasGone() { handedOver = 0 }

  /// Counts what waits now, for the connection and for its user.
  mutating func update(waiting bytes: Int) {
    guard !isEnded else { return }
    waiting = bytes
    guard total != counted else { return }
    usage.queue(total - counted)
    counted = total
  }

  /// Counts nothing any more, because the connection has gone.
  mutating func end() {
    handedOver = 0
    update(waiting: 0)
    isEnded = true
  }

  /// - Returns: Whether the caller is to start the timer that looks at the progress.
  mutating func beginWatch(at now: MonotonicInstant) -> Bool {
    lastProgress = now
    defer { isWatched = true }
    return !isWatched
  }

  /// - Parameter bytes: What the peer has not taken yet, as far as the kernel tells.
  mutating func progress(left bytes: Int, at now: MonotonicInstant) -> Progress {
    guard handedOver > 0 else {
      isWatched = false
      return .done
    }
    if bytes != left {
      left = bytes
      lastProgress = now
    }
    return now - lastProgress >= .seconds(limits.stalledSeconds) ? .stalled : .going
  }
}
