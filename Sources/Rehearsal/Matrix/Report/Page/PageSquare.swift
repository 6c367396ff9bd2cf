/// One environment and flow: the answers, the variants that got them, the time, and a panel with the full text.
struct PageSquare {
  let markup: Markup

  init(_ square: ReportGrid.Square, _ row: ReportGrid.Row, _ grid: ReportGrid, _ place: String, _ column: Int) {
    guard !square.cells.isEmpty else {
      markup = "<td class=\"none\"></td>\n"
      return
    }
    let kind: Markup = square.isRed ? "red" : square.parts.contains(where: \.isSeen) ? "green" : "absent"
    let parts = square.parts.map { Self.part($0, ofMany: square.parts.count > 1) }
    let time = DurationText.range(square.cells.filter(\.isPlayed).map(\.duration))
    let differs: Markup =
      square.differs
      ? "<b class=\"differs\" title=\"variants differ\">≠<span class=\"hidden\"> variants differ</span></b> " : ""
    markup = """
      <td class="\(kind)" id="\(place)"><button type="button" popovertarget="\(place)p">\(parts)\
      \(time.map { "<span class=\"time\">\(differs)\($0)</span>" as Markup } ?? "")</button>
      \(Self.panel(square, row, grid.columns[column], place))</td>

      """
  }

  private static func part(_ part: ReportGrid.Part, ofMany: Bool) -> Markup {
    let labels: [Markup] = part.labels.map { "<i class=\"tag\">\($0)</i>" }
    // if all variants share one answer, their names are left out
    let names: Markup = ofMany || part.isRed ? "<span class=\"tags\">\(labels.joined(" "))</span>" : ""
    return switch part.result {
    case .fault(let text):
      "<span class=\"part\"><b class=\"badge\">RED</b> \(names)<span class=\"glimpse\">\(glimpse(text))</span></span>"
    case .absent:
      "<span class=\"part gone\"><b aria-hidden=\"true\">—</b><span class=\"hidden\">not run</span> \(names)</span>"
    case .seen(let text): "<span class=\"part\"><span class=\"seen\">\(steps(text))</span> \(names)</span>"
    }
  }

  /// The beginning of a fault. The panel and the list of red cells have the full text.
  private static func glimpse(_ text: String) -> String {
    let line = VisibleText.line(text)
    return line.count <= 72 ? line : "\(line.prefix(71))…"
  }

  /// Highlights the reasons of errors, coloured by their first word: network, store or another.
  private static func steps(_ text: String) -> Markup {
    let words: [Markup] = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let reason = word.prefix { $0 != "," }
      let halves = reason.split(separator: ".", maxSplits: 1)
      guard halves.count == 2 else { return "\(String(word))" }
      let family: Markup =
        switch halves[0] {
        case "network": "network"
        case "store": "store"
        default: "own"
        }
      let rest = String(word.dropFirst(reason.count))
      return "<b class=\"\(family)\"><small>\(String(halves[0])).</small><wbr>\(String(halves[1]))</b>\(rest)"
    }
    return words.joined(" ")
  }

  private static func panel(
    _ square: ReportGrid.Square, _ row: ReportGrid.Row, _ column: (name: String, summary: String), _ place: String
  ) -> Markup {
    let lines: [Markup] = square.cells.map { cell in
      let (kind, text): (Markup, String) =
        switch cell.result {
        case .seen(let text): ("✓ seen", text)
        case .fault(let text): ("<b class=\"badge\">RED</b>", text)
        case .absent(let text): ("— not run", text)
        }
      return """
        <tr><th scope="row">\(cell.rendering), \(cell.store)</th><td>\(kind)</td>\
        <td>\(cell.isPlayed ? DurationText.of(cell.duration) : "")</td><td><pre>\(text)</pre></td></tr>

        """
    }
    return """
      <div popover id="\(place)p" class="panel" role="dialog" aria-label="\(row.environment) × \(column.name)">
      <h3>\(row.environment) × \(column.name)</h3>
      <p>\(row.summary)<br>\(column.summary)</p>
      <table><thead><tr><th scope="col">Variant</th><th scope="col">Result</th><th scope="col">Time</th>\
      <th scope="col">Text</th></tr></thead><tbody>
      \(lines)</tbody></table>
      <button type="button" popovertarget="\(place)p" popovertargetaction="hide">Close</button></div>
      """
  }
}
