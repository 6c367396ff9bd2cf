internal import JSONRPC
internal import NIOCore

/// What waits for a connection to take it: bytes that the channel has and could not send, and replies behind them.
///
/// Counts, and holds nothing. The channel is given one write at a time, so that what it has is known.
struct OutgoingQueue {
  enum Progress {
    /// Everything has been taken.
    case done
    case going
    /// Nothing has been taken for as long as is allowed.
    case stalled
  }

  /// Bytes that a connection may always have waiting, however much its user has.
  private static let share = 16_384

  private let limits: Limits
  private let account: PeerAccount
  /// Bytes of the write that the channel has.
  private var handedOver = 0
  /// Replies that wait behind it.
  private var waiting = 0
  /// What the account has been told.
  private var noted = 0
  private var isWatched = false
  private var isEnded = false
  private var left = 0
  private var lastProgress = NIODeadline.uptimeNanoseconds(0)

  init(_ limits: Limits, _ account: PeerAccount) {
    self.limits = limits
    self.account = account
  }

  /// Whether the channel has sent everything that it was given.
  var isEmpty: Bool { handedOver == 0 }

  /// Bytes that wait, sent in part or not.
  var total: Int { handedOver + waiting }

  private var isUserOver: Bool { account.queuedBytes - noted >= limits.queuedBytesPerUID }

  /// How many bytes of replies may wait behind what the channel has.
  var room: Int { (isUserOver ? Self.share : limits.queuedBytesPerConnection) - handedOver }

  /// How many bytes one more response may have.
  var roomForResponse: Int { isUserOver ? Self.share : limits.responseBytes }

  mutating func handOver(_ bytes: Int) { handedOver = bytes }

  /// The channel has sent everything that it was given.
  mutating func hasGone() { handedOver = 0 }

  /// Tells the account what waits now.
  mutating func note(waiting bytes: Int) {
    guard !isEnded else { return }
    waiting = bytes
    guard total != noted else { return }
    account.queue(total - noted)
    noted = total
  }

  /// The connection has gone: nothing waits, and nothing will.
  mutating func end() {
    handedOver = 0
    note(waiting: 0)
    isEnded = true
  }

  /// - Returns: Whether nobody looks after the progress yet.
  mutating func beginWatch(at now: NIODeadline) -> Bool {
    lastProgress = now
    defer { isWatched = true }
    return !isWatched
  }

  /// - Parameter bytes: What the peer has not taken yet, as far as that can be seen.
  mutating func progress(left bytes: Int, at now: NIODeadline) -> Progress {
    guard handedOver > 0 else {
      isWatched = false
      return .done
    }
    if bytes != left {
      left = bytes
      lastProgress = now
    }
    return now - lastProgress >= .seconds(Int64(limits.stalledSeconds)) ? .stalled : .going
  }
}
