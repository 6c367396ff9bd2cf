internal import FullScreen
internal import Linux
package import Localization
internal import UserMessages

/// Progress of a long operation, as a line on standard error that is redrawn in place. Without a terminal only the final line
/// is written, and with `--json` not even that.
///
/// Each report redraws the line if it has changed. Nothing runs between reports.
package struct ProgressBar: ~Copyable {
  /// The counted unit, as in "12.3 M lines".
  private let unit: ProgressMessageKey
  /// The terminal's columns, or nil without a terminal.
  private let width: Int?
  private let hasColour: Bool
  private let begin = ContinuousClock.now
  private var shown = ""

  /// - Parameter unit: A sentence that includes the count.
  package init(of unit: ProgressMessageKey) {
    self.unit = unit
    width = Self.terminalWidth
    hasColour = Terminal.allowsColour
  }

  /// Clears the line for later output.
  deinit { erase() }

  /// - Parameters:
  ///   - fraction: The finished share of the work, 0 to 1, or nil if the total is unknown.
  ///   - count: Finished units.
  package mutating func show(_ fraction: Double?, count: Int) {
    guard let width else { return }
    draw(Self.line(of: unit, fraction, count: count, seconds: seconds, width: width, colour: hasColour))
  }

  /// Shows words instead of numbers.
  package mutating func show(_ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) {
    guard let width else { return }
    draw(Self.cut(Speech.text(key, values), width))
  }

  /// Clears the line for other output. The next report draws it again.
  package mutating func interrupt() {
    erase()
    shown = ""
  }

  /// Replaces the line with a final line that remains on the screen.
  ///
  /// - Parameter count: All finished units.
  package consuming func finish(count: Int) {
    erase()
    shown = ""
    let seconds = seconds
    // a rate over less than half a second means nothing
    let done = Self.done(unit, count)
    let line =
      seconds >= 0.5
      ? LocalizedMessage(
        ProgressMessageKey.took,
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

  /// The line: a bar if the fraction is known and there is room, then numbers.
  ///
  /// - Parameter width: The terminal's columns. The last column remains empty, because some terminals wrap when it is
  ///   written.
  static func line(
    of unit: ProgressMessageKey, _ fraction: Double?, count: Int, seconds: Double, width: Int, colour: Bool
  ) -> String {
    // a rate over the first half second means nothing
    let rate = seconds >= 0.5 ? Double(count) / seconds : nil
    var numbers = Speech.text(done(unit, count))
    if let rate { numbers += ", \(Figures.short(rate))/s" }
    guard let fraction = fraction.map({ min(max($0, 0), 1) }) else { return cut(numbers, width) }
    let percent = Int(fraction * 100)
    numbers = "\(String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0))\(percent) %  \(numbers)"
    if rate != nil, fraction > 0 {
      let left = Figures.span(seconds / fraction - seconds)
      numbers += ", \(Speech.text(ProgressMessageKey.left, ["time": .text(left)]))"
    }
    let columns = min(40, width - 1 - Glyphs.unicode.cells(numbers).columns - 4)
    guard columns >= 8 else { return cut(numbers, width) }
    let full = Int(fraction * Double(columns))
    let (done, rest) = (String(repeating: "#", count: full), String(repeating: "-", count: columns - full))
    return colour ? "[\u{1B}[32m\(done)\u{1B}[0m\(rest)]  \(numbers)" : "[\(done)\(rest)]  \(numbers)"
  }

  private static func done(_ unit: ProgressMessageKey, _ count: Int) -> LocalizedMessage {
    LocalizedMessage(unit, ["count": .text(Figures.count(count)), "number": .number(count)])
  }

  private static func cut(_ text: String, _ width: Int) -> String {
    Glyphs.unicode.cells(text).prefix(columns: max(0, width - 1)).text
  }

  /// The columns of the terminal on standard error, 80 if it does not report them, or nil without a terminal.
  private static var terminalWidth: Int? {
    guard Descriptor.standardError.isTerminal else { return nil }
    guard let columns = Descriptor.standardError.terminalSize?.columns, columns > 1 else { return 80 }
    return columns
  }
}
