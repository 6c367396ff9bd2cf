import FullScreen
import Glibc
import Testing

@testable import Matrix

@Suite("The matrix's report")
struct ReportTests {
  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func cell(
    _ environment: String, _ result: Cell.Outcome, _ rendering: String = "http", _ store: String = "sqlite",
    _ flow: String = "registration"
  ) -> Cell {
    Cell(
      environment: environment, summary: "no upstream", condition: "offline", rendering: rendering, store: store,
      flow: flow, result: result, duration: .milliseconds(120))
  }

  private func report(_ cells: [Cell]) -> Report {
    let names = cells.reduce(into: [String]()) { if !$0.contains($1.flow) { $0.append($1.flow) } }
    return Report(flows: names.map { ($0, "about \($0)") }, cells: cells, took: .seconds(3), regd: "regd 1.2.3")
  }

  private let hostile = "\"><script>alert('x')</script>&amp;\u{1B}[31m\u{202E}"

  @Test("a report without cells is not green, because it proves nothing")
  func nothing() {
    #expect(!report([]).isGreen)
    #expect(report([]).summary == "0 cells, 0 passed, 0 failed")
    #expect(report([]).html().contains("nothing played"))
    let absent = report([cell("offline", .absent("no reason"))])
    #expect(!absent.isGreen)
    #expect(absent.summary == "0 cells, 0 passed, 0 failed, 1 not run")
  }

  @Test("the summary, the table and the page show a single red cell, with its whole text")
  func red() {
    let text = "register: expected registered, saw " + String(repeating: "x", count: 400)
    let cells = [cell("success", .seen("registered")), cell("offline", .fault(text)), cell("gone", .absent("why"))]
    let report = report(cells)
    #expect(!report.isGreen)
    #expect(report.summary == "2 cells, 1 passed, 1 failed, 1 not run")
    for width in [20, 80, 200] {
      let table = report.table(colour: false, width: width)
      #expect(table.contains("RED offline, http, sqlite, registration: \(text)"), "\(width)")
      #expect(table.hasSuffix(report.summary), "\(width)")
      #expect(table.contains("1 not run: why"), "\(width)")
      #expect(!table.contains("\u{1B}"))
    }
    #expect(report.table(colour: true, width: 200).contains("\u{1B}[31mRED\u{1B}[0m"))
    let page = report.html()
    #expect(page.contains("1 RED"))
    #expect(page.contains(text))
    #expect(page.contains(report.summary))
    #expect(page.contains("<input type=\"checkbox\" id=\"only-red\">"))
    #expect(!page.contains("&lt;"), "markup that was taken for text")
  }

  @Test("the page names its flows correctly if there is only one")
  func countedFlows() {
    let one = report([cell("success", .seen("registered"))]).html()
    #expect(one.contains("<summary>The flow</summary>") && !one.contains("The 1 "))
  }

  @Test("the report escapes text from a daemon in the page and on the terminal")
  func hostileText() {
    for result in [Cell.Outcome.seen(hostile), .fault(hostile), .absent(hostile)] {
      let report = report([cell(hostile, result, hostile, hostile, hostile)])
      let page = report.html()
      #expect(!page.contains("<script>alert"))
      #expect(page.contains("aria-label=\"&quot;&gt;&lt;script"), "no attribute is ended by it")
      #expect(page.contains("&lt;script&gt;alert"))
      #expect(!report.table(colour: false, width: 100).contains("\u{1B}"))
    }
  }

  @Test("the table shows variants with the same result once, and differing variants separately")
  func variants() {
    let same = [("built-in", "memory"), ("built-in", "sqlite"), ("http", "memory"), ("http", "sqlite")].map {
      cell("offline", .seen("alert network.offline"), $0.0, $0.1, "form")
    }
    let once = report(same).table(colour: false, width: 200)
    #expect(once.split(separator: "alert network.offline", omittingEmptySubsequences: false).count == 2)
    var differing = same
    differing[3] = cell("offline", .seen("navigate welcome"), "http", "sqlite", "form")
    let table = report(differing).table(colour: false, width: 200)
    #expect(table.contains("navigate welcome"))
    #expect(table.contains("alert network.offline"))
    #expect(report(differing).html().contains("variants differ"))
  }

  @Test(
    "columns align even with double-width characters, and no row is wider than the terminal",
    arguments: [40, 200])
  func columns(_ width: Int) {
    let cells = ["断网", "offline"].flatMap { name in
      ["registration", "form"].map { cell(name, .seen("提醒 alert network.offline"), "http", "sqlite", $0) }
    }
    let rows = report(cells).drawing(width: width, .unicode).map { $0.map(\.text).joined() }
    for row in rows { #expect(Glyphs.unicode.cells(row).columns <= width, "\(row)") }
    guard width == 200 else { return }
    let starts = rows[1...2].map { Glyphs.unicode.cells(String($0.prefix { $0 != "提" })).columns }
    #expect(starts[0] == starts[1], "\(rows)")
  }

  @Test("a terminal without UTF-8 gets only ASCII characters")
  func ascii() {
    let report = report([cell("offline", .absent("no “reason”")), cell("gone", .fault("übel"), "smtp")])
    for width in [40, 200] {
      let rows = report.drawing(width: width, .ascii).map { $0.map(\.text).joined() }
      #expect(rows.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(rows)")
      #expect(rows.contains { $0.hasPrefix("- 1 not run: no ?reason?") }, "\(rows)")
    }
  }

  @Test("the page is one file without outside references, and the same cells make the same page")
  func page() {
    let report = report([cell("offline", .seen("network.offline")), cell("success", .seen("registered"))])
    let page = report.html()
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    for outside in ["http://", "https://", "src=", "@import", "url("] { #expect(!page.contains(outside), "\(outside)") }
    #expect(page == report.html())
    for name in ["table", "tbody", "thead", "tr", "td", "button", "div", "style", "script"] {
      let opened = page.components(of: "<\(name)>") + page.components(of: "<\(name) ")
      #expect(opened == page.components(of: "</\(name)>"), "\(name)")
    }
  }
}

extension Report {
  /// The drawing as text.
  func table(colour: Bool, width: Int) -> String {
    drawing(width: width, .unicode).map { Drawing.text($0, styled: colour) }.joined(separator: "\n")
  }
}

extension String {
  /// How often the string contains a text.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
