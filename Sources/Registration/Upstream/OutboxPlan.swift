/// What the outbox is going to do, and when. A value; its clock and its dice are arguments.
struct OutboxPlan {
  var schedule: DeliverySchedule
  /// How many wait, as far as is known.
  private(set) var waiting = 0
  /// When all that is pending is read again: what another process on the store has left is not in the schedule.
  private(set) var nextReading: ContinuousClock.Instant
  /// Nothing is tried before: the upstream has asked for it, the store cannot be read, or the upstream was down at the last try.
  private(set) var notBefore: ContinuousClock.Instant?

  private let settings: DeliverySchedule.Settings
  /// Whether a reading was asked for since one began.
  private var isReadingWanted = false
  /// What an administrator wants tried before anything else.
  private var wanted: [AccountID] = []
  /// Tries that found the upstream still down, in a row.
  private var failedProbes = 0

  init(_ settings: DeliverySchedule.Settings, at now: ContinuousClock.Instant) {
    self.settings = settings
    schedule = DeliverySchedule(settings)
    nextReading = now
  }

  // MARK: What is known

  /// A caller was left with something open.
  mutating func note(_ note: LeftPending.Note, at now: ContinuousClock.Instant, dice: Double) {
    if schedule[note.id] == nil { waiting += 1 }
    schedule.failed(note.id, note.failure, mark: nil, at: now, dice: dice)
  }

  /// Nothing is known of it any more: it was delivered, or is gone.
  mutating func settle(_ id: AccountID) {
    schedule.forget(id)
    waiting = max(0, waiting - 1)
  }

  mutating func count(_ waiting: Int) { self.waiting = waiting }

  // MARK: Reading

  mutating func beginReading() { isReadingWanted = false }

  /// Everything was read, and all of it was tried or is in the schedule.
  mutating func endReading(_ seen: Set<AccountID>, at now: ContinuousClock.Instant) {
    schedule.keep(seen)
    nextReading = isReadingWanted ? now : now + settings.maximumPause
  }

  /// There is something in the store that nobody has noted.
  mutating func wantReading(at now: ContinuousClock.Instant) {
    isReadingWanted = true
    nextReading = min(nextReading, now)
  }

  // MARK: Waiting

  /// The upstream works again: what has waited for that need not wait any longer.
  mutating func isBack(at now: ContinuousClock.Instant) {
    schedule.retry(nil, at: now)
    failedProbes = 0
    notBefore = nil
  }

  /// An administrator wants one tried, or all, now.
  mutating func retry(_ id: AccountID?, at now: ContinuousClock.Instant) {
    schedule.retry(id, at: now)
    notBefore = nil
    if let id { wanted.append(id) }
    if id.map({ schedule[$0] == nil }) ?? true { wantReading(at: now) }
  }

  mutating func takeWanted() -> [AccountID] {
    defer { wanted = [] }
    return wanted
  }

  /// The upstream was tried, and is still down.
  mutating func probeFailed(at now: ContinuousClock.Instant, dice: Double) {
    failedProbes += 1
    hold(settings.pause(failedProbes, dice: dice), at: now)
  }

  /// What held everything back may be over.
  mutating func release(at now: ContinuousClock.Instant) { notBefore = notBefore.flatMap { $0 > now ? $0 : nil } }

  /// Nothing is tried for so long.
  mutating func hold(_ pause: Duration, at now: ContinuousClock.Instant) {
    notBefore = max(notBefore ?? now, now + min(pause, settings.maximumPause))
  }

  /// How long nothing will be due; what is due and under way elsewhere is looked at again soon.
  func pause(at now: ContinuousClock.Instant, breaker: Duration?) -> Duration {
    var next = min(nextReading, schedule.next ?? nextReading)
    if let notBefore { next = max(next, notBefore) }
    // callers come first: who tries whether the upstream is back should be somebody who has not failed before
    let closed = breaker.map { $0 + settings.firstPause / 2 } ?? .zero
    return max(.milliseconds(20), min(max(next - now, closed), settings.maximumPause))
  }
}
