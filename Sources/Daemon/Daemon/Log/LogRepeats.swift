internal import Logging

/// Which lines are written, and which are held back because they repeat others; a state machine without a clock.
///
/// Lines of one kind say the same with other details. Of each kind the first few lines (`Kind.burst`) in a window are written; the
/// others are counted, and summed up in one line when the window is over. While they go on coming, that line a window is all.
///
/// Each window of a kind that is shared begins anew, a few lines are written for each sharer, and of the kind's lines a part is kept
/// for those who come again: a crowd that comes once each hides nobody who comes often, and the sum names who that was.
struct LogRepeats {
  /// What makes lines the same: level, message, and the metadata that names what happened and to which user.
  struct Kind: Hashable {
    let level: Logger.Level
    let message: String
    let marks: String
    /// The line's `MESSAGE_ID`, if it has one.
    var id: String?
    /// Whether others than the one user in `marks` share it.
    var isShared = false

    /// How many are written in a window. What has been done is told more often than what has failed: an operator looks for
    /// a registration among others, and of an outage one line is enough.
    var burst: Int { level < .notice ? LogRepeats.burstOfNews : LogRepeats.burst }
  }

  /// Lines that were held back.
  struct Sum: Equatable {
    let kind: Kind
    let count: Int
    /// How long it took them to come; at least 1.
    let seconds: Int
    /// The sharers who came most often, each more often than was written.
    var mostly: [FrequentNames.Entry] = []
  }

  static let window: Duration = .seconds(60)
  /// Lines of a kind that are written in a window, from the level notice up.
  static let burst = 5
  /// The same of the levels below.
  static let burstOfNews = 60
  /// The same for one sharer of a kind.
  static let burstOfSharer = 5
  /// Sharers whom a sum names.
  private static let mostNamed = 3
  /// Kinds that are distinguished at once. What comes besides counts together by its level, so that no text that an
  /// upstream or a caller has a hand in gets a window each time it changes.
  static let mostKinds = 256

  private struct Window {
    var since: ContinuousClock.Instant
    var written = 0
    var held = 0
    var sharers = FrequentNames()

    /// - Parameter sharer: Nil where the line is not shared, or nobody is named.
    mutating func writes(_ kind: Kind, of sharer: String?) -> Bool {
      var isWritten = written < kind.burst
      if let sharer {
        let times = sharers.add(sharer)
        let room = times == 1 ? kind.burst * 3 / 4 : kind.burst
        isWritten = times <= LogRepeats.burstOfSharer && written < room
      }
      if isWritten { written += 1 } else { held += 1 }
      return isWritten
    }
  }

  private var windows: [Kind: Window] = [:]

  /// When the next window is over; nil if none is open.
  private(set) var nextEnd: ContinuousClock.Instant?

  /// Whether a line is to be written; else it is counted. Ask `sums` first.
  ///
  /// - Parameter sharer: Of a kind that is shared; nil where nobody is named.
  mutating func writes(_ kind: Kind, of sharer: String? = nil, at now: ContinuousClock.Instant) -> Bool {
    var kind = kind
    if windows[kind] == nil, windows.count >= Self.mostKinds {
      kind = Kind(level: kind.level, message: "lines of many kinds", marks: "")
    }
    if windows[kind] == nil {
      windows[kind] = Window(since: now)
      let end = now + Self.window
      nextEnd = nextEnd.map { min($0, end) } ?? end
    }
    return windows[kind]?.writes(kind, of: kind.isShared ? sharer : nil) ?? true
  }

  /// Ends the windows that are over, and begins new ones for kinds that still come.
  ///
  /// - Parameter ends: Whether all windows end now, because nothing is written afterwards.
  /// - Returns: What was held back in them, in the order in which the windows began.
  mutating func sums(at now: ContinuousClock.Instant, ends: Bool = false) -> [Sum] {
    guard let nextEnd, ends || nextEnd <= now else { return [] }
    let over = windows.filter { ends || $0.value.since + Self.window <= now }
    for (kind, window) in over {
      windows[kind] =
        window.held == 0 || ends ? nil : Window(since: now, written: kind.isShared ? 0 : kind.burst)
    }
    self.nextEnd = windows.values.map { $0.since + Self.window }.min()
    return over.filter { $0.value.held > 0 }.sorted { $0.value.since < $1.value.since }.map { kind, window in
      Sum(
        kind: kind, count: window.held, seconds: max(1, Int((now - window.since).components.seconds)),
        mostly: window.sharers.most(Self.mostNamed, over: Self.burstOfSharer))
    }
  }
}
