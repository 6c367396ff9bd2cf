/// When each pending account is asked for again: with pauses that grow and have jitter in them, and without an end. A value:
/// its clock and its dice are arguments.
///
/// Whatever is done to one entry costs the logarithm of how many there are; only `retry` of all of them looks at all.
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
    /// Whether somebody wanted it tried while it was being tried.
    fileprivate var isWanted = false
    /// Which of its places in the queues is the one that counts.
    fileprivate var version = 0
    /// Whether it was taken to be tried, and stands in no queue by time.
    fileprivate var isTaken = false
  }

  /// A place in a queue; it counts as long as the entry has its version.
  private struct Place: Sendable {
    let id: AccountID
    let attempts: Int
    let next: ContinuousClock.Instant
    let version: Int
  }

  private let settings: Settings
  private var entries: [AccountID: Entry] = [:]
  private var lastVersion = 0
  private var byTime = PriorityQueue<Place> { $0.next < $1.next }
  /// Whose time has come: what has failed the fewest times first, and of those in the order in which they were registered.
  /// So a few that always fail hold nobody up.
  private var due = PriorityQueue<Place> { ($0.attempts, $0.id) < ($1.attempts, $1.id) }
  /// All of them in that order.
  private var byRank = PriorityQueue<Place> { ($0.attempts, $0.id) < ($1.attempts, $1.id) }

  package init(_ settings: Settings) { self.settings = settings }

  package subscript(id: AccountID) -> Entry? { entries[id] }

  /// It is being tried. Until it is put back, by `failed` or `postpone`, it is not due.
  package mutating func begin(_ id: AccountID) {
    guard entries[id] != nil else { return }
    entries[id]?.isWanted = false
    take(id)
  }

  package mutating func forget(_ id: AccountID) { entries[id] = nil }

  /// It waits, and nothing else is known of it.
  package mutating func add(_ id: AccountID, at now: ContinuousClock.Instant) {
    if entries[id] == nil { put(Entry(next: now), id) }
  }

  package var count: Int { entries.count }
  package var ids: Set<AccountID> { Set(entries.keys) }

  /// Notes that the upstream gave no answer that counts, or that the store failed, where there is no failure of the upstream.
  package mutating func failed(
    _ id: AccountID, _ failure: NetworkFailure?, at now: ContinuousClock.Instant, dice: Double
  ) {
    var entry = entries[id] ?? Entry(next: now)
    entry.attempts += 1
    entry.failure = failure ?? entry.failure
    var pause = settings.pause(entry.attempts, dice: dice)
    if let asked = failure?.retryAfterSeconds { pause = max(pause, min(.seconds(asked), settings.maximumPause)) }
    entry.next = entry.isWanted ? now : now + pause
    entry.isWanted = false
    put(entry, id)
  }

  /// Nothing is due before then.
  package mutating func postpone(_ id: AccountID, until instant: ContinuousClock.Instant) {
    guard var entry = entries[id] else { return }
    entry.next = max(entry.next, instant)
    put(entry, id)
  }

  /// Makes one due, or all.
  package mutating func retry(_ id: AccountID?, at now: ContinuousClock.Instant) {
    for known in id.map({ [$0] }) ?? Array(entries.keys) {
      guard var entry = entries[known] else { continue }
      entry.next = now
      entry.isWanted = true
      // what is being tried just now finds out when that has failed
      if entry.isTaken { entries[known] = entry } else { put(entry, known) }
    }
  }

  /// Takes what is due and has failed the fewest times, as `begin` does.
  package mutating func takeDue(at now: ContinuousClock.Instant) -> AccountID? {
    while let place = byTime.first, place.next <= now || !counts(place) {
      if counts(place) { due.append(place) }
      _ = byTime.popFirst()
    }
    while let place = due.popFirst() {
      guard counts(place) else { continue }
      take(place.id)
      return place.id
    }
    return nil
  }

  /// What has failed the fewest times, due or not: the best to try an upstream with that was down.
  package mutating func leastFailed() -> AccountID? {
    while let place = byRank.first {
      if entries[place.id]?.attempts == place.attempts { return place.id }
      _ = byRank.popFirst()
    }
    return nil
  }

  /// When the next is due; nil where nothing waits that is not being tried.
  package mutating func next() -> ContinuousClock.Instant? {
    while let place = due.first, !counts(place) { _ = due.popFirst() }
    while let place = byTime.first, !counts(place) { _ = byTime.popFirst() }
    return [due.first?.next, byTime.first?.next].compactMap { $0 }.min()
  }

  // MARK: The queues

  private func counts(_ place: Place) -> Bool { entries[place.id]?.version == place.version }

  private mutating func put(_ entry: Entry, _ id: AccountID) {
    var entry = entry
    lastVersion += 1
    entry.version = lastVersion
    entry.isTaken = false
    let isRanked = entries[id]?.attempts == entry.attempts
    entries[id] = entry
    let place = Place(id: id, attempts: entry.attempts, next: entry.next, version: entry.version)
    byTime.append(place)
    if !isRanked { byRank.append(place) }
    if byTime.count + due.count + byRank.count > 6 * entries.count + 1024 { rebuild() }
  }

  private mutating func take(_ id: AccountID) {
    lastVersion += 1
    entries[id]?.version = lastVersion
    entries[id]?.isTaken = true
  }

  /// Leaves out the places that do not count any more; done when most do not, so that they cost nobody much.
  private mutating func rebuild() {
    byTime.removeAll()
    due.removeAll()
    byRank.removeAll()
    for (id, entry) in entries {
      let place = Place(id: id, attempts: entry.attempts, next: entry.next, version: entry.version)
      if !entry.isTaken { byTime.append(place) }
      byRank.append(place)
    }
  }
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
