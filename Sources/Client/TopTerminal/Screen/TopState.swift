package import FullScreen

/// State of the screen of `regctl top`: the last snapshots, and what the user has chosen. Knows no terminal and no socket.
package struct TopState: Equatable, Sendable {
  package enum Link: Equatable, Sendable {
    case connecting
    case live
    /// regd has gone, or does not answer; the next attempt is in so many seconds.
    case lost(reason: String, retrySeconds: Double)
  }

  package enum Table: Sendable { case methods, users }

  /// What a key asks of the program.
  package enum Action: Equatable, Sendable {
    case quit, redraw, suspend, interrupt
  }

  /// Seconds between snapshots.
  package private(set) var period: Double
  package var link = Link.connecting
  package private(set) var isPaused = false
  package private(set) var showsHelp = false
  package private(set) var focus = Table.methods
  package private(set) var methodOrder = Sorting<MethodColumn>(.rate)
  package private(set) var userOrder = Sorting<UserColumn>(.rate)
  /// Rows of the table with the focus that are above the screen.
  package private(set) var offset = 0
  /// What is shown; nil until two snapshots have come.
  package private(set) var interval: Interval?
  package private(set) var snapshot: Snapshot?
  /// Requests a second in the last intervals, the latest one last.
  package private(set) var history: [Double] = []
  /// The last events, each as a line, the latest one last.
  package private(set) var events: [String] = []
  /// The last snapshot, also while another one is shown.
  private var latest: Snapshot?
  let socket: String
  /// Names of users, by uid; "" for who has none.
  package var names: [Int: String] = [:]

  /// Seconds that may be between snapshots.
  package static let periods = 0.5...60.0
  private static let longestHistory = 200
  private static let mostEvents = 50

  /// - Parameters:
  ///   - socket: Path of regd's socket, as it is shown.
  ///   - period: Seconds between snapshots; what is outside of `periods` counts as the nearest that is allowed.
  package init(socket: String, period: Double) {
    self.socket = socket
    self.period = min(max(period, Self.periods.lowerBound), Self.periods.upperBound)
  }

  /// Takes the next snapshot. While the screen is paused it changes nothing that is shown.
  package mutating func take(_ next: Snapshot) {
    defer { latest = next }
    link = .live
    let interval = latest.flatMap { Interval(from: $0, to: next) }
    // the counters began anew: what was before says nothing of this regd
    if latest != nil, interval == nil { history = [] }
    if let interval {
      history.append(interval.rate)
      history.removeFirst(max(0, history.count - Self.longestHistory))
    }
    guard !isPaused else { return }
    (snapshot, self.interval) = (next, interval)
  }

  /// Takes an event of regd's, as a line.
  package mutating func take(event: String) {
    events.append(event)
    events.removeFirst(max(0, events.count - Self.mostEvents))
  }

  /// regd is not there any more: the next snapshot is of another connection, and counts from there.
  package mutating func lose(_ reason: String, retrySeconds: Double) {
    link = .lost(reason: reason, retrySeconds: retrySeconds)
    latest = nil
  }

  /// - Returns: What the caller has to do; nil for nothing but to draw again.
  package mutating func press(_ key: Key) -> Action? {
    switch key {
    case .edit(.insert(let text)):
      for character in text { if let action = press(character) { return action } }
    case .edit(.left): moveOrder(by: -1)
    case .edit(.right): moveOrder(by: 1)
    case .edit(.home): offset = 0
    case .edit(.end), .edit(.backspace), .edit(.delete), .edit(.clear), .enter, .unreadable: break
    case .next: offset += 1
    case .previous: offset = max(0, offset - 1)
    case .redraw: return .redraw
    case .suspend: return .suspend
    case .interrupt: return .interrupt
    case .leave:
      guard showsHelp else { return .quit }
      showsHelp = false
    }
    return nil
  }

  private mutating func press(_ character: Character) -> Action? {
    switch character {
    case "q", "Q": return .quit
    case "h", "H", "?": showsHelp.toggle()
    case "p", "P", " ": isPaused.toggle()
    case "s", ">": moveOrder(by: 1)
    case "S", "<": moveOrder(by: -1)
    case "r", "R": if focus == .methods { methodOrder.reverse() } else { userOrder.reverse() }
    case "u", "U": switchTable()
    case "+": period = min(period * 2, Self.periods.upperBound)
    case "-": period = max(period / 2, Self.periods.lowerBound)
    case "j": offset += 1
    case "k": offset = max(0, offset - 1)
    default: break
    }
    return nil
  }

  private mutating func switchTable() {
    focus = focus == .methods ? .users : .methods
    offset = 0
  }

  private mutating func moveOrder(by step: Int) {
    if focus == .methods { methodOrder.move(by: step) } else { userOrder.move(by: step) }
    offset = 0
  }

  /// Keeps the offset where the table has rows; the view knows how many fit.
  package mutating func limitOffset(to most: Int) { offset = min(offset, max(0, most)) }
}

extension TopState {
  /// The methods in their order; of those without a request since regd's start none.
  var methods: [Interval.Method] {
    (interval?.methods ?? []).filter { $0.total > 0 }.sorted { left, right in
      let column = methodOrder.column
      let (first, second) = (column.value(left), column.value(right))
      if first != second { return (first > second) != methodOrder.isReversed }
      if left.total != right.total, column != .name { return left.total > right.total }
      return (left.name < right.name) != (column == .name && methodOrder.isReversed)
    }
  }

  /// The users in their order.
  var users: [Interval.User] {
    (interval?.users ?? []).sorted { left, right in
      let column = userOrder.column
      if column == .name, name(left) != name(right) { return (name(left) < name(right)) != userOrder.isReversed }
      let (first, second) = (column.value(left), column.value(right))
      if first != second { return (first > second) != userOrder.isReversed }
      return left.user.uid < right.user.uid
    }
  }

  func name(_ user: Interval.User) -> String { names[user.user.uid] ?? "" }
}
