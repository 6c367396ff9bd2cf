/// What the outbox is going to do, and when. A value; its clock and its dice are arguments.
struct OutboxPlan {
  /// Deliveries that may fail in a row before all of them wait.
  private static let failuresInARow = 16

  private(set) var schedule: DeliverySchedule
  /// When all that is pending is read again: what another process on the store has left is not in the schedule.
  private(set) var nextReading: ContinuousClock.Instant

  private let settings: DeliverySchedule.Settings
  /// What was in the schedule when a reading began, and was not read yet.
  private var unread: Set<AccountID> = []
  /// Whether a reading was asked for since one began.
  private var isReadingWanted = false
  /// What an administrator wants tried before anything else.
  private var wanted: [AccountID] = []

  /// Nothing is tried before, for too much failed in a row.
  private var notBefore: ContinuousClock.Instant
  /// Nothing is tried before, for the upstream has asked for it.
  private var throttledUntil: ContinuousClock.Instant
  private var failures = 0
  private var brakes = 0

  /// Whether the upstream was down, as far as was seen, and nothing was delivered since.
  private var wasDown = false
  /// Whether somebody says that it is back, and one delivery is to find out.
  private var isBackPerhaps = false
  /// Not before then is one tried with an upstream that was down.
  private var nextProbe: ContinuousClock.Instant
  private var failedProbes = 0

  init(_ settings: DeliverySchedule.Settings, at now: ContinuousClock.Instant) {
    self.settings = settings
    schedule = DeliverySchedule(settings)
    nextReading = now
    (nextProbe, notBefore, throttledUntil) = (now, now, now)
  }

  /// How many wait, as far as is known.
  var waiting: Int { schedule.count }

  // MARK: Reading

  mutating func beginReading() {
    isReadingWanted = false
    unread = schedule.ids
  }

  mutating func read(_ ids: [AccountID], at now: ContinuousClock.Instant) {
    for id in ids { schedule.add(id, at: now) }
    unread.subtract(ids)
  }

  /// Everything was read: what was there before and is not any more is forgotten. What was noted meanwhile stays.
  mutating func endReading(at now: ContinuousClock.Instant) {
    for id in unread { schedule.forget(id) }
    unread = []
    nextReading = isReadingWanted ? now : now + settings.maximumPause
  }

  /// The store could not be read: it is tried again as an upstream would be.
  mutating func readingFailed(at now: ContinuousClock.Instant) {
    unread = []
    nextReading = now + min(settings.firstPause * 4, settings.maximumPause)
  }

  /// There is something in the store that nobody has noted.
  mutating func wantReading(at now: ContinuousClock.Instant) {
    isReadingWanted = true
    nextReading = min(nextReading, now)
  }

  // MARK: What was noted and tried

  /// A caller was left with something open.
  mutating func note(_ note: LeftPending.Note, at now: ContinuousClock.Instant, dice: Double) {
    schedule.failed(note.id, note.failure, at: now, dice: dice)
  }

  mutating func begin(_ id: AccountID) -> DeliverySchedule.Entry? {
    schedule.begin(id)
    return schedule[id]
  }

  mutating func postpone(_ id: AccountID, at now: ContinuousClock.Instant) {
    schedule.postpone(id, until: now + settings.firstPause)
  }

  /// It is not pending any more.
  mutating func settle(_ id: AccountID) { schedule.forget(id) }

  /// The upstream has registered one. If it was down, all that waited for it are due.
  mutating func delivered(_ id: AccountID, at now: ContinuousClock.Instant) {
    schedule.forget(id)
    if wasDown { schedule.retry(nil, at: now) }
    (wasDown, isBackPerhaps) = (false, false)
    (failures, brakes, failedProbes) = (0, 0, 0)
    notBefore = now
  }

  mutating func failed(
    _ id: AccountID, _ failure: NetworkFailure?, at now: ContinuousClock.Instant, dice: Double
  ) {
    schedule.failed(id, failure, at: now, dice: dice)
  }

  /// What is due and has failed the fewest times; it is being tried from here on.
  mutating func takeDue(at now: ContinuousClock.Instant) -> AccountID? { schedule.takeDue(at: now) }

  /// It was not tried after all.
  mutating func putBack(_ id: AccountID, at now: ContinuousClock.Instant) { schedule.postpone(id, until: now) }

  /// What one failure means for all the others.
  mutating func consider(_ failure: NetworkFailure, at now: ContinuousClock.Instant, dice: Double) {
    // so many at once are too many, whosever they are
    if case .throttled(let seconds) = failure {
      throttledUntil = max(throttledUntil, now + min(.seconds(seconds ?? 1), settings.maximumPause))
    }
    failures = failure.isOfUpstreamThatWorks ? 0 : failures + 1
    guard failures >= Self.failuresInARow else { return }
    (failures, brakes, wasDown) = (0, brakes + 1, true)
    notBefore = max(notBefore, now + settings.pause(brakes, dice: dice))
  }

  // MARK: Waiting

  func isHeld(at now: ContinuousClock.Instant) -> Bool { max(notBefore, throttledUntil) > now }

  /// An administrator wants one tried, or all, now.
  mutating func retry(_ id: AccountID?, at now: ContinuousClock.Instant) {
    schedule.retry(id, at: now)
    (notBefore, throttledUntil, nextProbe) = (now, now, now)
    if let id { wanted.append(id) }
    if id.map({ schedule[$0] == nil }) ?? true { wantReading(at: now) }
  }

  /// It is being tried from here on.
  mutating func takeWanted() -> AccountID? {
    guard !wanted.isEmpty else { return nil }
    let id = wanted.removeFirst()
    schedule.begin(id)
    return id
  }

  // MARK: An upstream that was down

  mutating func isDown() { wasDown = true }

  mutating func isBack() { (wasDown, isBackPerhaps) = (true, true) }

  /// With whom to try whether an upstream that was down is back: who has failed the fewest times.
  mutating func probe(isOpen: Bool, at now: ContinuousClock.Instant) -> AccountID? {
    guard wasDown, isOpen || isBackPerhaps, nextProbe <= now else { return nil }
    isBackPerhaps = false
    return schedule.leastFailed()
  }

  /// It was tried, and nothing was delivered.
  ///
  /// - Parameter longest: How long an upstream is left alone at most.
  mutating func probeFailed(longest: Duration, at now: ContinuousClock.Instant, dice: Double) {
    failedProbes += 1
    nextProbe = now + min(settings.pause(failedProbes, dice: dice), longest)
  }

  /// How long there is nothing to do.
  ///
  /// - Parameter open: How long the breaker lets nobody through; nil where it is closed.
  mutating func pause(at now: ContinuousClock.Instant, open: Duration?) -> Duration {
    var next = nextReading
    if waiting > 0 {
      var due = schedule.next() ?? nextReading
      if isBackPerhaps, wasDown { due = min(due, nextProbe) }
      // callers come first: who tries whether the upstream is back should be somebody who has not failed before
      if let open { due = max(nextProbe, now + open + settings.firstPause / 2) }
      next = min(next, max(due, notBefore, throttledUntil))
    }
    return max(.milliseconds(20), min(next - now, settings.maximumPause))
  }
}
