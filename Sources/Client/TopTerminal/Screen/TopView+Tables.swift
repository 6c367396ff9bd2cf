internal import FullScreen
internal import Localization

/// The tables of methods and of users.
extension TopView {
  private static let nameWidth = 24
  private static let numberWidth = 11

  func methodTable(rows room: Int) -> [Row] {
    let all = state.methods
    guard !all.isEmpty else {
      return [heading(MethodColumn.self, room: room), [.init("  \(said(TopMessageKey.noRequest))", .faint)]]
    }
    let most = all.map(\.rate).max() ?? 0
    return [heading(MethodColumn.self, room: room)]
      + visible(all, .methods, room: room).map { method in
        var row: Row = [
          .init(left(method.name, Self.nameWidth), method.rate > 0 ? .plain : .faint),
          .init(right(rate(method.rate)), method.rate > 0 ? .title : .faint),
          .init(right(rate(method.refusedRate)), method.refusedRate > 0 ? .warning : .faint),
          .init(right(text(method.latencies.quantile(0.5)))), .init(right(text(method.latencies.quantile(0.99)))),
          .init(right(Figures.count(Int(min(method.total, 1e15)))), .faint),
        ]
        if wide > 0 { row += [.init("  ")] + share(method.rate, of: most, method.reason) }
        return row
      }
  }

  /// The number of free columns to the right of both tables, or 0 if there are too few for a bar.
  private var wide: Int {
    let free = width - Self.nameWidth - 5 * Self.numberWidth - 2
    return free >= 16 ? free : 0
  }

  /// A bar relative to the busiest method, and the most frequent reason for refusals.
  private func share(_ rate: Double, of most: Double, _ reason: String?) -> Row {
    let columns = min(40, max(8, wide - 28))
    let bar = bar(rate > 0 ? rate / max(most, rate) : 0, columns: columns, .good, empty: " ")
    guard let reason, wide - columns >= 12 else { return bar }
    return bar + [.init(" \(reason)", .warning)]
  }

  func userTable(rows room: Int) -> [Row] {
    let all = state.users
    let most = all.map(\.rate).max() ?? 0
    return [heading(UserColumn.self, room: room)]
      + visible(all, .users, room: room).map { user in
        let name = state.name(user)
        let named = name.isEmpty ? said(TopMessageKey.uid, ["uid": "\(user.user.uid)"]) : "\(name) (\(user.user.uid))"
        var row: Row = [
          .init(left(named, Self.nameWidth)), .init(right(rate(user.rate)), user.rate > 0 ? .title : .faint),
          .init(right(Figures.count(user.user.connections))), .init(right(Figures.count(user.user.inFlight))),
          .init(right(Figures.bytes(user.user.queuedBytes)), user.user.queuedBytes > 0 ? .warning : .faint),
          .init(right(Figures.count(user.user.requests)), .faint),
        ]
        if wide > 0 { row += [.init("  ")] + share(user.rate, of: most, nil) }
        return row
      }
  }

  // MARK: Headings

  private func heading(_ columns: MethodColumn.Type, room: Int) -> Row {
    heading(
      MethodColumn.allCases.map { (said($0.title), $0 == state.methodOrder.column, state.methodOrder.isReversed) },
      hasFocus: state.focus == .methods, part(visible(state.methods, .methods, room: room), of: state.methods.count))
  }

  private func heading(_ columns: UserColumn.Type, room: Int) -> Row {
    heading(
      UserColumn.allCases.map { (said($0.title), $0 == state.userOrder.column, state.userOrder.isReversed) },
      hasFocus: state.focus == .users, part(visible(state.users, .users, room: room), of: state.users.count))
  }

  private func heading(_ columns: [(title: String, isSorted: Bool, isReversed: Bool)], hasFocus: Bool, _ part: String)
    -> Row
  {
    var text = ""
    for (index, column) in columns.enumerated() {
      // names rise, numbers fall
      let rises = (index == 0) != column.isReversed
      let mark = column.isSorted ? (rises ? glyphs.sorted.rising : glyphs.sorted.falling) : ""
      text += index == 0 ? left(column.title + mark + part, Self.nameWidth) : right(column.title + mark)
    }
    return [
      .init(
        text + String(repeating: " ", count: max(0, width - glyphs.cells(text).columns)), hasFocus ? .heading : .title)
    ]
  }

  /// Which rows of a table are on the screen, or "" if all are.
  private func part<Element>(_ shown: ArraySlice<Element>, of all: Int) -> String {
    guard shown.count < all else { return "" }
    let part = said(
      TopMessageKey.part,
      ["first": .number(shown.startIndex + 1), "last": .number(shown.endIndex), "all": .number(all)])
    return "  \(part)"
  }

  // MARK: Cells

  func left(_ text: String, _ columns: Int) -> String {
    let cells = glyphs.cells(text).prefix(columns: columns - 1)
    return cells.text + String(repeating: " ", count: columns - cells.columns)
  }

  private func right(_ text: String) -> String {
    let cells = glyphs.cells(text).prefix(columns: Self.numberWidth - 1)
    return String(repeating: " ", count: Self.numberWidth - cells.columns) + cells.text
  }

  private func rate(_ rate: Double) -> String { Figures.short(rate) }

  func text(_ quantile: LatencyBuckets.Quantile?) -> String {
    switch quantile {
    case nil: "-"
    case .seconds(let seconds): Figures.duration(seconds)
    case .above(let seconds): "> \(Figures.duration(seconds))"
    }
  }

  /// A bar of this many columns, filled to a share of 0 to 1.
  ///
  /// - Parameter empty: The symbol for the empty part, or nil for a dot.
  func bar(_ share: Double, columns: Int, _ style: Drawing.Style, empty: String? = nil) -> Row {
    let steps = glyphs.parts.count - 1
    let full = Int((min(max(share, 0), 1) * Double(columns * steps)).rounded())
    let done = String(repeating: glyphs.parts[steps], count: full / steps) + glyphs.parts[full % steps]
    let rest = columns - full / steps - (full % steps > 0 ? 1 : 0)
    return [.init(done, style), .init(String(repeating: empty ?? glyphs.empty, count: rest), .faint)]
  }
}
