/// Why a system has not taken a delivery: `NetworkFailure` of the upstream, `MailTrouble` of the mail system.
package protocol DeliveryFailure: Equatable, Sendable {
  /// Seconds for which the system wants to be left alone with this delivery; nil where it did not say.
  var retryAfterSeconds: Int? { get }
  var bearing: FailureBearing { get }
}

/// What one failure means for all other deliveries.
package enum FailureBearing: Equatable, Sendable {
  /// A system that works gives this answer too.
  case none
  /// It may be the system's: many in a row hold up all.
  case perhapsSystem
  /// The system wants to be left alone for so many seconds: with this delivery, and once it has said so of two in a row, with all.
  case pause(seconds: Int)
}

extension NetworkFailure: DeliveryFailure {
  package var bearing: FailureBearing {
    if case .throttled(let seconds) = self { return .pause(seconds: seconds ?? 1) }
    return isOfUpstreamThatWorks ? .none : .perhapsSystem
  }
}

/// How far a delivery is, as the store keeps it for every regd and over restarts.
package struct DeliveryNote<Failure: Equatable & Sendable>: Equatable, Sendable {
  /// Tries without an answer that counts, of every regd; of registrations also the first, a caller's. Callers' repeats are none.
  package let attempts: Int
  /// What was wrong the last time; nil where it was not the system.
  package let failure: Failure?
  /// Nothing is tried before, by the clock of the regd that has noted it.
  package let next: Timestamp

  package init(attempts: Int, failure: Failure?, next: Timestamp) {
    self.attempts = attempts
    self.failure = failure
    self.next = next
  }
}

/// The lanes in which the deliveries of one user take turns, before its origins do: none of these waits for all of another.
enum DeliveryLane: Int, Hashable, Sendable, CaseIterable {
  /// First tries of what somebody waits for who is known where it goes.
  case known
  /// First tries of what somebody else waits for.
  case awaited
  /// First tries of what nobody waits for.
  case told
  /// Deliveries that were tried before.
  case repeated
}

/// Whose turn a delivery is charged to. Users take turns, each user's lanes, and in a rank of a lane its origins.
struct DeliveryTurn: Hashable, Sendable {
  var share = Share.daemon
  /// That of its first try.
  var lane = DeliveryLane.told
  /// Where it goes, if deliveries there take turns: one at a time is under way. Nil where none is in another's way; then what has failed
  /// least goes first among all of a user's.
  var recipient: EmailKey?

  func lane(attempts: Int) -> DeliveryLane { attempts > 0 && recipient != nil ? .repeated : lane }

  /// In a lane the lowest goes first. Where deliveries to one recipient take turns, lanes tell first tries from repeats.
  func rank(attempts: Int) -> Int { recipient == nil ? min(attempts, Self.lastRank) : 0 }

  /// What has failed so often is put off for as long as any.
  private static let lastRank = 16
}

/// One delivery that waits, as it was read from the store.
struct WaitingDelivery<ID: Hashable & Sendable, Failure: DeliveryFailure>: Equatable, Sendable {
  let id: ID
  var turn = DeliveryTurn()
  /// Nil where nothing was noted yet.
  let note: DeliveryNote<Failure>?
  /// Whether another regd has a claim of it that has not run out.
  let isClaimedElsewhere: Bool
}

/// What is known of the system just now.
package enum DeliveryOutlook: Equatable, Sendable {
  /// It works, as far as is known; it was down, and worked again, so many times.
  case works(recoveries: Int)
  /// It is known to be down.
  ///
  /// - Parameter pause: How long no delivery is let through; nil if the next one would be a probe. While others probe it is
  ///   short.
  case down(pause: Duration?)

  var isDown: Bool { if case .down = self { true } else { false } }

  /// How long no delivery is let through; zero if the next one is.
  var pause: Duration { if case .down(let pause?) = self { pause } else { .zero } }

  /// Whether a delivery would reach the system now.
  var mayBeAsked: Bool { if case .down(.some) = self { false } else { true } }
}

/// What has become of a delivery, for observers.
package enum DeliveryReport<Subject: Equatable & Sendable, Failure: DeliveryFailure>: Equatable, Sendable {
  /// The system has it.
  case delivered(Subject, attempts: Int)
  /// The system will never have it, and it does not wait any more.
  case refused(Subject)
  /// No answer that counts, so many times now.
  case delayed(Subject, attempts: Int, Failure, next: Duration)
}
