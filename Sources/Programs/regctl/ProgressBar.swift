internal import Linux

/// How far something long has got, in a line on standard error that is drawn over and over; where standard error is no
/// terminal, only the line that it ends with.
///
/// Nothing ticks: it is drawn when work is reported, and only if a reader would see a difference.
struct ProgressBar: ~Copyable {
  /// What is counted, as in "12.3 M lines".
  private let unit: String
  /// In columns; nil where there is no terminal.
  private let width: Int?
  private let hasColour: Bool
  private let begin = ContinuousClock.now
  private var shown = ""

  init(unit: String) {
    self.unit = unit
    width = Self.terminalWidth
    hasColour = Terminal.allowsColour
  }

  /// Whatever happens, what is written next begins at the left of an empty line.
  deinit { erase() }

  /// - Parameters:
  ///   - fraction: How much of all is done, 0 to 1; nil where nobody knows.
  ///   - count: How many of `unit` are done.
  mutating func show(_ fraction: Double?, count: Int) {
    guard let width else { return }
    draw(Self.line(unit: unit, fraction, count: count, seconds: seconds, width: width, colour: hasColour))
  }

  /// Shows words where there is nothing to count.
  mutating func show(_ words: String) {
    guard let width else { return }
    draw(String(words.prefix(width - 1)))
  }

  /// Makes room for a line of somebody else's; it is drawn again with the next report.
  mutating func interrupt() {
    erase()
    shown = ""
  }

  /// Ends it with a line that stays.
  ///
  /// - Parameter count: How many of `unit` were done in all.
  consuming func finish(count: Int) {
    erase()
    shown = ""
    let seconds = seconds
    // what was over at once has no rate worth showing
    let rate = seconds >= 0.5 ? " in \(Self.time(seconds)), \(Self.short(Double(count) / seconds))/s" : ""
    Terminal.show("\(Self.short(Double(count))) \(unit)\(rate)\n")
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

  /// The line at one moment: a bar where the fraction is known and there is room, then numbers.
  ///
  /// - Parameter width: The last column stays empty, for in some terminals writing there begins a new line.
  static func line(
    unit: String, _ fraction: Double?, count: Int, seconds: Double, width: Int, colour: Bool
  ) -> String {
    // no rate and no time left from the first moment, whose measure is not worth showing
    let rate = seconds >= 0.5 ? Double(count) / seconds : nil
    var numbers = "\(short(Double(count))) \(unit)"
    if let rate { numbers += ", \(short(rate))/s" }
    guard let fraction = fraction.map({ min(max($0, 0), 1) }) else { return String(numbers.prefix(max(0, width - 1))) }
    let percent = Int(fraction * 100)
    numbers = "\(String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0))\(percent) %  \(numbers)"
    if rate != nil, fraction > 0 { numbers += ", \(time(seconds / fraction - seconds)) left" }
    let columns = min(40, width - 1 - numbers.count - 4)
    guard columns >= 8 else { return String(numbers.prefix(max(0, width - 1))) }
    let full = Int(fraction * Double(columns))
    let (done, rest) = (String(repeating: "#", count: full), String(repeating: "-", count: columns - full))
    return colour ? "[\u{1B}[32m\(done)\u{1B}[0m\(rest)]  \(numbers)" : "[\(done)\(rest)]  \(numbers)"
  }

  /// A number of at most four digits and a unit: 999, 12.3 k, 1.2 M, 345.6 G.
  static func short(_ number: Double) -> String {
    guard number >= 999.5 else { return String(Int(number.rounded())) }
    // 999 950 would round up to 1000.0 of its unit
    var (scaled, prefixes) = (number / 1000, ["k", "M", "G", "T"][...])
    while scaled >= 999.95, prefixes.count > 1 {
      scaled /= 1000
      prefixes.removeFirst()
    }
    return "\((scaled * 10).rounded() / 10) \(prefixes.first ?? "")"
  }

  /// 0 s, 59 s, 3 min 7 s, 2 h 5 min.
  static func time(_ seconds: Double) -> String {
    // what would take years is not counted in seconds that an Int has
    let seconds = Int(min(max(seconds, 0), 1e9).rounded())
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  /// Columns of the terminal behind standard error (tty_ioctl(4)); 80 where it does not say, nil where there is none.
  private static var terminalWidth: Int? {
    guard Descriptor.standardError.isTerminal else { return nil }
    guard let columns = Descriptor.standardError.terminalSize?.columns, columns > 1 else { return 80 }
    return columns
  }
}
