internal import HeapModule

/// Decides when each delivery is tried next: by exponential back-off with jitter, without a limit on the number of
/// tries. Callers pass the time and random numbers (`dice`).
///
/// An operation on one entry takes logarithmic time. Only `retry` of all entries is linear.
struct DeliverySchedule<ID: Hashable & Comparable & Sendable, Failure: DeliveryFailure>: Sendable {
  /// The state of one delivery.
  struct Entry: Equatable, Sendable {
    /// The number of tries without a usable answer since the delivery began to wait.
    var attempts = 0
    var failure: Failure?
    var next: ContinuousClock.Instant
    var turn = DeliveryTurn()
    /// The store's note about the delivery, as far as this process knows.
    fileprivate(set) var noted: DeliveryNote<Failure>?
    fileprivate var phase = Phase.inFlight(isWanted: false)

    /// Whether a queue's element (`Place`) with this version is current, not stale.
    fileprivate func counts(_ version: Int) -> Bool { phase == .waiting(version: version) }

    fileprivate enum Phase: Equatable, Sendable {
      /// The entry is in the queues. Its elements there with another version are stale.
      case waiting(version: Int)
      /// The entry is being tried, and cannot become due. `isWanted` if an administrator has asked for another try
      /// meanwhile.
      case inFlight(isWanted: Bool)
    }
  }

  typealias Place = DeliveryPlace<ID>

  /// A place among others by the instant from which it is due.
  private struct TimedPlace: Comparable, Sendable {
    let place: Place

    static func == (one: TimedPlace, other: TimedPlace) -> Bool { one.place.next == other.place.next }
    static func < (one: TimedPlace, other: TimedPlace) -> Bool { one.place.next < other.place.next }
  }

  var settings: DeliverySettings
  private var entries: [ID: Entry] = [:]
  /// Deliveries that have failed in this process since their last note in the store.
  private(set) var unnoted: Set<ID> = []
  private(set) var day = DayClock()
  private var lastVersion = 0
  private var byTime = Heap<TimedPlace>()
  private var due = DueQueue<ID>()
  /// The recipients with a delivery in flight, each with the due places (queue elements) that wait for it to end.
  private var recipients: [EmailKey: [Place]] = [:]
  /// All entries, ordered by the number of failures, then by lane, then by age (the oldest first).
  private var byRank = Heap<Place>()
  /// Counts all entries by share.
  private let tally: DeliveryTally

  init(_ settings: DeliverySettings, _ tally: DeliveryTally = DeliveryTally()) {
    (self.settings, self.tally) = (settings, tally)
  }

  subscript(id: ID) -> Entry? { entries[id] }

  /// Marks an entry as being tried. It is not due until `failed` or `postpone` puts it back.
  ///
  /// - Returns: How often the delivery has failed.
  @discardableResult
  mutating func begin(_ id: ID) -> Int {
    entries[id]?.phase = .inFlight(isWanted: false)
    if let recipient = entries[id]?.turn.recipient { recipients[recipient, default: []] += [] }
    return entries[id]?.attempts ?? 0
  }

  func isBeingTried(_ id: ID) -> Bool {
    if case .inFlight = entries[id]?.phase { true } else { false }
  }

  mutating func forget(_ id: ID) {
    isOver(id)
    tally.replace(entries[id]?.turn.share, by: nil)
    entries[id] = nil
    unnoted.remove(id)
  }

  /// Ends the entry's try, if there is one. The deliveries that waited for the same recipient become due.
  private mutating func isOver(_ id: ID) {
    guard let entry = entries[id], case .inFlight = entry.phase, let recipient = entry.turn.recipient else { return }
    for place in recipients.removeValue(forKey: recipient) ?? [] where counts(place) { due.append(place) }
  }

  /// Adds a new entry without a history, due at `instant`. An existing entry remains unchanged.
  mutating func add(_ id: ID, _ turn: DeliveryTurn = DeliveryTurn(), at instant: ContinuousClock.Instant) {
    if entries[id] == nil { put(Entry(next: instant, turn: turn), id) }
  }

  var count: Int { entries.count }
  var ids: Set<ID> { Set(entries.keys) }

  /// Notes a failed try, after which the entry pauses (`DeliverySettings.pause`).
  ///
  /// - Parameter failure: The system's failure, or nil if the store failed instead.
  mutating func failed(
    _ id: ID, _ failure: Failure?, at now: ContinuousClock.Instant, dice: Double
  ) {
    var entry = entries[id] ?? Entry(next: now)
    entry.attempts += 1
    entry.failure = failure ?? entry.failure
    var pause = settings.pause(entry.attempts, dice: dice)
    if let asked = failure?.retryAfterSeconds { pause = max(pause, min(.seconds(asked), settings.maximumPause)) }
    entry.next = entry.phase == .inFlight(isWanted: true) ? now : now + pause
    unnoted.insert(id)
    put(entry, id)
  }

  /// Notes that a caller's own request for the delivery has failed. The first such failure starts the entry's pauses.
  /// Further requests by callers do not extend them.
  mutating func asked(_ id: ID, _ failure: Failure?, at now: ContinuousClock.Instant, dice: Double) {
    guard let entry = entries[id], entry.attempts > 0 else { return failed(id, failure, at: now, dice: dice) }
    entries[id]?.failure = failure ?? entry.failure
    // the request has renewed this regd's claim of the delivery, and only another note ends the claim early
    unnoted.insert(id)
  }

  /// Puts an entry back into the queues. It is not due before `instant`.
  mutating func postpone(_ id: ID, until instant: ContinuousClock.Instant) {
    guard var entry = entries[id] else { return }
    entry.next = max(entry.next, instant)
    put(entry, id)
  }

  /// Makes one entry due, or all if `id` is nil.
  mutating func retry(_ id: ID?, at now: ContinuousClock.Instant) {
    for known in id.map({ [$0] }) ?? Array(entries.keys) {
      guard var entry = entries[known] else { continue }
      entry.next = min(entry.next, now)
      switch entry.phase {
      case .waiting: put(entry, known)
      case .inFlight:
        // the entry becomes due once the present try has failed
        entry.phase = .inFlight(isWanted: true)
        entries[known] = entry
      }
    }
  }

  /// Takes the due entry whose turn it is (`DueQueue`), and begins it. Entries that always fail, or one user's thousands of
  /// entries, do not hold up another user. Entries with the same recipient are taken one at a time. The others do not hold up
  /// entries for other recipients.
  mutating func takeDue(at now: ContinuousClock.Instant) -> ID? {
    while let place = byTime.min?.place, place.next <= now || !counts(place) {
      if counts(place) { due.append(place) }
      byTime.removeMin()
    }
    while let place = popDue() {
      // while a delivery to the recipient is in flight, the entry waits in `recipients`, so that entries for other
      // recipients can be taken
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
    while let place = byRank.min {
      if entries[place.id]?.attempts == place.attempts { return place.id }
      byRank.removeMin()
    }
    return nil
  }

  /// When the next entry is due, or nil if every entry is being tried, or there is no entry.
  mutating func next() -> ContinuousClock.Instant? {
    while let place = byTime.min?.place, !counts(place) { byTime.removeMin() }
    let entries = entries
    let due = due.first { entries[$0.id]?.counts($0.version) ?? false }
    return [due?.next, byTime.min?.place.next].compactMap { $0 }.min()
  }

  // MARK: What the store has noted

  /// The state of a waiting delivery: the store's note, unless this process knows newer facts.
  ///
  /// - Parameters:
  ///   - now: The instant of `time`. Notes record pauses as times of day.
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
    // limited, because the clock of the machine that wrote the note may be far ahead
    entry.next = min(max(now, day.instant(at: note.next)), now + settings.maximumPause)
    return entry
  }

  /// Takes over the store's note of a delivery. An entry that is being tried remains unchanged, unless `evenIfTried`
  /// puts it back into the queues.
  mutating func adopt(
    _ waiting: WaitingDelivery<ID, Failure>, at now: ContinuousClock.Instant, _ time: Timestamp,
    evenIfTried: Bool = false
  ) {
    if case .inFlight = entries[waiting.id]?.phase, !evenIfTried { return }
    var entry = entry(waiting, at: now, time)
    guard entry != entries[waiting.id] || evenIfTried else { return }
    if waiting.isClaimedElsewhere { entry.next = max(entry.next, now + settings.firstPause) }
    put(entry, waiting.id)
  }

  /// The note to store about a delivery, or nil if another task has already noted the failure.
  ///
  /// - Parameter time: The time of day at `now`.
  mutating func note(
    of id: ID, at now: ContinuousClock.Instant, _ time: Timestamp
  ) -> DeliveryNote<Failure>? {
    day.look(now, time)
    guard unnoted.contains(id) else { return nil }
    return entries[id].map { entry in
      DeliveryNote(attempts: entry.attempts, failure: entry.failure, next: day.time(of: entry.next))
    }
  }

  /// Records that the store has this note. Nil means that the store could not take a note. A failure after this note
  /// still has to be noted.
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
    tally.replace(entries[id]?.turn.share, by: entry.turn.share)
    entries[id] = entry
    let place = Place(id, entry, version: lastVersion)
    byTime.insert(TimedPlace(place: place))
    if !isRanked { byRank.insert(place) }
    if byTime.count + due.count + byRank.count > 6 * entries.count + 1024 { rebuild() }
  }

  /// Drops stale elements from the queues. Called only when most elements are stale, so the cost is amortized.
  private mutating func rebuild() {
    byTime = Heap()
    due.removeAll()
    byRank = Heap()
    for recipient in recipients.keys { recipients[recipient] = [] }
    for (id, entry) in entries {
      let version: Int? = if case .waiting(let version) = entry.phase { version } else { nil }
      let place = Place(id, entry, version: version ?? lastVersion)
      if version != nil { byTime.insert(TimedPlace(place: place)) }
      byRank.insert(place)
    }
  }
}

extension DeliveryPlace {
  fileprivate init<Failure>(_ id: ID, _ entry: DeliverySchedule<ID, Failure>.Entry, version: Int) {
    self.init(id: id, turn: entry.turn, attempts: entry.attempts, next: entry.next, version: version)
  }
}

/// Converts between instants of the monotonic clock and times of day. An instant gives the same time at every
/// conversion. Only a step of the wall clock, forward or back, shifts all times.
struct DayClock: Sendable {
  /// The most by which the wall clock may differ from the converted time. A greater difference counts as a step.
  private static var tolerance: Duration { .seconds(1) }

  private var instant = ContinuousClock.now
  private var time = Timestamp(microseconds: 0)

  /// Follows a step of the wall clock, if there was one. `time` is the wall clock's reading at `now`.
  mutating func look(_ now: ContinuousClock.Instant, _ time: Timestamp) {
    let difference = Duration.microseconds(time.microseconds - self.time(of: now).microseconds)
    guard difference > Self.tolerance || difference < .zero - Self.tolerance else { return }
    (instant, self.time) = (now, time)
  }

  func time(of instant: ContinuousClock.Instant) -> Timestamp { time.advanced(by: instant - self.instant) }

  func instant(at time: Timestamp) -> ContinuousClock.Instant {
    instant + .microseconds(time.microseconds - self.time.microseconds)
  }
}
