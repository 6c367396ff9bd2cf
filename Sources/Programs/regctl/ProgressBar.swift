internal import FullScreen
internal import Linux
internal import Sentences

/// Progress of a long operation, as a line on standard error that is drawn in place. Where standard error is no terminal,
/// only the last line is written; with `--json` not that one either.
///
/// Each report draws the line if it has changed; nothing runs between reports.
struct ProgressBar: ~Copyable {
  /// What is counted, as in "12.3 M lines".
  private let unit: ProgressSentence
  /// In columns; nil without a terminal.
  private let width: Int?
  private let hasColour: Bool
  private let begin = ContinuousClock.now
  private var shown = ""

  /// - Parameter unit: A sentence with the count in it.
  init(of unit: ProgressSentence) {
    self.unit = unit
    width = Self.terminalWidth
    hasColour = Terminal.allowsColour
  }

  /// Leaves an empty line for what is written next.
  deinit { erase() }

  /// - Parameters:
  ///   - fraction: Share of the work that is done, 0 to 1; nil where the whole is unknown.
  ///   - count: Units that are done.
  mutating func show(_ fraction: Double?, count: Int) {
    guard let width else { return }
    draw(Self.line(of: unit, fraction, count: count, seconds: seconds, width: width, colour: hasColour))
  }

  /// Shows words in the place of numbers.
  mutating func show(_ key: some SentenceKey, _ values: KeyValuePairs<String, Sentence.Content> = [:]) {
    guard let width else { return }
    draw(Self.cut(Speech.text(key, values), width))
  }

  /// Clears the line for other output; the next report draws it again.
  mutating func interrupt() {
    erase()
    shown = ""
  }

  /// Replaces the line with a last one that stays.
  ///
  /// - Parameter count: Units that were done in all.
  consuming func finish(count: Int) {
    erase()
    shown = ""
    let seconds = seconds
    // the rate of less than half a second says nothing
    let done = Self.done(unit, count)
    let line =
      seconds >= 0.5
      ? Sentence(
        ProgressSentence.took,
        [
          "done": .sentence(done), "time": .text(Figures.span(seconds)),
          "rate": .text(Figures.short(Double(count) / seconds)),
        ]) : done
    if !Terminal.wantsJSON { Terminal.show("\(Speech.text(line))\n") }
  }

  private var seconds: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - begin).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  private mutating func draw(_ line: String) {
    guard line != shown else { return }
    shown = line
    Terminal.show("\r\u{1B}[K\(line)")
  }

  private func erase() { if !shown.isEmpty { Terminal.show("\r\u{1B}[K") } }

  /// The line: a bar if the fraction is known and fits, then numbers.
  ///
  /// - Parameter width: Columns of the terminal. The last one stays empty: some terminals begin a new line when it is written.
  static func line(
    of unit: ProgressSentence, _ fraction: Double?, count: Int, seconds: Double, width: Int, colour: Bool
  ) -> String {
    // the rate of the first half second says nothing
    let rate = seconds >= 0.5 ? Double(count) / seconds : nil
    var numbers = Speech.text(done(unit, count))
    if let rate { numbers += ", \(Figures.short(rate))/s" }
    guard let fraction = fraction.map({ min(max($0, 0), 1) }) else { return cut(numbers, width) }
    let percent = Int(fraction * 100)
    numbers = "\(String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0))\(percent) %  \(numbers)"
    if rate != nil, fraction > 0 {
      let left = Figures.span(seconds / fraction - seconds)
      numbers += ", \(Speech.text(ProgressSentence.left, ["time": .text(left)]))"
    }
    let columns = min(40, width - 1 - Glyphs.unicode.cells(numbers).columns - 4)
    guard columns >= 8 else { return cut(numbers, width) }
    let full = Int(fraction * Double(columns))
    let (done, rest) = (String(repeating: "#", count: full), String(repeating: "-", count: columns - full))
    return colour ? "[\u{1B}[32m\(done)\u{1B}[0m\(rest)]  \(numbers)" : "[\(done)\(rest)]  \(numbers)"
  }

  private static func done(_ unit: ProgressSentence, _ count: Int) -> Sentence {
    Sentence(unit, ["count": .text(Figures.count(count)), "number": .number(count)])
  }

  private static func cut(_ text: String, _ width: Int) -> String {
    Glyphs.unicode.cells(text).prefix(columns: max(0, width - 1)).text
  }

  /// Columns of the terminal on standard error; 80 where it does not report them, nil where there is none.
  private static var terminalWidth: Int? {
    guard Descriptor.standardError.isTerminal else { return nil }
    guard let columns = Descriptor.standardError.terminalSize?.columns, columns > 1 else { return 80 }
    return columns
  }
}
