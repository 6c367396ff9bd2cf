package import FullScreen

/// Lays `regctl top` out as rows of text for a screen of a given size.
package struct TopView {
  let state: TopState
  let glyphs: Glyphs
  /// The last column stays empty: some terminals begin a new line when it is written.
  let width: Int
  let height: Int

  /// The smallest screen that has everything.
  package static let smallest = (columns: 80, rows: 24)

  package static func draw(_ state: TopState, columns: Int, rows: Int, _ glyphs: Glyphs) -> Drawing {
    let view = TopView(state: state, glyphs: glyphs, width: max(1, columns - 1), height: max(1, rows))
    let drawn = columns < smallest.columns || rows < smallest.rows ? view.tooSmall(columns, rows) : view.screen
    return Drawing(rows: drawn.prefix(view.height).map { glyphs.cut($0, columns: view.width) }, cursor: nil)
  }

  typealias Row = [Drawing.Span]

  private func tooSmall(_ columns: Int, _ rows: Int) -> [Row] {
    let words =
      "regctl top needs \(Self.smallest.columns) x \(Self.smallest.rows), this is \(columns) x \(rows); q quits"
    var lines = [""]
    for word in words.split(separator: " ") {
      if lines[lines.count - 1].count + 1 + word.count > width, !lines[lines.count - 1].isEmpty { lines.append("") }
      if !lines[lines.count - 1].isEmpty { lines[lines.count - 1] += " " }
      lines[lines.count - 1] += word
    }
    return lines.map { [.init($0, .bad)] }
  }

  private var screen: [Row] {
    // help needs the rows of the head
    var rows = state.showsHelp ? Array(head.prefix(1)) + [[]] + help : head
    if !state.showsHelp {
      rows += state.interval != nil ? tables(room: height - rows.count - 1) : [[.init("  " + waiting, .faint)]]
    }
    while rows.count < height - 1 { rows.append([]) }
    return rows.prefix(height - 1) + [keys]
  }

  private var waiting: String {
    switch state.link {
    case .connecting: "Connecting\(glyphs.ellipsis)"
    case .live: "Measuring for \(periodText)\(glyphs.ellipsis)"
    case .lost: ""
    }
  }

  /// The last row: what can be pressed.
  private var keys: Row {
    let words: [(key: String, does: String)] = [
      ("q", "quit"), ("h", "help"), ("p", state.isPaused ? "go on" : "pause"), ("s", "sort by"), ("r", "reverse"),
      ("u", "methods/users"), ("+ -", "interval"),
    ]
    return words.flatMap { [.init(" \($0.key)", .title), .init(" \($0.does) ", .faint)] }
  }

  private var help: [Row] {
    let lines = [
      ("q, Esc, Ctrl-C", "quit"), ("p, Space", "pause the screen, and go on"),
      ("s, >, Right", "sort by the next column"),
      ("S, <, Left", "sort by the column before"), ("r", "the other way round"),
      ("u", "to the table of users, and back: s, r and scrolling are its"),
      ("j, Down; k, Up", "scroll; Home goes to the top"),
      ("+, -", "twice and half the interval"), ("Ctrl-Z, Ctrl-L", "suspend; draw anew"),
      ("h, ?", "this help, and back"),
      ("", ""),
      ("REQ/S", "requests a second in the last interval, with those refused"),
      ("REFUSED/S", "those that were answered with an error"),
      ("P50, P99", "so many of 100 took at most as long; from regd's histogram"),
      ("-", "not measured: regd answered them where it read them"),
    ]
    return lines.map { key, text in
      [.init("  " + key + String(repeating: " ", count: max(0, 17 - key.count)), .title), .init(text)]
    }
  }

  // MARK: Tables

  /// How many rows each table has.
  private struct Layout {
    let methods: Int
    let users: Int
    let events: Int
  }

  /// Users get a third of the room if they fill it, methods what they fill of the rest, events where there is much of it.
  private func layout(room: Int) -> Layout {
    let events = room >= 20 ? min(state.events.count, room / 3) : 0
    // both headings and the row between them; of the events a blank row and a heading
    let left = max(2, room - 3 - (events > 0 ? events + 2 : 0))
    let users = min(state.users.count, max(2, left / 3))
    let methods = min(max(1, state.methods.count), left - users)
    return Layout(methods: methods, users: min(state.users.count, left - methods), events: events)
  }

  private func tables(room: Int) -> [Row] {
    let layout = layout(room: room)
    let events = state.events.suffix(layout.events).map { [Drawing.Span($0, .faint)] }
    return methodTable(rows: layout.methods) + [[]] + userTable(rows: layout.users)
      + (events.isEmpty ? [] : [[], [.init("EVENTS", .title)]] + events)
  }

  /// The part of a table that is scrolled to.
  func visible<Element>(_ rows: [Element], _ table: TopState.Table, room: Int) -> ArraySlice<Element> {
    let offset = state.focus == table ? min(state.offset, max(0, rows.count - room)) : 0
    return rows.dropFirst(offset).prefix(room)
  }

  /// How far the table with the focus can be scrolled on a screen of that size.
  package static func mostOffset(_ state: TopState, columns: Int, rows: Int, _ glyphs: Glyphs) -> Int {
    let view = TopView(state: state, glyphs: glyphs, width: max(1, columns - 1), height: max(1, rows))
    let layout = view.layout(room: rows - view.head.count - 1)
    return max(
      0, state.focus == .methods ? state.methods.count - layout.methods : state.users.count - layout.users)
  }
}
