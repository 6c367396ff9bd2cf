/// What is delivered next, and when. A value; its clock and its dice are arguments.
struct DeliveryPlan<ID: Hashable & Comparable & Sendable, Failure: DeliveryFailure> {
  /// When the store is read for all that is pending: what another process has left there is not in the schedule.
  private enum Reading {
    case due(at: ContinuousClock.Instant)
    /// - Parameters:
    ///   - unread: What was in the schedule when the reading began and was not read yet.
    ///   - isWantedAgain: Whether another reading was asked for since.
    case underWay(unread: Set<ID>, isWantedAgain: Bool)
  }

  /// The system was down, as its outlook said or by too many failed deliveries in a row, and nothing was delivered since. The
  /// first delivery ends the outage and makes all that waits due.
  private struct Outage {
    /// Before it is over, nothing is delivered: too many deliveries failed in a row.
    var backOff: GrowingPause
    /// Before it is over, no single delivery is made as a probe of the system.
    var probing: GrowingPause
    /// Whether the outlook has changed, and one delivery is to find out whether the system takes deliveries again.
    var isProbeWanted = false

    init(at now: ContinuousClock.Instant) { (backOff, probing) = (GrowingPause(until: now), GrowingPause(until: now)) }
  }

  /// Deliveries that may fail in a row before all of them wait.
  private static var failuresInARow: Int { 16 }

  var schedule: DeliverySchedule<ID, Failure>
  private var settings: DeliverySettings
  private var reading: Reading
  /// The last that was read, in the order of ids.
  private(set) var newest: ID?
  /// Whether there is something new in the store.
  var isGlanceWanted = false
  /// What an administrator wants tried before anything else.
  private var wanted: [ID] = []
  /// Deliveries that have failed in a row.
  private var failures = 0
  /// The last that failed, if the system has asked for a pause then.
  private var paused: ID?
  /// Nil as long as the system works.
  private var outage: Outage?
  /// How often the system had come back when it was looked at last.
  private var recoveries = 0
  /// Nothing is tried before, for the system has asked for it.
  private var throttledUntil: ContinuousClock.Instant

  init(_ settings: DeliverySettings, at now: ContinuousClock.Instant) {
    self.settings = settings
    schedule = DeliverySchedule(settings)
    reading = .due(at: now)
    throttledUntil = now
  }

  /// Goes on by other settings; pauses that have begun stay as long as they were to be.
  mutating func adopt(_ settings: DeliverySettings) {
    self.settings = settings
    schedule.settings = settings
  }

  /// Another system takes the place of the one that was: its failures and its wish for a pause say nothing of the new one,
  /// and all that waits is due.
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
    reading = .underWay(unread: schedule.ids, isWantedAgain: false)
  }

  /// - Parameter time: The same moment as `now`.
  mutating func read(_ page: [WaitingDelivery<ID, Failure>], at now: ContinuousClock.Instant, _ time: Timestamp) {
    for waiting in page { schedule.adopt(waiting, at: now, time) }
    newest = [newest, page.last?.id].compactMap(\.self).max()
    guard case .underWay(let unread, let isWantedAgain) = reading else { return }
    reading = .underWay(unread: unread.subtracting(page.map(\.id)), isWantedAgain: isWantedAgain)
  }

  /// Everything was read. What was in the schedule before and does not wait any more is forgotten; what came into it
  /// meanwhile stays.
  ///
  /// - Returns: What is forgotten.
  mutating func endReading(at now: ContinuousClock.Instant) -> Set<ID> {
    guard case .underWay(let unread, let isWantedAgain) = reading else { return [] }
    for id in unread { schedule.forget(id) }
    reading = .due(at: isWantedAgain ? now : now + settings.readingPause)
    return unread
  }

  /// The store could not be read: it is tried again as the system would be.
  mutating func readingFailed(at now: ContinuousClock.Instant) {
    reading = .due(at: now + min(settings.firstPause * 4, settings.maximumPause))
  }

  /// The store has something waiting that the schedule may lack.
  mutating func wantReading(at now: ContinuousClock.Instant) {
    switch reading {
    case .due(let instant): reading = .due(at: min(instant, now))
    case .underWay(let unread, _): reading = .underWay(unread: unread, isWantedAgain: true)
    }
  }

  // MARK: What deliveries show of the system

  /// The system has taken one.
  mutating func delivered(_ id: ID, at now: ContinuousClock.Instant) {
    schedule.forget(id)
    (failures, paused) = (0, nil)
    if outage.take() != nil { schedule.retry(nil, at: now) }
  }

  /// What one failure means for all other deliveries.
  mutating func consider(_ failure: Failure, of id: ID, at now: ContinuousClock.Instant, dice: Double) {
    let before = paused
    paused = nil
    switch failure.bearing {
    case .none: failures = 0
    case .perhapsSystem: failures += 1
    case .pause(let seconds):
      (failures, paused) = (0, id)
      // asked for with one delivery only, the pause is that one's own
      guard let before, before != id else { break }
      throttledUntil = max(throttledUntil, now + min(.seconds(seconds), settings.maximumPause))
    }
    guard failures >= Self.failuresInARow else { return }
    failures = 0
    var outage = outage ?? Outage(at: now)
    outage.backOff.extend(settings, atMost: settings.maximumPause, at: now, dice: dice)
    self.outage = outage
  }

  /// Takes over what is known of the system.
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

  /// The one to try with whether a system that was down is back: the one that has failed the fewest times. Nil if
  /// there is nothing to find out, or not yet.
  mutating func probe(_ outlook: DeliveryOutlook, at now: ContinuousClock.Instant) -> ID? {
    guard let outage, outlook.isDown || outage.isProbeWanted, outage.probing.until <= now else { return nil }
    self.outage?.isProbeWanted = false
    return schedule.leastFailed()
  }

  /// A probe has delivered nothing.
  ///
  /// - Parameter longest: How long a system is left alone at most.
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

  /// An administrator wants one tried, or all, now.
  mutating func retry(_ id: ID?, at now: ContinuousClock.Instant) {
    schedule.retry(id, at: now)
    throttledUntil = now
    outage?.backOff.until = now
    outage?.probing.until = now
    if let id { wanted.append(id) }
    if id.map({ schedule[$0] == nil }) ?? true { wantReading(at: now) }
  }

  /// Takes the next that an administrator wants tried, as `DeliverySchedule.begin` does.
  mutating func takeWanted() -> ID? {
    guard !wanted.isEmpty else { return nil }
    let id = wanted.removeFirst()
    schedule.begin(id)
    return id
  }

  /// How long nothing becomes due of what waits, if the system works.
  mutating func pauseUntilNextIsDue(at now: ContinuousClock.Instant) -> Duration {
    let next = schedule.next().map { $0 - now } ?? settings.maximumPause
    return max(.milliseconds(20), min(next, settings.maximumPause))
  }

  /// How long there is nothing to do.
  mutating func pause(_ outlook: DeliveryOutlook, at now: ContinuousClock.Instant) -> Duration {
    var next = now + settings.maximumPause
    if case .due(let instant) = reading { next = min(next, instant) }
    if schedule.count > 0 {
      var due = schedule.next() ?? next
      switch outlook {
      case .works: if let outage, outage.isProbeWanted { due = min(due, outage.probing.until) }
      // callers come first: a probe should be a request that has not failed before
      case .down(let pause): due = max(outage?.probing.until ?? now, now + (pause ?? .zero) + settings.firstPause / 2)
      }
      next = min(next, max(due, heldUntil))
    }
    return max(.milliseconds(20), next - now)
  }
}
