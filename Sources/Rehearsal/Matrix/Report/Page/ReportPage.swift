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
