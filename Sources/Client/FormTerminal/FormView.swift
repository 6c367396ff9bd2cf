package import FullScreen
package import Localization

/// Lays a form out as rows of text for a screen of a given size.
package struct FormView {
  private let form: ShownForm
  private let glyphs: Glyphs
  private let language: Language
  /// The number of columns less one. The last column remains empty, because some terminals begin a new line when it is
  /// written.
  private let lastColumn: Int
  private let height: Int

  package static func draw(
    _ form: ShownForm, columns: Int, rows: Int, _ glyphs: Glyphs, _ language: Language = .english
  ) -> Drawing {
    FormView(
      form: form, glyphs: glyphs, language: language, lastColumn: max(0, columns - 1), height: max(1, rows)
    ).drawing
  }

  /// A row and its rank. If the screen has too few rows, rows of the lowest ranks are left out.
  private struct Row {
    enum Rank: Int, Comparable {
      case blank, hint, title, more, problem, button, field, news, focused

      static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    let rank: Rank
    var spans: [Drawing.Span] = []
    /// The column of the cursor, if the row has it.
    var cursor = 0
  }

  private static let mark = "> "
  private static let widestField = 48

  private var width: Int { max(1, lastColumn) }
  private var screen: FormScreen { form.screen }

  private var drawing: Drawing {
    var rows = [Row(rank: .title, spans: [.init(margin + isolated(screen.title), .title)])]
    rows += screen.hint.map { self.rows(of: language.text(of: $0), indented: margin.count, .plain, .problem) } ?? []
    rows.append(Row(rank: .blank))
    for (place, field) in screen.fields.enumerated() {
      rows.append(field == .terms ? termsRow(at: place) : row(of: field, at: place))
      if place == form.focus { rows += (field == .terms ? termsHint : []) + problem(of: field) }
    }
    rows += [Row(rank: .blank)] + buttons + [Row(rank: .blank)] + news + [Row(rank: .blank)]
    rows.append(
      Row(rank: .hint, spans: [.init(margin + isolated(LocalizedMessage(FormScreenMessageKey.keys)), .faint)]))
    while rows.count > height, let least = rows.map(\.rank).min() {
      rows.remove(at: rows.lastIndex { $0.rank == least } ?? 0)
    }
    let focused = rows.firstIndex { $0.rank == .focused } ?? 0
    return Drawing(
      rows: rows.map { glyphs.cut($0.spans, columns: width) },
      cursor: .init(row: focused, column: min(rows[focused].cursor, lastColumn)))
  }

  // MARK: Rows

  /// The part of a field's row before the typed text (focus mark, label, bracket), and the number of its columns.
  private func front(of field: FormKind.Field, at place: Int) -> (text: String, columns: Int) {
    let labels = screen.fields.map { self.label(of: $0).columns }.max() ?? 0
    let label = self.label(of: field)
    let text =
      (place == form.focus ? Self.mark : "  ") + glyphs.isolated(label.text, language)
      + String(repeating: " ", count: labels - label.columns) + " ["
    return (text, Self.mark.count + labels + 2)
  }

  /// The row with the box that a person ticks to accept the terms, and with their version.
  private func termsRow(at place: Int) -> Row {
    let (front, columns) = front(of: .terms, at: place)
    let version = form.terms.map { " " + glyphs.isolated(HarmlessText.line($0.version)) } ?? glyphs.ellipsis
    return Row(
      rank: place == form.focus ? .focused : .field,
      spans: [.init(front + (form.acceptsTerms ? "x" : " ") + "]" + version)] + mark(of: .terms), cursor: columns)
  }

  private var termsHint: [Row] {
    guard let terms = form.terms else { return [] }
    let hint =
      terms.url.isEmpty
      ? LocalizedMessage(FormScreenMessageKey.acceptTerms)
      : LocalizedMessage(FormScreenMessageKey.acceptTermsAt, ["url": .text(HarmlessText.line(terms.url))])
    return rows(of: language.text(of: hint), indented: 4, .plain, .problem)
  }

  private func row(of field: FormKind.Field, at place: Int) -> Row {
    let isFocused = place == form.focus
    let typed = form.typed(in: field)
    let (front, frontColumns) = front(of: field, at: place)
    let room = max(1, min(Self.widestField, width - frontColumns - "] ok".count))
    // only as much as can fit, because the text can be long
    var before = cells(String(typed.before.suffix(2 * room)), of: field)
    // the cursor needs a column after the text
    while before.columns >= room { before.removeFirst() }
    let shown = (before + cells(String(typed.after.prefix(2 * room)), of: field)).prefix(columns: room)
    return Row(
      rank: isFocused ? .focused : .field,
      spans: [
        .init(front), .init(glyphs.isolated(shown.text)),
        .init(String(repeating: " ", count: room - shown.columns) + "]"),
      ] + mark(of: field),
      cursor: frontColumns + before.columns)
  }

  /// The label, cut so that there is room for a field.
  private func label(of field: FormKind.Field) -> [Glyphs.Cell] {
    glyphs.cells(language.text(of: screen.label(of: field))).prefix(columns: max(0, width - 12))
  }

  /// The mark that shows whether regd accepts the typed text. A code gets no mark, and an invitation only the mark of a
  /// problem, because regd checks both only when they are submitted.
  private func mark(of field: FormKind.Field) -> [Drawing.Span] {
    let isValid = !form.state.problems.contains { $0.field == field.rawValue }
    guard field != .code, field != .invitation || !isValid else { return [] }
    return [.init(" "), .init(isValid ? glyphs.valid : glyphs.invalid, isValid ? .good : .bad)]
  }

  private func cells(_ text: String, of field: FormKind.Field) -> [Glyphs.Cell] {
    // a question mark for zero-width characters, because typed isolates must not change the direction of the text
    // around them
    field.isSecret
      ? text.map { _ in .init(text: glyphs.bullet, columns: 1) }
      : glyphs.cells(text).map { $0.columns > 0 ? $0 : .init(text: "?", columns: 1) }
  }

  private func problem(of field: FormKind.Field) -> [Row] {
    guard let problem = form.state.problems.first(where: { $0.field == field.rawValue }) else { return [] }
    return rows(of: problem.message, indented: 4, .faint, .problem)
  }

  private var buttons: [Row] {
    [button(screen.button, at: screen.fields.count, isEnabled: form.state.isEnabled)]
      + (screen.resendButton.map { [button($0, at: screen.fields.count + 1, isEnabled: true)] } ?? [])
  }

  private func button(_ name: LocalizedMessage, at place: Int, isEnabled: Bool) -> Row {
    let isFocused = form.focus == place
    let front = isFocused ? Self.mark : "  "
    let label: Drawing.Span =
      isEnabled
      ? .init("[ \(isolated(name)) ]", .title)
      : .init("[ \(isolated(name)) ] \(isolated(LocalizedMessage(FormButton.disabled)))", .faint)
    return Row(rank: isFocused ? .focused : .button, spans: [.init(front), label], cursor: front.count + 2)
  }

  /// The line with regd's present activity, or its last message.
  private var news: [Row] {
    if form.isActive {
      return rows(of: language.text(of: screen.activity) + glyphs.ellipsis, indented: 2, .title, .news)
    }
    switch form.message {
    case .told(let text): return rows(of: text, behind: "! ", indented: 2, .bad, .news)
    case .said(let sentence): return rows(of: language.text(of: sentence), behind: "! ", indented: 2, .bad, .news)
    case nil: break
    }
    return form.notice.map { rows(of: language.text(of: $0), indented: 2, .good, .news) } ?? [Row(rank: .blank)]
  }

  // MARK: Text

  /// A space before a row that would begin with a Unicode isolate, because terminals attach zero-width characters to
  /// the character before, and drop them in the first column. It is "" for a left-to-right language.
  private var margin: String { language.tag.isRightToLeft ? " " : "" }

  private func isolated(_ sentence: LocalizedMessage) -> String {
    glyphs.isolated(language.text(of: sentence), language)
  }

  /// Breaks a text into rows.
  ///
  /// - Parameter sign: Precedes the text of the first row.
  private func rows(
    of text: String, behind sign: String = "", indented: Int, _ style: Drawing.Style, _ rank: Row.Rank
  ) -> [Row] {
    let lines = glyphs.wrapped(sign + text, columns: width - indented)
    return lines.enumerated().map { index, line in
      let front = String(repeating: " ", count: indented) + (index == 0 ? sign : "")
      let text = glyphs.isolated(String(line.text.dropFirst(index == 0 ? sign.count : 0)), language)
      return Row(rank: index == 0 ? rank : .more, spans: [.init(front + text, style)])
    }
  }
}
