package import FullScreen

/// The state of the screen of `regctl top`: the last snapshots, and the user's choices. It does no I/O.
package struct TopState: Equatable, Sendable {
  package enum Link: Equatable, Sendable {
    case connecting
    case live
    /// regd has gone, or does not answer. The next attempt is in this many seconds.
    case lost(reason: String, retrySeconds: Double)
  }

  package enum Table: Sendable { case methods, users }

  /// The effect of a key on the program.
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
  /// How many of the focused table's rows are scrolled away above the visible ones.
  package private(set) var offset = 0
  /// The interval on the screen, or nil until two snapshots have come.
  package private(set) var interval: Interval?
  package private(set) var snapshot: Snapshot?
  /// Requests per second in the last intervals, the latest one last.
  package private(set) var history: [Double] = []
  /// The last events, one line each, the latest one last.
  package private(set) var events: [String] = []
  /// The last snapshot, even while a paused screen shows an older one, or nil since regd became unreachable.
  private var latest: Snapshot?
  let socket: String
  /// Names of users by uid, with "" for a user without a name.
  package var names: [Int: String] = [:]

  /// The allowed seconds between snapshots.
  package static let periods = 0.5...60.0
  private static let longestHistory = 200
  private static let mostEvents = 50

  /// - Parameters:
  ///   - socket: The path of regd's socket, for display.
  ///   - period: Seconds between snapshots, limited to `periods`.
  package init(socket: String, period: Double) {
    self.socket = socket
    self.period = min(max(period, Self.periods.lowerBound), Self.periods.upperBound)
  }

  /// Takes the next snapshot. While the screen is paused, its numbers and tables do not change. Only the chart of rates
  /// continues.
  package mutating func take(_ next: Snapshot) {
    defer { latest = next }
    link = .live
    let interval = latest.flatMap { Interval(from: $0, to: next) }
    // regd has restarted, and the history belongs to the regd before
    if latest != nil, interval == nil { history = [] }
    if let interval {
      history.append(interval.rate)
      history.removeFirst(max(0, history.count - Self.longestHistory))
    }
    guard !isPaused else { return }
    (snapshot, self.interval) = (next, interval)
  }

  /// Takes an event of regd, as a line.
  package mutating func take(event: String) {
    events.append(event)
    events.removeFirst(max(0, events.count - Self.mostEvents))
  }

  /// Shows that regd is unreachable. The next snapshot begins a new interval, because it may come from another regd.
  package mutating func lose(_ reason: String, retrySeconds: Double) {
    link = .lost(reason: reason, retrySeconds: retrySeconds)
    latest = nil
  }

  /// - Returns: The action for the caller, or nil if the caller only has to redraw.
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

  /// Limits the offset to `most`, which depends on the table and the screen's size (`TopView.mostOffset`).
  package mutating func limitOffset(to most: Int) { offset = min(offset, max(0, most)) }
}

extension TopState {
  /// The methods in the chosen order, without those that had no request since regd's start.
  var methods: [Interval.Method] {
    (interval?.methods ?? []).filter { $0.total > 0 }.sorted { left, right in
      let column = methodOrder.column
      let (first, second) = (column.value(left), column.value(right))
      if first != second { return (first > second) != methodOrder.isReversed }
      if left.total != right.total, column != .name { return left.total > right.total }
      return (left.name < right.name) != (column == .name && methodOrder.isReversed)
    }
  }

  /// The users in the chosen order.
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
