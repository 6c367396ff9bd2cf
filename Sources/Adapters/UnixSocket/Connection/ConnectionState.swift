/// Decides a connection's next action after each event. Holds no bytes and no descriptor, and reads no clock.
struct ConnectionState: Equatable {
  enum Phase: CaseIterable {
    /// The connection is refused as soon as its first bytes show how the caller frames texts.
    case refusing
    /// Requests are taken.
    case open
    /// Takes no more requests, answers those in flight, and sends what waits.
    case ending
    /// All is sent, and the peer gets a moment to read it, because an immediate close would discard unread bytes.
    case lingering
    /// The connection's descriptor is closed.
    case closed

    var successors: Set<Phase> {
      switch self {
      case .refusing, .open: [.ending, .closed]
      case .ending: [.lingering, .closed]
      case .lingering: [.closed]
      case .closed: []
      }
    }
  }

  /// Whether the kernel has input for the connection, as far as is known.
  enum Input { case empty, ready, ended }

  /// Whether the kernel accepts bytes, as far as is known.
  enum Output { case free, blocked }

  private(set) var phase: Phase
  private(set) var input = Input.empty
  private(set) var output = Output.free
  /// Whether the kernel has reported a `News.boundary` since the socket was last empty. If so, a short read does not
  /// prove that the socket is empty, because the end of the input or another boundary may follow.
  private var hasBoundary = false
  /// Whether the connection waits for its user's turn.
  private(set) var awaitsTurn = false
  /// Whether the peer neither sends nor reads any more.
  private(set) var isPeerGone = false
  /// Whether the peer gets a moment to read the last bytes before the connection is closed.
  private let lingers: Bool

  /// Makes the state of a connection whose requests are taken.
  init() { (phase, lingers) = (.open, true) }

  /// Makes the state of a connection that is to be refused.
  ///
  /// - Parameter lingers: Whether the caller gets a moment to show its framing, and to read the error.
  init(refusedLingering lingers: Bool) { (phase, self.lingers) = (.refusing, lingers) }

  mutating func handle(_ event: Event, _ work: Work) -> Action {
    guard phase != .closed else { return .rest }
    switch event {
    case .happened(let news): note(news)
    case .turn: awaitsTurn = false
    case .read(.some(let isAll)): if isAll, !hasBoundary { input = .empty }
    case .read(.nothing): (input, hasBoundary) = (.empty, false)
    case .read(.end): input = .ended
    case .sent(let isAll): output = isAll ? .free : .blocked
    case .expired where phase == .refusing: return .refuse
    case .read(.broken), .broken, .expired: return close()
    case .changed: break
    }
    let action = next(work)
    return action == .rest && isPeerGone && !awaitsTurn ? close() : action
  }

  private mutating func note(_ news: News) {
    if news.contains(.input), input == .empty { input = .ready }
    if news.contains(.boundary) { hasBoundary = true }
    if news.contains(.output) { output = .free }
    if news.contains(.gone) { isPeerGone = true }
  }

  private mutating func next(_ work: Work) -> Action {
    if phase == .refusing || phase == .open, work.contains(.ending) { phase = .ending }
    switch phase {
    case .refusing:
      if !lingers || input == .ended { return .refuse }
      return input == .ready ? inTime(.readFraming, work) : .rest
    case .open: return reply(work) ?? takeOn(work)
    case .ending: return reply(work) ?? end(work)
    case .lingering:
      if input == .ended { return close() }
      return input == .ready ? inTime(.drop, work) : .rest
    case .closed: return .rest
    }
  }

  private mutating func reply(_ work: Work) -> Action? {
    if output == .free, work.contains(.output) { return .send }
    if work.contains(.notifications) { return .notify }
    return work.contains(.left) ? inTime(.take, work) : nil
  }

  private mutating func takeOn(_ work: Work) -> Action {
    switch input {
    case .ready: return work.contains(.mayRead) ? inTime(.read, work) : .rest
    case .ended:
      guard work.contains(.mayFinish) else { return .rest }
      phase = .ending
      return .finish
    case .empty: return .rest
    }
  }

  private mutating func end(_ work: Work) -> Action {
    if work.isDisjoint(with: [.inFlight, .output]), output == .free {
      guard input != .ended, lingers else { return close() }
      phase = .lingering
      return .endSending
    }
    return input == .ready ? inTime(.drop, work) : .rest
  }

  /// Returns the action, or `awaitTurn` if the user has no time left in this round.
  private mutating func inTime(_ action: Action, _ work: Work) -> Action {
    if work.contains(.time) { return action }
    guard !awaitsTurn else { return .rest }
    awaitsTurn = true
    return .awaitTurn
  }

  private mutating func close() -> Action {
    (phase, awaitsTurn) = (.closed, false)
    return .close
  }
}

extension ConnectionState {
  /// An event of a connection.
  enum Event: Equatable {
    /// The kernel has news of the descriptor.
    case happened(News)
    /// The user's turn has come: there is time for one more action.
    case turn
    case read(Reading)
    /// The ready bytes were sent. `isAll` is false if the kernel accepts no more for now.
    case sent(isAll: Bool)
    /// Nothing can be sent to the peer.
    case broken
    /// The phase has lasted too long. A connection that is yet to be refused is refused now. Any other is closed.
    case expired
    /// Something else has changed, on which the next action depends.
    case changed
  }

  struct News: OptionSet {
    let rawValue: UInt8
    /// There are bytes to read, or the end of the input.
    static let input = News(rawValue: 1)
    /// The kernel accepts bytes again.
    static let output = News(rawValue: 2)
    /// The peer neither sends nor reads any more.
    static let gone = News(rawValue: 4)
    /// The next read may return fewer bytes than have arrived, because it stops at the end of the input or at an
    /// out-of-band byte. Bytes after that point need another read.
    static let boundary = News(rawValue: 8)
  }

  enum Reading: Equatable {
    /// Bytes. More bytes may follow unless `isAll` is true. After a boundary, they may follow even then.
    case some(isAll: Bool)
    case nothing
    case end
    case broken
  }

  /// The kinds of work that wait, and the conditions for doing it.
  struct Work: OptionSet {
    let rawValue: UInt16
    /// The user has time left in this round.
    static let time = Work(rawValue: 1)
    /// Bytes that were read, or a batch, may be continued.
    static let left = Work(rawValue: 2)
    /// More bytes may be read.
    static let mayRead = Work(rawValue: 4)
    /// All bytes that were read are processed, so that the end of the input may end the last text.
    static let mayFinish = Work(rawValue: 8)
    /// Bytes to send.
    static let output = Work(rawValue: 16)
    /// Notifications that may be sent.
    static let notifications = Work(rawValue: 32)
    /// Requests without a reply.
    static let inFlight = Work(rawValue: 64)
    /// The conversation takes no more requests.
    static let ending = Work(rawValue: 128)
  }

  /// The next action. Each case names the event that the connection passes to `handle` after the action.
  enum Action: Equatable {
    /// Do nothing until the next event.
    case rest
    /// Read once, and process the bytes. Report `read`.
    case read
    /// Read once, and detect the caller's framing. Report `read`.
    case readFraming
    /// Read once, and discard the bytes. Report `read`.
    case drop
    /// Continue with bytes that were read before. Report `changed`.
    case take
    /// Send what is ready. Report `sent` or `broken`.
    case send
    /// Write notifications to the output. Report `changed`.
    case notify
    /// Write the refusal to the output. Report `changed`.
    case refuse
    /// Wait for the user's turn. Report `turn`.
    case awaitTurn
    /// Process the last text, which ends with the input. Report `changed`.
    case finish
    /// Shut the sending side down. Report `changed`, and a second later `expired`.
    case endSending
    /// Close the descriptor.
    case close
  }
}
