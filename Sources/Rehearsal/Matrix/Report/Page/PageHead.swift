/// The verdict, the red cells, and the key to the table.
struct PageHead {
  let markup: Markup

  init(_ report: Report, _ grid: ReportGrid) {
    let red = report.cells.count(where: \.isRed)
    let verdict: Markup =
      red > 0
      ? "<span class=\"badge\">\(red) RED</span>"
      : report.isGreen ? "<span class=\"good\">✓ all green</span>" : "nothing played"
    markup = """
      <a class="skip" href="#matrix">To the table</a>
      <header class="pane">
      <h1>regd’s matrix: \(verdict)</h1>
      <p class="count">\(report.summary)</p>
      <dl class="facts">\(Self.facts(report, grid))</dl>
      </header>
      \(Self.reds(grid))<section class="pane controls">
      <p class="filter" hidden><label for="filter">Filter</label>
      <input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="timeout sign-in" aria-describedby="found">
      <output id="found" for="filter"></output></p>
      \(Self.onlyRed(red))
      \(Self.key(grid))</section>

      """
  }

  private static func onlyRed(_ red: Int) -> Markup {
    red > 0 ? "<p><label><input type=\"checkbox\" id=\"only-red\"> Only environments with red</label></p>" : ""
  }

  private static func facts(_ report: Report, _ grid: ReportGrid) -> [Markup] {
    var facts: [(String, String)] = [("Took", DurationText.of(report.took)), ("Version", report.regd)]
    if let date = report.date { facts.append(("Played", date)) }
    facts += report.facts.map { ($0.name, $0.value) }
    facts.append(("Environments", "\(grid.rows.count)"))
    facts.append(("Flows", "\(grid.columns.count)"))
    if let slowest = report.cells.filter(\.isPlayed).max(by: { $0.duration < $1.duration }) {
      let place = [slowest.environment, slowest.flow, slowest.rendering, slowest.store].joined(separator: ", ")
      facts.append(("Slowest", "\(DurationText.of(slowest.duration)) (\(place))"))
    }
    return facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>\n" }
  }

  /// Lists each red cell once, and groups variants with the same fault.
  private static func reds(_ grid: ReportGrid) -> Markup {
    var items: [Markup] = []
    for (y, row) in grid.rows.enumerated() {
      for (x, square) in row.squares.enumerated() where square.isRed {
        var faults: [(text: String, variants: [Markup])] = []
        for cell in square.cells {
          guard case .fault(let text) = cell.result else { continue }
          let variant: Markup = "<span class=\"nowrap\">\(cell.rendering), \(cell.store)</span>"
          if let same = faults.firstIndex(where: { $0.text == text }) {
            faults[same].variants.append(variant)
          } else {
            faults.append((text, [variant]))
          }
        }
        items += faults.map { fault in
          """
          <li><p><span class="badge">RED</span> <a href="#\(PageTable.place(y, x))">\(row.environment) × \(grid.columns[x].name)</a> \
          <span class="by">\(fault.variants.joined(" · "))</span></p><pre>\(fault.text)</pre></li>

          """
        }
      }
    }
    return items.isEmpty ? "" : "<section class=\"pane reds\"><h2>What is red</h2>\n<ol>\(items)</ol></section>\n"
  }

  private static func key(_ grid: ReportGrid) -> Markup {
    let labels: [Markup] = grid.variants.map {
      "<span class=\"nowrap\"><b class=\"tag\">\($0.label)</b> \($0.rendering), \($0.store)</span>\n"
    }
    let flows: [Markup] = grid.columns.map { "<div><dt>\($0.name)</dt><dd>\($0.summary)</dd></div>\n" }
    let title = grid.columns.count == 1 ? "The flow" : "The \(grid.columns.count) flows"
    return """
      <p class="key">\(labels)<span class="nowrap"><b class="swatch network">network</b> refused because of the upstream</span>
      <span class="nowrap"><b class="swatch store">store</b> refused because of the store</span>
      <span class="nowrap"><b class="swatch own">other</b> refused by regd itself</span>
      <span class="nowrap"><b class="badge">RED</b> not the expected result</span>
      <span class="nowrap"><b>≠</b> the variants differ, as allowed</span>
      <span class="nowrap"><b>—</b> not run</span>
      <span class="nowrap">Open a cell to see the text and time of each variant.</span></p>
      <details class="flows"><summary>\(title)</summary><dl>\(flows)</dl></details>

      """
  }
}
