/// When each pending account is delivered next: exponential back-off with jitter, without an end. A value: its clock and its
/// dice are arguments.
///
/// Every operation on one entry costs the logarithm of their number; only `retry` of all of them is linear.
package struct DeliverySchedule: Sendable {
  package struct Settings: Equatable, Sendable {
    /// The pause behind the first failure; each further one doubles it.
    package var firstPause: Duration
    package var maximumPause: Duration
    /// How often the store is read for what other regd have left there.
    package var readingPause: Duration

    /// - Parameter readingPause: Nil for `maximumPause`.
    package init(
      firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(300), readingPause: Duration? = nil
    ) {
      self.firstPause = firstPause
      self.maximumPause = maximumPause
      self.readingPause = readingPause ?? maximumPause
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
    /// Requests to the upstream without an answer that counts, since the account was registered.
    package var attempts = 0
    package var failure: NetworkFailure?
    package var next: ContinuousClock.Instant
    /// What the store has noted of it, as far as is known here.
    package fileprivate(set) var noted: Delivery?
    fileprivate var phase = Phase.underWay(isWanted: false)

    fileprivate enum Phase: Equatable, Sendable {
      /// It stands in the queues; places of another version are stale.
      case waiting(version: Int)
      /// It is being tried, and so stands in no queue by time. `isWanted`: meanwhile an administrator wanted it tried.
      case underWay(isWanted: Bool)
    }
  }

  /// A place in a queue; it counts as long as the entry has its version.
  private struct Place: Sendable {
    let id: AccountID
    let attempts: Int
    let next: ContinuousClock.Instant
    let version: Int
  }

  var settings: Settings
  private var entries: [AccountID: Entry] = [:]
  /// What has failed here since it was last noted in the store.
  package private(set) var unnoted: Set<AccountID> = []
  private var lastVersion = 0
  private var byTime = PriorityQueue<Place> { $0.next < $1.next }
  /// Entries whose time has come: the fewest failures first, and among those the oldest registration. So a few that always
  /// fail delay no others.
  private var due = PriorityQueue<Place> { ($0.attempts, $0.id) < ($1.attempts, $1.id) }
  /// All of them in that order.
  private var byRank = PriorityQueue<Place> { ($0.attempts, $0.id) < ($1.attempts, $1.id) }

  package init(_ settings: Settings) { self.settings = settings }

  package subscript(id: AccountID) -> Entry? { entries[id] }

  /// It is being tried. Until it is put back, by `failed` or `postpone`, it is not due.
  ///
  /// - Returns: How often it has failed.
  @discardableResult
  package mutating func begin(_ id: AccountID) -> Int {
    entries[id]?.phase = .underWay(isWanted: false)
    return entries[id]?.attempts ?? 0
  }

  package mutating func forget(_ id: AccountID) {
    entries[id] = nil
    unnoted.remove(id)
  }

  /// An account that waits and of which nothing else is known; due at once. One that is known already stays as it is.
  package mutating func add(_ id: AccountID, at now: ContinuousClock.Instant) {
    if entries[id] == nil { put(Entry(next: now), id) }
  }

  package var count: Int { entries.count }
  package var ids: Set<AccountID> { Set(entries.keys) }

  /// A try has failed: the pause behind it grows.
  ///
  /// - Parameter failure: Nil if the store has failed and not the upstream.
  package mutating func failed(
    _ id: AccountID, _ failure: NetworkFailure?, at now: ContinuousClock.Instant, dice: Double
  ) {
    var entry = entries[id] ?? Entry(next: now)
    entry.attempts += 1
    entry.failure = failure ?? entry.failure
    var pause = settings.pause(entry.attempts, dice: dice)
    if let asked = failure?.retryAfterSeconds { pause = max(pause, min(.seconds(asked), settings.maximumPause)) }
    entry.next = entry.phase == .underWay(isWanted: true) ? now : now + pause
    unnoted.insert(id)
    put(entry, id)
  }

  /// Puts an entry back into the queues; it is not due before `instant`.
  package mutating func postpone(_ id: AccountID, until instant: ContinuousClock.Instant) {
    guard var entry = entries[id] else { return }
    entry.next = max(entry.next, instant)
    put(entry, id)
  }

  /// Makes one due, or all.
  package mutating func retry(_ id: AccountID?, at now: ContinuousClock.Instant) {
    for known in id.map({ [$0] }) ?? Array(entries.keys) {
      guard var entry = entries[known] else { continue }
      entry.next = min(entry.next, now)
      switch entry.phase {
      case .waiting: put(entry, known)
      case .underWay:
        // due when that try has failed
        entry.phase = .underWay(isWanted: true)
        entries[known] = entry
      }
    }
  }

  /// Takes the entry that is due and has the fewest failures, as `begin` does.
  package mutating func takeDue(at now: ContinuousClock.Instant) -> AccountID? {
    while let place = byTime.first, place.next <= now || !counts(place) {
      if counts(place) { due.append(place) }
      _ = byTime.popFirst()
    }
    while let place = due.popFirst() {
      guard counts(place) else { continue }
      begin(place.id)
      return place.id
    }
    return nil
  }

  /// The entry with the fewest failures, due or not: the best probe for an upstream that was down.
  package mutating func leastFailed() -> AccountID? {
    while let place = byRank.first {
      if entries[place.id]?.attempts == place.attempts { return place.id }
      _ = byRank.popFirst()
    }
    return nil
  }

  /// When the next entry is due; nil if there is none but those that are being tried.
  package mutating func next() -> ContinuousClock.Instant? {
    while let place = due.first, !counts(place) { _ = due.popFirst() }
    while let place = byTime.first, !counts(place) { _ = byTime.popFirst() }
    return [due.first?.next, byTime.first?.next].compactMap { $0 }.min()
  }

  // MARK: What the store has noted

  /// What there is to know of an account: what the store has noted, unless what is known here is newer.
  ///
  /// - Parameters:
  ///   - now: The same moment as `time`, by which pauses are noted.
  package func entry(_ pending: PendingAccount, at now: ContinuousClock.Instant, _ time: Timestamp) -> Entry {
    let id = pending.stored.account.id
    var entry = entries[id] ?? Entry(next: now)
    guard let delivery = pending.delivery, delivery != entry.noted, !unnoted.contains(id) else { return entry }
    entry.attempts = delivery.attempts
    entry.failure = delivery.failure
    entry.noted = delivery
    // another machine's clock may be far ahead
    let pause = Duration.microseconds(delivery.next.microseconds - time.microseconds)
    entry.next = now + min(max(.zero, pause), settings.maximumPause)
    return entry
  }

  /// Takes over what the store has noted. What is being tried here stays as it is, but for `evenIfTried`, which puts it back.
  package mutating func adopt(
    _ pending: PendingAccount, at now: ContinuousClock.Instant, _ time: Timestamp, evenIfTried: Bool = false
  ) {
    let id = pending.stored.account.id
    if case .underWay = entries[id]?.phase, !evenIfTried { return }
    var entry = entry(pending, at: now, time)
    guard entry != entries[id] || evenIfTried else { return }
    if pending.isClaimedElsewhere { entry.next = max(entry.next, now + settings.firstPause) }
    put(entry, id)
  }

  /// The store has noted this of it; nil if there was nothing to note. What has failed since is still to be noted.
  package mutating func noted(_ id: AccountID, _ delivery: Delivery?) {
    if let delivery { entries[id]?.noted = delivery }
    if delivery == nil || entries[id]?.attempts == delivery?.attempts { unnoted.remove(id) }
  }

  // MARK: The queues

  private func counts(_ place: Place) -> Bool { entries[place.id]?.phase == .waiting(version: place.version) }

  fileprivate mutating func put(_ entry: Entry, _ id: AccountID) {
    var entry = entry
    lastVersion += 1
    entry.phase = .waiting(version: lastVersion)
    let isRanked = entries[id]?.attempts == entry.attempts
    entries[id] = entry
    let place = Place(id: id, attempts: entry.attempts, next: entry.next, version: lastVersion)
    byTime.append(place)
    if !isRanked { byRank.append(place) }
    if byTime.count + due.count + byRank.count > 6 * entries.count + 1024 { rebuild() }
  }

  /// Leaves out stale places. Done when most are stale, so that its cost is amortized.
  private mutating func rebuild() {
    byTime.removeAll()
    due.removeAll()
    byRank.removeAll()
    for (id, entry) in entries {
      let version: Int? = if case .waiting(let version) = entry.phase { version } else { nil }
      let place = Place(id: id, attempts: entry.attempts, next: entry.next, version: version ?? lastVersion)
      if version != nil { byTime.append(place) }
      byRank.append(place)
    }
  }
}
