package import FullScreen
package import Localization

/// Lays `regctl top` out as rows of text for a screen of a given size.
package struct TopView {
  let state: TopState
  let glyphs: Glyphs
  let language: Language
  /// The columns that are used. The last column remains empty, because some terminals begin a new line when it is written.
  let width: Int
  let height: Int

  /// The smallest screen that has room for everything.
  package static let smallest = (columns: 80, rows: 24)

  package static func draw(
    _ state: TopState, columns: Int, rows: Int, _ glyphs: Glyphs, _ language: Language = .english
  ) -> Drawing {
    let view = TopView(
      state: state, glyphs: glyphs, language: language, width: max(1, columns - 1), height: max(1, rows))
    let drawn = columns < smallest.columns || rows < smallest.rows ? view.tooSmall(columns, rows) : view.screen
    return Drawing(rows: drawn.prefix(view.height).map { glyphs.cut($0, columns: view.width) }, cursor: nil)
  }

  typealias Row = [Drawing.Span]

  private func tooSmall(_ columns: Int, _ rows: Int) -> [Row] {
    let words = language.text(
      of: LocalizedMessage(
        TopMessageKey.tooSmall,
        ["needed": "\(Self.smallest.columns) x \(Self.smallest.rows)", "size": "\(columns) x \(rows)"]))
    return glyphs.wrapped(words, columns: width).map { [.init(glyphs.isolated($0.text, language), .bad)] }
  }

  /// A text in the user's language, as a Unicode isolate, because its direction may differ from the row's.
  func said(_ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) -> String {
    glyphs.isolated(language.text(of: LocalizedMessage(key, values)), language)
  }

  private var screen: [Row] {
    // the help replaces the tables, and all rows of the head except the first
    var rows = state.showsHelp ? Array(head.prefix(1)) + [[]] + help : head
    if !state.showsHelp {
      rows += state.interval != nil ? tables(room: height - rows.count - 1) : [[.init("  " + waiting, .faint)]]
    }
    while rows.count < height - 1 { rows.append([]) }
    return rows.prefix(height - 1) + [keys]
  }

  private var waiting: String {
    switch state.link {
    case .connecting: said(TopMessageKey.connecting) + glyphs.ellipsis
    case .live: said(TopMessageKey.measuring, ["time": .text(periodText)]) + glyphs.ellipsis
    case .lost: ""
    }
  }

  /// The last row: the keys that can be pressed.
  private var keys: Row {
    let words: [(key: String, does: TopKey)] = [
      ("q", .quit), ("h", .help), ("p", state.isPaused ? .goOn : .pause), ("s", .sortBy), ("r", .reverse),
      ("u", .tables), ("+ -", .interval),
    ]
    return words.flatMap { [.init(" \($0.key)", .title), .init(" \(said($0.does)) ", .faint)] }
  }

  private var help: [Row] {
    let keys: [(String, TopKey)] = [
      ("q, Esc, Ctrl-C", .quit), ("p, Space", .pauseLong), ("s, >, Right", .next), ("S, <, Left", .previous),
      ("r", .reverseLong), ("u", .tablesLong), ("j, Down; k, Up", .scroll), ("+, -", .intervalLong),
      ("Ctrl-Z, Ctrl-L", .suspend), ("h, ?", .helpLong),
    ]
    let figures: [(String, TopKey)] = [
      (said(TopHeading.rate), .rate), (said(TopHeading.refused), .refused),
      ("\(said(TopHeading.p50)), \(said(TopHeading.p99))", .quantiles), ("-", .notMeasured),
    ]
    func row(_ name: String, _ meaning: TopKey) -> Row { [.init("  " + left(name, 17), .title), .init(said(meaning))] }
    return keys.map(row) + [[]] + figures.map(row)
  }

  // MARK: Tables

  /// The number of rows of each table.
  private struct Layout {
    let methods: Int
    let users: Int
    let events: Int
  }

  /// Divides the rows. Events get up to a third if there are 20 rows or more. Users then get up to a third of the
  /// remaining rows, and methods get the rest. Rows that methods do not need go to users.
  private func layout(room: Int) -> Layout {
    let events = room >= 20 ? min(state.events.count, room / 3) : 0
    // the two headings and the row between the tables, and for events, also a blank row and a heading
    let left = max(2, room - 3 - (events > 0 ? events + 2 : 0))
    let users = min(state.users.count, max(2, left / 3))
    let methods = min(max(1, state.methods.count), left - users)
    return Layout(methods: methods, users: min(state.users.count, left - methods), events: events)
  }

  private func tables(room: Int) -> [Row] {
    let layout = layout(room: room)
    let events = state.events.suffix(layout.events).map { [Drawing.Span($0, .faint)] }
    return methodTable(rows: layout.methods) + [[]] + userTable(rows: layout.users)
      + (events.isEmpty ? [] : [[], [.init(said(TopMessageKey.events), .title)]] + events)
  }

  /// The visible part of a table, after scrolling.
  func visible<Element>(_ rows: [Element], _ table: TopState.Table, room: Int) -> ArraySlice<Element> {
    let offset = state.focus == table ? min(state.offset, max(0, rows.count - room)) : 0
    return rows.dropFirst(offset).prefix(room)
  }

  /// How far the focused table can be scrolled on a screen of this size.
  package static func mostOffset(
    _ state: TopState, columns: Int, rows: Int, _ glyphs: Glyphs, _ language: Language = .english
  ) -> Int {
    let view = TopView(
      state: state, glyphs: glyphs, language: language, width: max(1, columns - 1), height: max(1, rows))
    let layout = view.layout(room: rows - view.head.count - 1)
    return max(
      0, state.focus == .methods ? state.methods.count - layout.methods : state.users.count - layout.users)
  }
}
