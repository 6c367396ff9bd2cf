/// When each pending account is asked for again: with pauses that grow and have jitter in them, and without an end. A value:
/// its clock and its dice are arguments.
package struct DeliverySchedule: Sendable {
  package struct Settings: Equatable, Sendable {
    /// The pause behind the first failure; each further one doubles it.
    package var firstPause: Duration
    package var maximumPause: Duration

    package init(firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(300)) {
      self.firstPause = firstPause
      self.maximumPause = maximumPause
    }

    /// The pause behind so many failures.
    ///
    /// - Parameter dice: 0 to 1; takes up to half of the pause away.
    func pause(_ failures: Int, dice: Double) -> Duration {
      let doubled = firstPause * (1 << max(0, min(failures - 1, 30)))
      return min(doubled, maximumPause) * (1 - dice / 2)
    }
  }

  /// What is known of one account.
  package struct Entry: Equatable, Sendable {
    /// How often there was no answer that counts, since the daemon started.
    package var attempts = 0
    package var failure: NetworkFailure?
    package var next: ContinuousClock.Instant
    /// The mark that this process has set on the reservation.
    package var mark: Timestamp?
    /// How often in a row the upstream has called the address taken.
    package var timesTaken = 0
    /// Whether somebody wanted it tried while it was being tried.
    fileprivate var isWanted = false
  }

  private let settings: Settings
  private var entries: [AccountID: Entry] = [:]

  package init(_ settings: Settings) { self.settings = settings }

  package subscript(id: AccountID) -> Entry? { entries[id] }

  package func isDue(_ id: AccountID, at now: ContinuousClock.Instant) -> Bool {
    entries[id].map { $0.next <= now } ?? true
  }

  /// It is being tried.
  package mutating func begin(_ id: AccountID) { entries[id]?.isWanted = false }

  package mutating func forget(_ id: AccountID) { entries[id] = nil }

  /// It waits, and nothing else is known of it.
  package mutating func add(_ id: AccountID, at now: ContinuousClock.Instant) {
    if entries[id] == nil { entries[id] = Entry(next: now) }
  }

  package var count: Int { entries.count }
  package var ids: Set<AccountID> { Set(entries.keys) }

  /// Notes that the upstream gave no answer that counts, or that the store failed, where there is no failure of the upstream.
  package mutating func failed(
    _ id: AccountID, _ failure: NetworkFailure?, mark: Timestamp?, isTaken: Bool = false,
    at now: ContinuousClock.Instant, dice: Double
  ) {
    var entry = entries[id] ?? Entry(next: now)
    entry.attempts += 1
    entry.failure = failure ?? entry.failure
    entry.mark = mark ?? entry.mark
    entry.timesTaken = isTaken ? entry.timesTaken + 1 : 0
    var pause = settings.pause(entry.attempts, dice: dice)
    if let asked = failure?.retryAfterSeconds { pause = max(pause, min(.seconds(asked), settings.maximumPause)) }
    entry.next = entry.isWanted ? now : now + pause
    entry.isWanted = false
    entries[id] = entry
  }

  /// Nothing is due before then.
  package mutating func postpone(_ id: AccountID, until instant: ContinuousClock.Instant) {
    if let next = entries[id]?.next { entries[id]?.next = max(next, instant) }
  }

  /// Makes one due, or all.
  package mutating func retry(_ id: AccountID?, at now: ContinuousClock.Instant) {
    for known in id.map({ [$0] }) ?? Array(entries.keys) {
      entries[known]?.next = now
      entries[known]?.isWanted = true
    }
  }

  /// What is due: what has failed the fewest times first, and of those in the order in which they were registered. So a few
  /// that always fail hold nobody up.
  package func due(at now: ContinuousClock.Instant) -> [AccountID] {
    entries.filter { $0.value.next <= now }.sorted { ($0.value.attempts, $0.key) < ($1.value.attempts, $1.key) }.map(
      \.key)
  }

  /// What has failed the fewest times, due or not: the best to try an upstream with that was down.
  package var leastFailed: AccountID? {
    entries.min { ($0.value.attempts, $0.key) < ($1.value.attempts, $1.key) }?.key
  }

  /// When the next is due.
  package var next: ContinuousClock.Instant? { entries.values.map(\.next).min() }
}

extension NetworkFailure {
  /// What the upstream has asked for.
  var retryAfterSeconds: Int? {
    switch self {
    case .unavailable(let seconds), .throttled(let seconds): seconds
    case .congested(let seconds): seconds
    case .offline, .tooEarly, .timeout, .emptyResponse, .malformedResponse, .rejected, .untrusted, .failed: nil
    }
  }
}
