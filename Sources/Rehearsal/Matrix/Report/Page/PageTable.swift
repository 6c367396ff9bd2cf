/// A table of environments (down) and flows (across), with one table body per condition.
struct PageTable {
  let markup: Markup

  /// The id of a square's element, for links to it. The first row and the first column are 0.
  static func place(_ row: Int, _ column: Int) -> String { "r\(row + 1)c\(column + 1)" }

  init(_ grid: ReportGrid) {
    guard !grid.rows.isEmpty else {
      markup = "<p class=\"pane\" id=\"matrix\">There are no cells.</p>\n"
      return
    }
    let heads: [Markup] = grid.columns.map { column in
      "<th scope=\"col\" data-find=\"\(column.name)\">\(column.name)</th>\n"
    }
    var bodies: [Markup] = []
    for (y, row) in grid.rows.enumerated() {
      let isNew = y == 0 || grid.rows[y - 1].condition != row.condition
      bodies.append(isNew ? "\(y == 0 ? "" : "</tbody>\n" as Markup)<tbody>\n" : "")
      bodies.append(Self.row(row, y, grid))
    }
    markup = """
      <table id="matrix" class="matrix" style="--columns: \(grid.columns.count)" tabindex="-1">
      <caption class="hidden">What callers see: environments down, flows across</caption>
      <thead><tr><th scope="col" class="corner">Environment</th>
      \(heads)</tr></thead>
      \(bodies)</tbody></table>

      """
  }

  private static func row(_ row: ReportGrid.Row, _ y: Int, _ grid: ReportGrid) -> Markup {
    let squares = row.squares.enumerated().map { x, square in PageSquare(square, row, grid, place(y, x), x).markup }
    let reds: Markup = row.reds > 0 ? "<span class=\"badge\">\(row.reds) RED</span> " : ""
    return """
      <tr\(row.reds > 0 ? " class=\"has-red\"" : "" as Markup)><th scope="row" data-find="\(row.environment) \(row.condition)">\
      <span class="name">\(row.environment)</span> \(reds)<span class="condition">\(row.condition)</span> \
      <span class="summary">\(row.summary)</span></th>
      \(squares)</tr>

      """
  }
}
