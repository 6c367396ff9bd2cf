internal import Synchronization

/// Decides which delivery is tried next, and when. A value type: callers pass the time and random numbers (`dice`).
struct DeliveryPlan<ID: Hashable & Comparable & Sendable, Failure: DeliveryFailure> {
  /// When to read the whole store for waiting deliveries, because other processes leave some there that the schedule
  /// lacks.
  private enum Reading {
    case due(at: ContinuousClock.Instant)
    /// - Parameters:
    ///   - unread: Entries that the schedule had when the reading began, and that were not read yet.
    ///   - isWantedAgain: Whether another reading was requested since.
    case inFlight(unread: Set<ID>, isWantedAgain: Bool)
  }

  /// An outage begins when the outlook reports that the system is or was down, or when too many deliveries fail in a row.
  /// The first accepted delivery ends the outage and makes all waiting entries due.
  private struct Outage {
    /// Pauses all deliveries after too many have failed in a row.
    var backOff: GrowingPause
    /// The pause until a single delivery probes the system.
    var probing: GrowingPause
    /// Whether the outlook has changed, so that one delivery must find out whether the system takes deliveries again.
    var isProbeWanted = false

    init(at now: ContinuousClock.Instant) { (backOff, probing) = (GrowingPause(until: now), GrowingPause(until: now)) }
  }

  /// After this many failures in a row that may be the system's fault, all deliveries pause.
  private static var failuresInARow: Int { 16 }

  var schedule: DeliverySchedule<ID, Failure>
  private var settings: DeliverySettings
  private var reading: Reading
  /// The greatest id that was read from the store.
  private(set) var newest: ID?
  /// Whether new deliveries in the store were reported, but not read yet.
  var isGlanceWanted = false
  /// The deliveries that an administrator wants tried first.
  private var wanted: [ID] = []
  /// How many deliveries in a row have failed, perhaps by the system's fault.
  private var failures = 0
  /// The delivery that failed last, if the system then asked for a pause.
  private var paused: ID?
  /// The present outage, or nil while the system works.
  private var outage: Outage?
  /// The number of the system's recoveries at the last `look`. A change shows that the system was down meanwhile.
  private var recoveries = 0
  /// Nothing is tried before this instant, because the system asked for a pause.
  private var throttledUntil: ContinuousClock.Instant

  init(_ settings: DeliverySettings, _ tally: DeliveryTally, at now: ContinuousClock.Instant) {
    self.settings = settings
    schedule = DeliverySchedule(settings, tally)
    reading = .due(at: now)
    throttledUntil = now
  }

  /// Continues with other settings. Running pauses keep their length.
  mutating func adopt(_ settings: DeliverySettings) {
    self.settings = settings
    schedule.settings = settings
  }

  /// Prepares for a system that replaces the previous one. The old system's failures and its request for a pause show
  /// nothing about the new system, so all waiting entries become due.
  mutating func meetOtherSystem(at now: ContinuousClock.Instant) {
    retry(nil, at: now)
    outage = nil
    (failures, recoveries) = (0, 0)
  }

  // MARK: Reading

  func isReadingDue(at now: ContinuousClock.Instant) -> Bool {
    if case .due(let instant) = reading { instant <= now } else { false }
  }

  mutating func beginReading() {
    isGlanceWanted = false
    reading = .inFlight(unread: schedule.ids, isWantedAgain: false)
  }

  /// Adds a page from the store to the schedule. `time` is the time of day at `now`.
  mutating func read(_ page: [WaitingDelivery<ID, Failure>], at now: ContinuousClock.Instant, _ time: Timestamp) {
    for waiting in page { schedule.adopt(waiting, at: now, time) }
    newest = [newest, page.last?.id].compactMap(\.self).max()
    guard case .inFlight(let unread, let isWantedAgain) = reading else { return }
    reading = .inFlight(unread: unread.subtracting(page.map(\.id)), isWantedAgain: isWantedAgain)
  }

  /// Ends a reading of the whole store. Removes the entries from before the reading that the store no longer has.
  /// Entries that are being tried remain, because they still delay other deliveries to their recipient.
  ///
  /// - Returns: The removed ids.
  mutating func endReading(at now: ContinuousClock.Instant) -> Set<ID> {
    guard case .inFlight(let unread, let isWantedAgain) = reading else { return [] }
    let gone = unread.filter { !schedule.isBeingTried($0) }
    for id in gone { schedule.forget(id) }
    reading = .due(at: isWantedAgain ? now : now + settings.readingPause)
    return gone
  }

  /// Schedules the next reading after a failure of the store, with a pause of four times `firstPause`, at most `maximumPause`.
  mutating func readingFailed(at now: ContinuousClock.Instant) {
    reading = .due(at: now + min(settings.firstPause * 4, settings.maximumPause))
  }

  /// Requests a reading, because the store may have deliveries that the schedule lacks.
  mutating func wantReading(at now: ContinuousClock.Instant) {
    switch reading {
    case .due(let instant): reading = .due(at: min(instant, now))
    case .inFlight(let unread, _): reading = .inFlight(unread: unread, isWantedAgain: true)
    }
  }

  // MARK: What deliveries prove about the system

  /// Notes that the system has accepted a delivery.
  mutating func delivered(_ id: ID, at now: ContinuousClock.Instant) {
    schedule.forget(id)
    (failures, paused) = (0, nil)
    if outage.take() != nil { schedule.retry(nil, at: now) }
  }

  /// Decides the effect of one failure on all other deliveries.
  mutating func consider(_ failure: Failure, of id: ID, at now: ContinuousClock.Instant, dice: Double) {
    let before = paused
    paused = nil
    switch failure.bearing {
    case .none: failures = 0
    case .perhapsSystem: failures += 1
    case .pause(let seconds):
      (failures, paused) = (0, id)
      // a single request for a pause applies to its delivery only, but a second one in a row, for another delivery,
      // applies to all
      guard let before, before != id else { break }
      throttledUntil = max(throttledUntil, now + min(.seconds(seconds), settings.maximumPause))
    }
    guard failures >= Self.failuresInARow else { return }
    failures = 0
    var outage = outage ?? Outage(at: now)
    outage.backOff.extend(settings, atMost: settings.maximumPause, at: now, dice: dice)
    self.outage = outage
  }

  /// Takes over the present outlook on the system, which may begin an outage.
  mutating func look(_ outlook: DeliveryOutlook, at now: ContinuousClock.Instant) {
    switch outlook {
    case .down: outage = outage ?? Outage(at: now)
    case .works(recoveries): break
    case .works(let recoveries):
      self.recoveries = recoveries
      var outage = outage ?? Outage(at: now)
      outage.isProbeWanted = true
      self.outage = outage
    }
  }

  /// Chooses the delivery to probe the system with during an outage: the one with the fewest failures. Nil if no probe is
  /// needed, or none is due yet.
  mutating func probe(_ outlook: DeliveryOutlook, at now: ContinuousClock.Instant) -> ID? {
    guard let outage, outlook.isDown || outage.isProbeWanted, outage.probing.until <= now else { return nil }
    self.outage?.isProbeWanted = false
    return schedule.leastFailed()
  }

  /// Notes that a probe has delivered nothing.
  ///
  /// - Parameter longest: The longest pause until the next probe.
  mutating func probeFailed(atMost longest: Duration, at now: ContinuousClock.Instant, dice: Double) {
    guard var outage else { return }
    outage.probing.extend(settings, atMost: longest, at: now, dice: dice)
    self.outage = outage
  }

  // MARK: Waiting

  /// Whether nothing may be delivered now.
  func isHeld(at now: ContinuousClock.Instant) -> Bool { heldUntil > now }

  private var heldUntil: ContinuousClock.Instant {
    outage.map { max($0.backOff.until, throttledUntil) } ?? throttledUntil
  }

  /// Makes one delivery due now, or all if `id` is nil, because an administrator asks for it.
  mutating func retry(_ id: ID?, at now: ContinuousClock.Instant) {
    schedule.retry(id, at: now)
    throttledUntil = now
    outage?.backOff.until = now
    outage?.probing.until = now
    if let id { wanted.append(id) }
    if id.map({ schedule[$0] == nil }) ?? true { wantReading(at: now) }
  }

  /// Takes the next delivery that an administrator wants tried, and marks it as being tried.
  mutating func takeWanted() -> ID? {
    guard !wanted.isEmpty else { return nil }
    let id = wanted.removeFirst()
    schedule.begin(id)
    return id
  }

  /// The time until the next waiting entry becomes due, if the system works.
  mutating func pauseUntilNextIsDue(at now: ContinuousClock.Instant) -> Duration {
    let next = schedule.next().map { $0 - now } ?? settings.maximumPause
    return max(.milliseconds(20), min(next, settings.maximumPause))
  }

  /// The time until something is to be done: a reading, a delivery, or a probe of a system that is down.
  mutating func pause(_ outlook: DeliveryOutlook, at now: ContinuousClock.Instant) -> Duration {
    var next = now + settings.maximumPause
    if case .due(let instant) = reading { next = min(next, instant) }
    if schedule.count > 0 {
      var due = schedule.next() ?? next
      switch outlook {
      case .works: if let outage, outage.isProbeWanted { due = min(due, outage.probing.until) }
      // callers' requests come first, because a request that has not failed before is the better probe
      case .down(let pause): due = max(outage?.probing.until ?? now, now + (pause ?? .zero) + settings.firstPause / 2)
      }
      next = min(next, max(due, heldUntil))
    }
    return max(.milliseconds(20), next - now)
  }
}

/// How many deliveries of users wait, in all and by share (user and origin), as far as this process knows. The schedule
/// keeps the numbers, and other parts of regd read them.
///
/// Deliveries of regd's own share are not counted. An administrator made them wait, or their user is unknown. They are
/// never refused, and would otherwise use up the users' room.
final class DeliveryTally: Sendable {
  private struct Numbers {
    var all = 0
    var users: [UInt32?: Int] = [:]
    var shares: [Share: Int] = [:]
  }

  private let numbers = Mutex(Numbers())

  /// - Returns: The numbers of all shares, of this one's user, and of this share.
  func counts(of share: Share) -> WaitingCounts {
    numbers.withLock { numbers in
      WaitingCounts(
        ofAll: numbers.all, ofUser: numbers.users[share.uid] ?? 0, ofOrigin: numbers.shares[share] ?? 0)
    }
  }

  /// Counts a delivery of the share `new` instead of one of the share `old`. Nil means no delivery.
  func replace(_ old: Share?, by new: Share?) {
    let (old, new) = (Self.counted(old), Self.counted(new))
    guard old != new else { return }
    numbers.withLock { numbers in
      if let new {
        numbers.all += 1
        numbers.users[new.uid, default: 0] += 1
        numbers.shares[new, default: 0] += 1
      }
      if let old {
        numbers.all -= 1
        numbers.users[old.uid] = Self.less(numbers.users[old.uid])
        numbers.shares[old] = Self.less(numbers.shares[old])
      }
    }
  }

  private static func counted(_ share: Share?) -> Share? { share == Share.daemon ? nil : share }

  /// The number less one, or nil instead of zero, so that only shares with deliveries take memory.
  private static func less(_ number: Int?) -> Int? { number.flatMap { $0 > 1 ? $0 - 1 : nil } }
}
