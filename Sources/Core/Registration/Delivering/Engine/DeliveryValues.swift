/// Why a system did not accept a delivery: `NetworkFailure` for the upstream, `MailTrouble` for the mail system.
package protocol DeliveryFailure: Equatable, Sendable {
  /// The seconds that the system asks to wait before the next try of this delivery, or nil if it named no time.
  var retryAfterSeconds: Int? { get }
  var bearing: FailureBearing { get }
}

/// The effect of one failure on all other deliveries.
package enum FailureBearing: Equatable, Sendable {
  /// No effect, because a working system gives this answer too.
  case none
  /// The system may be the cause: many such failures in a row pause all deliveries.
  case perhapsSystem
  /// The system asks for a pause of this many seconds. The pause holds for this delivery, and after two such answers in
  /// a row for all deliveries.
  case pause(seconds: Int)
}

extension NetworkFailure: DeliveryFailure {
  package var bearing: FailureBearing {
    if case .throttled(let seconds) = self { return .pause(seconds: seconds ?? 1) }
    return isOfUpstreamThatWorks ? .none : .perhapsSystem
  }
}

/// The progress of a delivery, as the store keeps it for every regd and across restarts.
package struct DeliveryNote<Failure: Equatable & Sendable>: Equatable, Sendable {
  /// The number of tries without a usable answer, by all regd processes. For a registration, the caller's first request
  /// also counts, but repeats by callers do not.
  package let attempts: Int
  /// The last failure that the upstream or the mail system caused, or nil if none.
  package let failure: Failure?
  /// The delivery is not tried before this time, by the clock of the regd that made the note.
  package let next: Timestamp

  package init(attempts: Int, failure: Failure?, next: Timestamp) {
    self.attempts = attempts
    self.failure = failure
    self.next = next
  }
}

/// The kinds of deliveries of one user. The lanes of first tries take turns, and repeats get fewer turns (`DueQueue`), so that
/// no lane waits until another is empty. Within a lane, the user's origins take turns.
enum DeliveryLane: Int, Hashable, Sendable, CaseIterable {
  /// First tries that a person waits for, requested by a user and origin that are known at the recipient's account.
  case known
  /// First tries that a person waits for, requested by any other user and origin.
  case awaited
  /// First tries that no person waits for, and all tries of deliveries without a recipient.
  case told
  /// Deliveries that were tried before.
  case repeated

  static let ofFirstTries = allCases.filter { $0 != .repeated }
  /// How many first tries of a user go before a repeat, if both wait.
  static let firstTriesPerRepeat = 7
}

/// Decides when it is a delivery's turn. Users take turns, then a user's lanes, then the origins in one rank of a lane.
struct DeliveryTurn: Hashable, Sendable {
  var share = Share.daemon
  /// The lane of the first try.
  var lane = DeliveryLane.told
  /// The recipient, to whom only one delivery at a time is in flight. Nil if deliveries need not wait for each other. A
  /// user's deliveries with the fewest failures then go first.
  var recipient: EmailKey?

  func lane(attempts: Int) -> DeliveryLane { attempts > 0 && recipient != nil ? .repeated : lane }

  /// The rank within a lane. The lowest rank goes first. Always 0 with a recipient, because the lane then already
  /// separates first tries from repeats.
  func rank(attempts: Int) -> Int { recipient == nil ? min(attempts, Self.lastRank) : 0 }

  /// The rank of all deliveries that have failed this often or more often. They all wait for the longest pause.
  private static let lastRank = 16
}

/// One delivery that waits, as it was read from the store.
struct WaitingDelivery<ID: Hashable & Sendable, Failure: DeliveryFailure>: Equatable, Sendable {
  let id: ID
  var turn = DeliveryTurn()
  /// The store's note about the delivery, or nil if the store has no note yet.
  let note: DeliveryNote<Failure>?
  /// Whether another regd has an unexpired claim of the delivery, and may be trying it.
  let isClaimedElsewhere: Bool
}

/// Whether the receiving system works, as far as regd knows.
package enum DeliveryOutlook: Equatable, Sendable {
  /// The system works, as far as is known, and it has been down and recovered this many times.
  case works(recoveries: Int)
  /// The system is known to be down.
  ///
  /// - Parameter pause: How long no delivery is let through, or nil if the next delivery would be a probe. Short while
  ///   other requests probe the system.
  case down(pause: Duration?)

  var isDown: Bool { if case .down = self { true } else { false } }

  /// How long no delivery is let through, or zero if the next one is let through.
  var pause: Duration { if case .down(let pause?) = self { pause } else { .zero } }

  /// Whether a delivery would reach the system now.
  var mayBeAsked: Bool { if case .down(.some) = self { false } else { true } }
}

/// The outcome of a delivery or of a try, for observers.
package enum DeliveryReport<Subject: Equatable & Sendable, Failure: DeliveryFailure>: Equatable, Sendable {
  /// The system has accepted the delivery.
  case delivered(Subject, attempts: Int)
  /// The system will never accept the delivery, which no longer waits.
  case refused(Subject)
  /// A try got no usable answer. `attempts` counts the tries so far.
  case delayed(Subject, attempts: Int, Failure, next: Duration)
}

/// The pauses between tries of a delivery.
package struct DeliverySettings: Equatable, Sendable {
  /// The pause after the first failure. Each further failure doubles it.
  package var firstPause: Duration
  package var maximumPause: Duration
  /// How often the store is read for deliveries that other regd processes have left there.
  package var readingPause: Duration

  /// - Parameter readingPause: How often the store is read, or nil for once every `maximumPause`.
  package init(
    firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(300), readingPause: Duration? = nil
  ) {
    self.firstPause = firstPause
    self.maximumPause = maximumPause
    self.readingPause = readingPause ?? maximumPause
  }

  /// The pause after this many failures.
  ///
  /// - Parameter dice: 0 to 1, which shortens the pause by up to a half.
  func pause(_ failures: Int, dice: Double) -> Duration {
    let doubled = firstPause * (1 << max(0, min(failures - 1, 30)))
    return min(doubled, maximumPause) * (1 - dice / 2)
  }
}

/// A pause that grows each time it is extended. A value type: callers pass the time and random numbers (`dice`).
struct GrowingPause {
  /// The end of the pause.
  var until: ContinuousClock.Instant
  private var times = 0

  init(until: ContinuousClock.Instant) { self.until = until }

  mutating func extend(
    _ settings: DeliverySettings, atMost longest: Duration, at now: ContinuousClock.Instant, dice: Double
  ) {
    times += 1
    until = max(until, now + min(settings.pause(times, dice: dice), longest))
  }
}
