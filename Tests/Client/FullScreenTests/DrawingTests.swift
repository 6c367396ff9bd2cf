import FullScreen
import Testing

@Suite("drawing a screen")
struct DrawingTests {
  private func drawing(_ rows: String..., cursor: Drawing.Position? = nil) -> Drawing {
    Drawing(rows: rows.map { [.init($0)] }, cursor: cursor)
  }

  @Test("the first drawing sends every row and erases the rest of the screen")
  func whole() {
    #expect(
      drawing("a", "b").sequences(styled: false)
        == "\u{1B}[?25l\u{1B}[1;1Ha\u{1B}[K\u{1B}[2;1Hb\u{1B}[J")
  }

  @Test("a drawing sends only the rows that differ, and a shorter drawing erases the rows after its last one")
  func changes() {
    let shown = drawing("a", "b", "c")
    #expect(shown.sequences(styled: false, over: shown) == "\u{1B}[?25l")
    #expect(
      drawing("a", "x", "c").sequences(styled: false, over: shown) == "\u{1B}[?25l\u{1B}[2;1Hx\u{1B}[K")
    #expect(drawing("a", "b").sequences(styled: false, over: shown) == "\u{1B}[?25l\u{1B}[2;1Hb\u{1B}[J")
    #expect(
      drawing("a", "b", "c", "d").sequences(styled: false, over: shown) == "\u{1B}[?25l\u{1B}[4;1Hd\u{1B}[K")
  }

  @Test("a row is sent again if only its style has changed")
  func style() {
    let shown = Drawing(rows: [[.init("a", .good)]], cursor: nil)
    let next = Drawing(rows: [[.init("a", .bad)]], cursor: nil)
    #expect(next.sequences(styled: true, over: shown).contains("\u{1B}[31ma\u{1B}[0m"))
  }

  @Test("isolates are sent to the terminal unchanged, also for right-to-left text")
  func isolates() {
    for row in ["\u{2067}عنوان\u{2069}", "\u{2068}عنوان\u{2069}"] {
      #expect(drawing(row).sequences(styled: false).contains(row))
    }
  }

  @Test("the cursor is shown only if the drawing has a cursor, and only there")
  func cursor() {
    #expect(!drawing("a").sequences(styled: true).contains("\u{1B}[?25h"))
    let text = drawing("a", cursor: .init(row: 0, column: 1)).sequences(styled: true)
    #expect(text.hasSuffix("\u{1B}[1;2H\u{1B}[?25h"))
  }

  @Test(
    "numbers have few digits and the right unit",
    arguments: [
      (0, "0"), (0.04, "0.04"), (0.5, "0.50"), (3.14159, "3.1"), (9.96, "10"), (42.4, "42"), (999.4, "999"),
      (999.6, "1.0 k"), (12_345, "12.3 k"), (999_949, "999.9 k"), (999_951, "1.0 M"), (1.2e15, "1200.0 T"),
    ])
  func numbers(_ number: Double, _ text: String) { #expect(Figures.short(number) == text) }

  @Test(
    "durations have at most three digits",
    arguments: [
      (0, "0 µs"), (4.2e-7, "0.4 µs"), (9.96e-6, "10 µs"), (0.000_150, "150 µs"), (0.001_5, "1.5 ms"),
      (0.99951, "1.0 s"),
      (0.25, "250 ms"), (1.25, "1.3 s"), (75, "75 s"),
    ])
  func durations(_ seconds: Double, _ text: String) { #expect(Figures.duration(seconds) == text) }

  @Test(
    "time spans have at most two units",
    arguments: [
      (0, "0 s"), (59.4, "59 s"), (187, "3 min 7 s"), (7500, "2 h 5 min"), (93_600, "1 d 2 h"),
      (.infinity, "11574 d 1 h"),
    ])
  func spans(_ seconds: Double, _ text: String) { #expect(Figures.span(seconds) == text) }

  @Test(
    "byte counts use powers of 1024",
    arguments: [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1_572_864, "1.5 MiB")])
  func bytes(_ bytes: Int, _ text: String) { #expect(Figures.bytes(bytes) == text) }
}
