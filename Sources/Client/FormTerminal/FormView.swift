package import FullScreen

/// Lays a form out as rows of text for a screen of a given size.
package struct FormView {
  private let form: ShownForm
  private let glyphs: Glyphs
  /// The last column stays empty: some terminals begin a new line when it is written.
  private let lastColumn: Int
  private let height: Int

  package static func draw(_ form: ShownForm, columns: Int, rows: Int, _ glyphs: Glyphs) -> Drawing {
    FormView(form: form, glyphs: glyphs, lastColumn: max(0, columns - 1), height: max(1, rows)).drawing
  }

  /// A row, with its priority where the screen has too few rows.
  private struct Row {
    enum Rank: Int, Comparable {
      case blank, hint, title, more, problem, button, field, news, focused

      static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    let rank: Rank
    var spans: [Drawing.Span] = []
    /// Column of the cursor; nil in rows without it.
    var cursor = 0
  }

  private static let mark = "> "
  private static let keys = "Enter: go on  Esc: leave  Tab, Shift-Tab: to and fro  Ctrl-U: clear"
  private static let widestField = 48

  private var width: Int { max(1, lastColumn) }
  private var screen: FormScreen { form.screen }

  private var drawing: Drawing {
    var rows = [Row(rank: .title, spans: [.init(screen.title, .title)])]
    rows += screen.hint.map { self.rows(of: $0, indented: "", .plain, .problem) } ?? []
    rows.append(Row(rank: .blank))
    for (place, field) in screen.fields.enumerated() {
      rows.append(row(of: field, at: place))
      if place == form.focus { rows += problem(of: field) }
    }
    rows += [Row(rank: .blank)] + buttons + [Row(rank: .blank)] + news + [Row(rank: .blank)]
    rows.append(Row(rank: .hint, spans: [.init(Self.keys, .faint)]))
    while rows.count > height, let least = rows.map(\.rank).min() {
      rows.remove(at: rows.lastIndex { $0.rank == least } ?? 0)
    }
    let focused = rows.firstIndex { $0.rank == .focused } ?? 0
    return Drawing(
      rows: rows.map { glyphs.cut($0.spans, columns: width) },
      cursor: .init(row: focused, column: min(rows[focused].cursor, lastColumn)))
  }

  // MARK: Rows

  private func row(of field: FormKind.Field, at place: Int) -> Row {
    let isFocused = place == form.focus
    let typed = form.typed(in: field)
    let label = String(screen.label(of: field).prefix(max(0, width - 12)))
    let labels = screen.fields.map { min(screen.label(of: $0).count, max(0, width - 12)) }.max() ?? 0
    let front = (isFocused ? Self.mark : "  ") + label + String(repeating: " ", count: labels - label.count) + " ["
    let room = max(1, min(Self.widestField, width - front.count - "] ok".count))
    // only as much as can fit: the text can be long
    var before = cells(String(typed.before.suffix(2 * room)), of: field)
    // the cursor needs a column behind the text
    while before.columns >= room { before.removeFirst() }
    let shown = (before + cells(String(typed.after.prefix(2 * room)), of: field)).prefix(columns: room)
    return Row(
      rank: isFocused ? .focused : .field,
      spans: [
        .init(front), .init(shown.text), .init(String(repeating: " ", count: room - shown.columns) + "]"),
      ] + mark(of: field),
      cursor: front.count + before.columns)
  }

  /// Whether regd takes what was typed; whether a code is right is seen when it is tried.
  private func mark(of field: FormKind.Field) -> [Drawing.Span] {
    guard field != .code else { return [] }
    let isValid = !form.state.problems.contains { $0.field == field.rawValue }
    return [.init(" "), .init(isValid ? glyphs.valid : glyphs.invalid, isValid ? .good : .bad)]
  }

  private func cells(_ text: String, of field: FormKind.Field) -> [Glyphs.Cell] {
    field.isSecret ? text.map { _ in .init(text: glyphs.bullet, columns: 1) } : glyphs.cells(text)
  }

  private func problem(of field: FormKind.Field) -> [Row] {
    guard let problem = form.state.problems.first(where: { $0.field == field.rawValue }) else { return [] }
    return rows(of: problem.message, indented: "    ", .faint, .problem)
  }

  private var buttons: [Row] {
    [button(screen.button, at: screen.fields.count, isEnabled: form.state.isEnabled)]
      + (screen.resendButton.map { [button($0, at: screen.fields.count + 1, isEnabled: true)] } ?? [])
  }

  private func button(_ name: String, at place: Int, isEnabled: Bool) -> Row {
    let isFocused = form.focus == place
    let front = isFocused ? Self.mark : "  "
    let label: Drawing.Span =
      isEnabled ? .init("[ \(name) ]", .title) : .init("[ \(name) ] (disabled)", .faint)
    return Row(rank: isFocused ? .focused : .button, spans: [.init(front), label], cursor: front.count + 2)
  }

  /// The line that says what regd is doing, or its last message.
  private var news: [Row] {
    if form.isActive { return rows(of: screen.activity + glyphs.ellipsis, indented: "  ", .title, .news) }
    if let message = form.message { return rows(of: "! \(message)", indented: "  ", .bad, .news) }
    return form.notice.map { rows(of: $0, indented: "  ", .good, .news) } ?? [Row(rank: .blank)]
  }

  // MARK: Text

  /// Breaks a text into rows between words.
  private func rows(of text: String, indented: String, _ style: Drawing.Style, _ rank: Row.Rank) -> [Row] {
    var lines: [[Glyphs.Cell]] = [glyphs.cells(indented)]
    for word in text.split(separator: " ") {
      let cells = glyphs.cells(String(word))
      if lines[lines.count - 1].columns + 1 + cells.columns > width, lines[lines.count - 1].columns > indented.count {
        lines.append(glyphs.cells(indented))
      }
      if lines[lines.count - 1].columns > indented.count { lines[lines.count - 1] += glyphs.cells(" ") }
      lines[lines.count - 1] += cells
    }
    return lines.enumerated().map { index, line in
      Row(rank: index == 0 ? rank : .more, spans: [.init(line.text, style)])
    }
  }
}
