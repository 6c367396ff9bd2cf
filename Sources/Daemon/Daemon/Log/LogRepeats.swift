internal import Logging

/// Decides which lines are written, and which are held back as repetitions. This is a state machine without a clock.
///
/// Lines of one kind differ only in their details. A kind's first window writes its first lines (`Kind.burst`) and
/// counts the others. At the end of the window, one line gives their number. The following windows write only that
/// number, until a window has had nothing to count.
///
/// A shared kind counts the lines of all origins of a user, called sharers. Each of its windows starts afresh, writes
/// only a few lines per sharer, and reserves some lines for sharers who return. Therefore a frequent sharer remains
/// visible among many that occur once, and the sum names the most frequent one.
struct LogRepeats {
  /// The properties by which lines are equal: level, message, and the metadata about what happened and to which user.
  struct Kind: Hashable {
    let level: Logger.Level
    let message: String
    let marks: String
    /// The line's `MESSAGE_ID`, if it has one.
    var id: String?
    /// Whether several origins of the user in `marks` share the kind.
    var isShared = false

    /// How many lines are written per window. More for successes than for failures: an operator looks for one registration
    /// among others, while one line is enough for an outage.
    var burst: Int { level < .notice ? LogRepeats.burstOfNews : LogRepeats.burst }
  }

  /// The sum of held-back lines.
  struct Sum: Equatable {
    let kind: Kind
    let count: Int
    /// The length of the window, at least 1.
    let seconds: Int
    /// The most frequent sharers (origins), each with more lines than `burstOfSharer`.
    var mostly: [FrequentNames.Entry] = []
  }

  static let window: Duration = .seconds(60)
  /// Lines of a kind per window, from the level notice up.
  static let burst = 5
  /// Lines of a kind per window, below the level notice.
  static let burstOfNews = 60
  /// Lines of a shared kind per window and sharer (origin).
  static let burstOfSharer = 5
  /// The most sharers that a sum names.
  private static let mostNamed = 3
  /// How many kinds are distinguished at once. Lines of further kinds are counted together, by level. Otherwise a text
  /// that an upstream or a caller influences could open a new window with each change.
  static let mostKinds = 256

  private struct Window {
    var since: ContinuousClock.Instant
    var written = 0
    var held = 0
    var sharers = FrequentNames()

    /// Decides whether to write a line, and counts it. `sharer` is nil if the kind is not shared or the sharer is unknown.
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

  /// When the next window ends, or nil if none is open.
  private(set) var nextEnd: ContinuousClock.Instant?

  /// Decides whether to write a line, and counts it otherwise. `sums` must be called first.
  ///
  /// - Parameter sharer: The sharer of a shared kind, or nil if unknown.
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

  /// Ends the windows whose time has passed, and begins new ones for kinds that continue to occur.
  ///
  /// - Parameter ends: Whether to end all windows, because nothing is written afterwards.
  /// - Returns: The sums of held-back lines, in the order in which their windows began.
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

/// Finds the most frequent among more names than it can hold (A. Metwally, D. Agrawal, A. El Abbadi: "Efficient Computation of
/// Frequent and Top-k Elements in Data Streams", 2005). A new name replaces the least frequent one and inherits its count. So a
/// name with more than 1/`capacity` of all occurrences is always held, however many names occur once.
struct FrequentNames: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    let name: String
    /// An upper bound of the name's occurrences.
    let count: Int
  }

  private struct Count: Equatable {
    /// An upper bound of the name's occurrences.
    var most: Int
    /// The part of `most` that may belong to names that this one replaced.
    let inherited: Int

    /// The occurrences that the name certainly has.
    var certain: Int { most - inherited }
  }

  /// How many names are counted at once.
  static let capacity = 64

  private var counts: [String: Count] = [:]

  /// - Returns: A lower bound of the name's occurrences, including this one.
  mutating func add(_ name: String) -> Int {
    var count = counts[name] ?? Count(most: 0, inherited: 0)
    if counts[name] == nil, counts.count >= Self.capacity,
      let least = counts.min(by: { $0.value.most < $1.value.most })
    {
      counts[least.key] = nil
      count = Count(most: least.value.most, inherited: least.value.most)
    }
    count.most += 1
    counts[name] = count
    return count.certain
  }

  /// The most frequent names among those that certainly occurred more often than `bound`.
  func most(_ number: Int, over bound: Int) -> [Entry] {
    counts.filter { $0.value.certain > bound }.sorted { ($1.value.most, $0.key) < ($0.value.most, $1.key) }
      .prefix(number).map { Entry(name: $0.key, count: $0.value.most) }
  }
}
