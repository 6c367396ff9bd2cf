internal import Linux

/// The progress of all runs, on standard error: a bar on a terminal, elsewhere a line for every thousand seeds.
struct Progress {
  private static let columns = 40
  private static let step = 1000

  let all: Int
  private let isTerminal = Descriptor.standardError.isTerminal
  private var percent = -1

  init(all: Int) { self.all = all }

  mutating func show(_ done: Int) {
    guard isTerminal else {
      if done > 0, done % Self.step == 0, done < all { Self.write("\(done) of \(Report.counted(all, "seed"))\n") }
      return
    }
    guard done * 100 / all > percent else { return }
    percent = done * 100 / all
    let full = String(repeating: "#", count: Self.columns * percent / 100)
    let rest = String(repeating: "-", count: Self.columns - full.count)
    Self.write("\r\u{1B}[K[\(full)\(rest)] \(percent) %  \(done) of \(Report.counted(all, "seed"))")
  }

  /// Erases the bar.
  func end() { if isTerminal { Self.write("\r\u{1B}[K") } }

  private static func write(_ text: String) { try? Descriptor.standardError.writeAll(text) }
}
