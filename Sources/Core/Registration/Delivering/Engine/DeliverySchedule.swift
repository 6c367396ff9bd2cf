/// When each delivery is tried next: exponential back-off with jitter, without an end. A value: its clock and its dice are
/// arguments.
///
/// Every operation on one entry costs the logarithm of their number; only `retry` of all of them is linear.
struct DeliverySchedule<ID: Hashable & Comparable & Sendable, Failure: DeliveryFailure>: Sendable {
  /// What is known of one delivery.
  struct Entry: Equatable, Sendable {
    /// Tries without an answer that counts, since it began to wait.
    var attempts = 0
    var failure: Failure?
    var next: ContinuousClock.Instant
    var turn = DeliveryTurn()
    /// What the store has noted of it, as far as is known here.
    fileprivate(set) var noted: DeliveryNote<Failure>?
    fileprivate var phase = Phase.underWay(isWanted: false)

    /// Whether its place of this version is not stale.
    fileprivate func counts(_ version: Int) -> Bool { phase == .waiting(version: version) }

    fileprivate enum Phase: Equatable, Sendable {
      /// It stands in the queues; places of another version are stale.
      case waiting(version: Int)
      /// It is being tried, and so stands in no queue by time. `isWanted`: meanwhile an administrator wanted it tried.
      case underWay(isWanted: Bool)
    }
  }

  typealias Place = DeliveryPlace<ID>

  var settings: DeliverySettings
  private var entries: [ID: Entry] = [:]
  /// What has failed here since it was last noted in the store.
  private(set) var unnoted: Set<ID> = []
  private(set) var day = DayClock()
  private var lastVersion = 0
  private var byTime = PriorityQueue<Place> { $0.next < $1.next }
  /// Entries whose time has come.
  private var due = DueQueue<ID>()
  /// Where something is under way, and what is due there after it.
  private var recipients: [EmailKey: [Place]] = [:]
  /// All of them: the fewest failures first, and among those what is waited for, and then the oldest.
  private var byRank = PriorityQueue<Place> { $0.goesBefore($1) }

  init(_ settings: DeliverySettings) { self.settings = settings }

  subscript(id: ID) -> Entry? { entries[id] }

  /// It is being tried. Until it is put back, by `failed` or `postpone`, it is not due.
  ///
  /// - Returns: How often it has failed.
  @discardableResult
  mutating func begin(_ id: ID) -> Int {
    entries[id]?.phase = .underWay(isWanted: false)
    if let recipient = entries[id]?.turn.recipient { recipients[recipient, default: []] += [] }
    return entries[id]?.attempts ?? 0
  }

  mutating func forget(_ id: ID) {
    isOver(id)
    entries[id] = nil
    unnoted.remove(id)
  }

  /// It is not being tried any more, if it was: what is due at its recipient takes its turn.
  private mutating func isOver(_ id: ID) {
    guard let entry = entries[id], case .underWay = entry.phase, let recipient = entry.turn.recipient else { return }
    for place in recipients.removeValue(forKey: recipient) ?? [] where counts(place) { due.append(place) }
  }

  /// One that waits and of which nothing else is known; due at `instant`. One that is known already stays as it is.
  mutating func add(_ id: ID, _ turn: DeliveryTurn = DeliveryTurn(), at instant: ContinuousClock.Instant) {
    if entries[id] == nil { put(Entry(next: instant, turn: turn), id) }
  }

  var count: Int { entries.count }
  var ids: Set<ID> { Set(entries.keys) }

  /// A try has failed: the pause behind it grows.
  ///
  /// - Parameter failure: Nil if the store has failed and not the system.
  mutating func failed(
    _ id: ID, _ failure: Failure?, at now: ContinuousClock.Instant, dice: Double
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

  /// A caller has asked for it in vain. The first ask begins its pauses; repeats, however many, put nothing off.
  mutating func asked(_ id: ID, _ failure: Failure?, at now: ContinuousClock.Instant, dice: Double) {
    guard let entry = entries[id], entry.attempts > 0 else { return failed(id, failure, at: now, dice: dice) }
    entries[id]?.failure = failure ?? entry.failure
    // the note ends the claim that the repeat has renewed
    unnoted.insert(id)
  }

  /// Puts an entry back into the queues; it is not due before `instant`.
  mutating func postpone(_ id: ID, until instant: ContinuousClock.Instant) {
    guard var entry = entries[id] else { return }
    entry.next = max(entry.next, instant)
    put(entry, id)
  }

  /// Makes one due, or all.
  mutating func retry(_ id: ID?, at now: ContinuousClock.Instant) {
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

  /// Takes the entry that is due and whose turn it is, as `begin` does: users take turns, each user's lanes, in a rank of a lane its
  /// origins, then what has failed the fewest times, then the oldest. So neither a few that always fail nor one user's thousands hold up another
  /// one's. Of those with one recipient one is taken at a time: the others hold up nothing that goes elsewhere.
  mutating func takeDue(at now: ContinuousClock.Instant) -> ID? {
    while let place = byTime.first, place.next <= now || !counts(place) {
      if counts(place) { due.append(place) }
      _ = byTime.popFirst()
    }
    while let place = popDue() {
      // what goes where something is under way is in nobody else's way
      if let recipient = place.turn.recipient, recipients[recipient]?.append(place) != nil { continue }
      begin(place.id)
      return place.id
    }
    return nil
  }

  private mutating func popDue() -> Place? {
    let entries = entries
    return due.popFirst { entries[$0.id]?.counts($0.version) ?? false }
  }

  /// The entry with the fewest failures, due or not: the best probe for a system that was down.
  mutating func leastFailed() -> ID? {
    while let place = byRank.first {
      if entries[place.id]?.attempts == place.attempts { return place.id }
      _ = byRank.popFirst()
    }
    return nil
  }

  /// When the next entry is due; nil if there is none but those that are being tried.
  mutating func next() -> ContinuousClock.Instant? {
    while let place = byTime.first, !counts(place) { _ = byTime.popFirst() }
    let entries = entries
    let due = due.first { entries[$0.id]?.counts($0.version) ?? false }
    return [due?.next, byTime.first?.next].compactMap { $0 }.min()
  }

  // MARK: What the store has noted

  /// What there is to know of one: what the store has noted, unless what is known here is newer.
  ///
  /// - Parameters:
  ///   - now: The same moment as `time`, by which pauses are noted.
  mutating func entry(
    _ waiting: WaitingDelivery<ID, Failure>, at now: ContinuousClock.Instant, _ time: Timestamp
  ) -> Entry {
    day.look(now, time)
    var entry = entries[waiting.id] ?? Entry(next: now)
    entry.turn = waiting.turn
    guard let note = waiting.note, note != entry.noted, !unnoted.contains(waiting.id) else { return entry }
    entry.attempts = note.attempts
    entry.failure = note.failure
    entry.noted = note
    // another machine's clock may be far ahead
    entry.next = min(max(now, day.instant(at: note.next)), now + settings.maximumPause)
    return entry
  }

  /// Takes over what the store has noted. What is being tried here stays as it is, but for `evenIfTried`, which puts it back.
  mutating func adopt(
    _ waiting: WaitingDelivery<ID, Failure>, at now: ContinuousClock.Instant, _ time: Timestamp,
    evenIfTried: Bool = false
  ) {
    if case .underWay = entries[waiting.id]?.phase, !evenIfTried { return }
    var entry = entry(waiting, at: now, time)
    guard entry != entries[waiting.id] || evenIfTried else { return }
    if waiting.isClaimedElsewhere { entry.next = max(entry.next, now + settings.firstPause) }
    put(entry, waiting.id)
  }

  /// The note on one; nil where there is nothing to note: several that went through `unnoted` note each failure once.
  ///
  /// - Parameter time: The same moment as `now`.
  mutating func note(
    of id: ID, at now: ContinuousClock.Instant, _ time: Timestamp
  ) -> DeliveryNote<Failure>? {
    day.look(now, time)
    guard unnoted.contains(id) else { return nil }
    return entries[id].map { entry in
      DeliveryNote(attempts: entry.attempts, failure: entry.failure, next: day.time(of: entry.next))
    }
  }

  /// The store has noted this of it; nil if there was nothing to note. What has failed since is still to be noted.
  mutating func noted(_ id: ID, _ note: DeliveryNote<Failure>?) {
    if let note { entries[id]?.noted = note }
    if note == nil || entries[id]?.attempts == note?.attempts { unnoted.remove(id) }
  }

  // MARK: The queues

  private func counts(_ place: Place) -> Bool { entries[place.id]?.counts(place.version) ?? false }

  fileprivate mutating func put(_ entry: Entry, _ id: ID) {
    var entry = entry
    lastVersion += 1
    isOver(id)
    entry.phase = .waiting(version: lastVersion)
    let isRanked = entries[id]?.attempts == entry.attempts
    entries[id] = entry
    let place = Place(id, entry, version: lastVersion)
    byTime.append(place)
    if !isRanked { byRank.append(place) }
    if byTime.count + due.count + byRank.count > 6 * entries.count + 1024 { rebuild() }
  }

  /// Leaves out stale places. Done when most are stale, so that its cost is amortized.
  private mutating func rebuild() {
    byTime.removeAll()
    due.removeAll()
    byRank.removeAll()
    for recipient in recipients.keys { recipients[recipient] = [] }
    for (id, entry) in entries {
      let version: Int? = if case .waiting(let version) = entry.phase { version } else { nil }
      let place = Place(id, entry, version: version ?? lastVersion)
      if version != nil { byTime.append(place) }
      byRank.append(place)
    }
  }
}

extension DeliveryPlace {
  fileprivate init<Failure>(_ id: ID, _ entry: DeliverySchedule<ID, Failure>.Entry, version: Int) {
    self.init(id: id, turn: entry.turn, attempts: entry.attempts, next: entry.next, version: version)
  }
}
