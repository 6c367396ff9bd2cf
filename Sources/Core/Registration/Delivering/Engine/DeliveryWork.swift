internal import Tracing

/// What a `Deliverer` delivers, and to which system: the outbox's registrations to the upstream, the mail queue's mails to the mail
/// system. The deliverer decides what is tried when; the work does it.
protocol DeliveryWork: Sendable {
  /// They sort by age, the oldest first.
  associatedtype ID: Hashable & Comparable & Sendable
  associatedtype Failure: DeliveryFailure
  /// What reports are about.
  associatedtype Subject: Equatable & Sendable

  /// Deliveries at once.
  static var width: Int { get }
  var settings: DeliverySettings { get }
  /// Whether there is a system to deliver to; without one, what waits goes on waiting.
  var hasSystem: Bool { get }
  /// How long a system that is down is left alone at most.
  var longestProbePause: Duration { get }
  var time: any TimeSource { get }

  /// What is known of the system just now.
  func outlook(at now: ContinuousClock.Instant) -> DeliveryOutlook

  /// What the store has waiting, in the order of the ids, beginning behind `after`.
  func waiting(after: ID?, limit: Int) async throws(StoreFailure) -> [WaitingDelivery<ID, Failure>]

  /// The id behind which what is new stands, if `newest` was read before; nil if that cannot be told.
  func beforeNew(_ newest: ID) -> ID?

  /// The store was read to its end; `gone` was known before, and waits there no more.
  func hasRead(gone: Set<ID>)

  /// Whether a try is under way, so that none may begin.
  func isUnderWay(_ id: ID) -> Bool

  /// What the log knows a try by.
  func trace(of id: ID) -> Trace

  /// Tries once. Where the task was cancelled, what is returned does not count as a try.
  ///
  /// - Parameters:
  ///   - known: What this regd knows to be noted. Where another regd has noted a pause since, it is kept to.
  ///   - isForced: Whether that pause does not count.
  func deliver(
    _ id: ID, known: DeliveryNote<Failure>?, isForced: Bool, _ now: @Sendable () -> ContinuousClock.Instant
  ) async -> DeliveryResult<ID, Subject, Failure>

  /// Notes in the store how far a delivery is, and ends this regd's claim of it.
  ///
  /// - Parameter note: What is to be noted; asked when it can be, nil if nothing is known any more.
  func note(_ id: ID, _ note: @Sendable () -> DeliveryNote<Failure>?) async -> NotingResult<Failure>

  /// Receives what has become of a delivery; must not block.
  func report(_ report: DeliveryReport<Subject, Failure>)
}

/// What came of one try.
enum DeliveryResult<ID: Hashable & Sendable, Subject: Equatable & Sendable, Failure: DeliveryFailure>: Sendable {
  case delivered(Subject)
  /// The system will never have it; it does not wait any more.
  case refused(Subject)
  /// It does not wait any more. The system was not asked.
  case gone
  /// It is being tried elsewhere. The system was not asked.
  case occupied
  /// Another regd has tried in vain since this one looked last, and has put it off. The system was not asked.
  case putOffElsewhere(WaitingDelivery<ID, Failure>)
  case failed(Subject, Failure)
  /// Not the system has failed, but the store or regd itself.
  case failedHere
}

/// What came of noting.
enum NotingResult<Failure: DeliveryFailure>: Sendable {
  /// A try is under way, whose own end is noted.
  case notNow
  /// Nil if there was nothing to note it by.
  case noted(DeliveryNote<Failure>?)
  case storeFailed
}
