internal import Tracing

/// One kind of deliveries, and the system that receives them: the outbox's registrations for the upstream, or the mail
/// queue's mails for the mail system. The deliverer decides when each delivery is tried. The work tries it.
protocol DeliveryWork: Sendable {
  /// The ids sort by age, the oldest first.
  associatedtype ID: Hashable & Comparable & Sendable
  associatedtype Failure: DeliveryFailure
  /// The account or mail to be delivered, for reports.
  associatedtype Subject: Equatable & Sendable

  /// The number of deliveries in flight at once.
  static var width: Int { get }
  var settings: DeliverySettings { get }
  /// Whether there is a system to deliver to. Without a system, deliveries keep waiting.
  var hasSystem: Bool { get }
  /// The longest pause between probes of a system that is down.
  var longestProbePause: Duration { get }
  var time: any TimeSource { get }

  /// Whether the system works, as far as is known.
  func outlook(at now: ContinuousClock.Instant) -> DeliveryOutlook

  /// The store's waiting deliveries in the order of their ids, starting after `after`.
  func waiting(after: ID?, limit: Int) async throws(StoreFailure) -> [WaitingDelivery<ID, Failure>]

  /// An id that precedes every delivery added since `newest` was read, or nil to read the store from its beginning.
  func beforeNew(_ newest: ID) -> ID?

  /// Reports that the store was read to its end. The `gone` ids were known before, and no longer wait in the store.
  func hasRead(gone: Set<ID>)

  /// Whether this process is already trying the delivery, so that no other try may begin.
  func isInFlight(_ id: ID) -> Bool

  /// The trace of a try, for the log.
  func trace(of id: ID) -> Trace

  /// Tries once. If the task was cancelled, the result does not count as a try.
  ///
  /// - Parameters:
  ///   - known: The note that this regd has read. If another regd has noted a pause since, this regd observes that pause.
  ///   - isForced: Whether to ignore that pause.
  func deliver(
    _ id: ID, known: DeliveryNote<Failure>?, isForced: Bool, _ now: @Sendable () -> ContinuousClock.Instant
  ) async -> DeliveryResult<ID, Subject, Failure>

  /// Notes the progress of a delivery in the store, and ends this regd's claim of it.
  ///
  /// - Parameter note: Returns the note, or nil if the schedule no longer has the delivery. Called only when a note can
  ///   be stored.
  func note(_ id: ID, _ note: @Sendable () -> DeliveryNote<Failure>?) async -> NotingResult<Failure>

  /// Receives the outcome of a delivery or a try, and must not block.
  func report(_ report: DeliveryReport<Subject, Failure>)
}

/// The outcome of one try.
enum DeliveryResult<ID: Hashable & Sendable, Subject: Equatable & Sendable, Failure: DeliveryFailure>: Sendable {
  case delivered(Subject)
  /// The system will never accept the delivery, which no longer waits.
  case refused(Subject)
  /// The delivery no longer waits. The system was not asked.
  case gone
  /// Another task or another regd is trying the delivery. This try did not ask the system.
  case occupied
  /// Another regd has tried in vain since this regd last looked, and has noted a pause. This try did not ask the
  /// system.
  case putOffElsewhere(WaitingDelivery<ID, Failure>)
  case failed(Subject, Failure)
  /// The store or regd itself failed, not the system.
  case failedHere
}

/// The outcome of `DeliveryWork.note`.
enum NotingResult<Failure: DeliveryFailure>: Sendable {
  /// A try is in flight, which notes its own outcome.
  case notNow
  /// The stored note, or nil if nothing could be noted, for example because another regd has taken over the delivery.
  case noted(DeliveryNote<Failure>?)
  case storeFailed
}
