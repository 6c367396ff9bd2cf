internal import Linux
internal import WireProtocols

/// Counts the bytes that wait for a peer: the rest (output that the kernel did not accept), and the replies after it.
/// Holds no bytes.
struct OutgoingQueue: ~Copyable {
  enum Progress {
    /// Everything has been taken.
    case done
    case going
    /// The peer has taken nothing for `stalledSeconds`.
    case stalled
  }

  /// Bytes that may wait on any connection, however many bytes wait for its user in all.
  private static let share = 16_384

  var limits: Limits
  private let quota: PeerQuota
  /// Bytes of the rest. Unchanged until the kernel has accepted them all.
  private var handedOver = 0
  /// Bytes of replies that wait after the rest.
  private var waiting = 0
  /// The bytes of this connection that `quota` currently counts for its user.
  private var counted = 0
  private var isWatched = false
  private var isEnded = false
  private var left = 0
  private var lastProgress = MonotonicInstant.now

  init(_ limits: Limits, _ quota: PeerQuota) {
    self.limits = limits
    self.quota = quota
  }

  /// Whether the kernel has accepted the whole rest.
  var isEmpty: Bool { handedOver == 0 }

  /// All waiting bytes: those of the rest and of the replies after it.
  var total: Int { handedOver + waiting }

  private var isUserOver: Bool { quota.queuedBytes - counted >= limits.queuedBytesPerUID }

  /// How many bytes of replies may wait after the rest.
  var room: Int { (isUserOver ? Self.share : limits.queuedBytesPerConnection) - handedOver }

  /// Whether notifications of this many bytes may go out. Notifications that would exceed the limit remain in the
  /// session, which limits them, until fewer bytes wait. Notifications larger than any limit go out when nothing else
  /// waits.
  ///
  /// - Parameter behind: Bytes of replies that wait after the rest.
  func takes(notifications bytes: Int, behind waiting: Int) -> Bool {
    handedOver + waiting == 0 || waiting + bytes <= room
  }

  /// How many bytes one more response may have.
  var roomForResponse: Int { isUserOver ? Self.share : limits.responseBytes }

  mutating func handOver(_ bytes: Int) { handedOver = bytes }

  /// Notes that the kernel has accepted the whole rest, whose bytes `handOver` counted.
  mutating func hasGone() { handedOver = 0 }

  /// Counts the bytes that wait now, both for the connection and for its user.
  mutating func update(waiting bytes: Int) {
    guard !isEnded else { return }
    waiting = bytes
    guard total != counted else { return }
    quota.queue(total - counted)
    counted = total
  }

  /// Removes all bytes from the counts. Later updates do nothing. Called when the connection closes.
  mutating func end() {
    handedOver = 0
    update(waiting: 0)
    isEnded = true
  }

  /// - Returns: Whether the connection must start the timer that checks the progress.
  mutating func beginWatch(at now: MonotonicInstant) -> Bool {
    lastProgress = now
    defer { isWatched = true }
    return !isWatched
  }

  /// - Parameter bytes: The bytes that the peer has not taken yet, as far as the kernel reports them.
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

/// Bytes that the kernel did not accept at once, and how many of them it has accepted since.
struct SendingRest: ~Copyable {
  private var bytes = SecureBuffer()
  private var sent = 0

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count - sent }
  var unsent: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes.bytes[sent...]) }

  /// - Parameter rest: Replaces the former rest, which the kernel has accepted.
  mutating func hold(_ rest: UnsafeRawBufferPointer) {
    removeAll()
    bytes.append(rest)
  }

  mutating func advance(by count: Int) {
    sent += count
    if sent == bytes.count { removeAll() }
  }

  mutating func removeAll() {
    bytes.removeAll()
    sent = 0
  }
}
