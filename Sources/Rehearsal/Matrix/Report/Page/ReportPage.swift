extension Report {
  /// The report as a page: one file, readable without a network and without scripts.
  package func html() -> String {
    let grid = ReportGrid(self)
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <title>\(title) – regd’s matrix</title>
      <style>
      \(PageStyle.frame)\(PageStyle.table)\(PageStyle.media)</style>
      </head>
      <body>
      \(PageHead(self, grid).markup)\(PageTable(grid).markup)\(absent)<script>
      \(PageScript.filter)</script>
      </body>
      </html>

      """
    return page.html
  }

  /// Keeps the page from loading or sending anything, even if a text were not escaped.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  private var title: String {
    let red = cells.count(where: \.isRed)
    return red > 0 ? "\(red) RED" : isGreen ? "all green" : "nothing played"
  }

  private var absent: Markup {
    let items: [Markup] = absences.map { "<li><b>\($0.count)</b> \($0.reason)</li>\n" }
    return items.isEmpty
      ? "" : "<section class=\"pane\" id=\"absent\"><h2>— Not played</h2>\n<ul>\(items)</ul></section>\n"
  }
}

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

/// HTML. A `String` enters only by interpolation, which escapes it: `"<b>\(text)</b>"`.
struct Markup: ExpressibleByStringInterpolation {
  private(set) var html: String

  init(stringLiteral literal: String) { html = literal }
  init(stringInterpolation interpolation: StringInterpolation) { html = interpolation.html }

  static func += (a: inout Self, b: Self) { a.html += b.html }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var html = ""

    init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { html += literal }
    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
    mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { html += part.html } }
    mutating func appendInterpolation(_ number: Int) { html += String(number) }
    /// Escapes for an element's content and for an attribute in either kind of quotes.
    mutating func appendInterpolation(_ text: String) {
      for scalar in VisibleText.of(text).unicodeScalars {
        switch scalar {
        case "&": html += "&amp;"
        case "<": html += "&lt;"
        case ">": html += "&gt;"
        case "\"": html += "&quot;"
        case "'": html += "&#39;"
        default: html.unicodeScalars.append(scalar)
        }
      }
    }
  }
}

extension [Markup] {
  func joined(_ separator: Markup) -> Markup {
    reduce(into: (markup: "" as Markup, isFirst: true)) { joined, part in
      joined.markup += joined.isFirst ? part : "\(separator)\(part)"
      joined.isFirst = false
    }.markup
  }
}
