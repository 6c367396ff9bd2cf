/// What a connection does next: told what has happened, it answers with one action. It holds no bytes and no descriptor, and
/// reads no clock.
struct ConnectionState: Equatable {
  enum Phase: CaseIterable {
    /// It is refused as soon as its first bytes have shown how its caller frames texts.
    case refusing
    /// Requests are taken.
    case open
    /// None is taken any more; what is in flight is answered, and what waits is sent.
    case ending
    /// All is sent, and the peer has a moment to read it: closing at once would discard what it has not read.
    case lingering
    /// Its descriptor is closed.
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

  /// What the kernel has for the connection, as far as is known.
  enum Input { case empty, ready, ended }

  /// Whether the kernel takes bytes, as far as is known.
  enum Output { case free, blocked }

  private(set) var phase: Phase
  private(set) var input = Input.empty
  private(set) var output = Output.free
  /// A read that brings less than it could does not show that nothing is left: there is an end or another boundary.
  private var hasBoundary = false
  /// It has asked for a turn, and not had it.
  private(set) var awaitsTurn = false
  /// The peer neither sends nor reads any more.
  private(set) var isPeerGone = false
  /// Whether the end of a refused connection leaves the peer time to read.
  private let lingers: Bool

  /// A connection whose requests are taken.
  init() { (phase, lingers) = (.open, true) }

  /// A connection that is refused.
  ///
  /// - Parameter lingers: Whether its caller gets a moment to show its framing, and to read why.
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

  /// The action, or a turn for it if the user has no time left in this round.
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
  /// What has happened to a connection.
  enum Event: Equatable {
    /// The kernel has news of the descriptor.
    case happened(News)
    /// The user's turn has come, and with it some time.
    case turn
    case read(Reading)
    /// What was ready was sent; `isAll` unless the kernel takes no more for now.
    case sent(isAll: Bool)
    /// The peer cannot be sent anything.
    case broken
    /// The time that its phase may take is over, or its peer has taken nothing for too long: a refusal is sent, and
    /// everything else closed.
    case expired
    /// Something else of what the connection has to do is other than before.
    case changed
  }

  struct News: OptionSet {
    let rawValue: UInt8
    /// There are bytes to read, or the end.
    static let input = News(rawValue: 1)
    /// The kernel takes bytes again.
    static let output = News(rawValue: 2)
    /// The peer neither sends nor reads any more.
    static let gone = News(rawValue: 4)
    /// A read ends at something although more is there to read: the end of the input, or a byte out of band.
    static let boundary = News(rawValue: 8)
  }

  enum Reading: Equatable {
    /// Bytes; unless `isAll`, there may be more, and behind a boundary in any case.
    case some(isAll: Bool)
    case nothing
    case end
    case broken
  }

  /// What there is to do, as the conversation and its queues have it.
  struct Work: OptionSet {
    let rawValue: UInt16
    /// The user has time left in this round.
    static let time = Work(rawValue: 1)
    /// Bytes or a batch that were begun may go on.
    static let left = Work(rawValue: 2)
    /// More bytes may be read.
    static let mayRead = Work(rawValue: 4)
    /// All bytes have been taken, and the last text may be.
    static let mayFinish = Work(rawValue: 8)
    /// Bytes to send.
    static let output = Work(rawValue: 16)
    /// Notifications that may be sent.
    static let notifications = Work(rawValue: 32)
    /// Requests without a reply.
    static let inFlight = Work(rawValue: 64)
    /// The conversation takes nothing more.
    static let ending = Work(rawValue: 128)
  }

  enum Action: Equatable {
    /// Nothing, until the next event.
    case rest
    /// Read once, and take what comes; then `read`.
    case read
    /// Read once, and look how the caller frames; then `read`.
    case readFraming
    /// Read once, and drop what comes; then `read`.
    case drop
    /// Go on with what was read before; then `changed`.
    case take
    /// Send what is ready; then `sent` or `broken`.
    case send
    /// Make notifications ready; then `changed`.
    case notify
    /// Make the refusal ready; then `changed`.
    case refuse
    /// Wait for a turn of the user; then `turn`.
    case awaitTurn
    /// Take the last text, which the end of the input ends; then `changed`.
    case finish
    /// Tell the peer that nothing follows; then `changed`, and `expired` in a second.
    case endSending
    /// Close the descriptor.
    case close
  }
}
