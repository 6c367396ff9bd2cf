/// Decides the steps of one operation, but performs none: `next` takes the result of the last action, an event, and
/// returns the next action. `conduct` performs the actions. No event follows `finish`. An event that does not belong to
/// the phase is a fault of regd itself.
protocol Conductor<Event, Action> {
  associatedtype Event: PortEvents
  associatedtype Action: ConductedAction
  associatedtype Phase: ConductorPhase

  /// The kind of event that the conductor waits for, or `finished` once the operation has its outcome.
  var phase: Phase { get set }
  var first: Action { get }

  /// - Parameter event: The result of the last action.
  mutating func next(_ event: Event) -> Action
}

protocol ConductorPhase {
  static var finished: Self { get }
}

protocol ConductedAction {
  associatedtype Outcome: ObstructibleOutcome
  /// Gives the caller the outcome. Always the last action.
  static func finish(_ outcome: Outcome) -> Self
}

protocol ObstructibleOutcome {
  var obstacle: Obstacle? { get }
}

extension Conductor {
  mutating func go(_ phase: Phase, _ action: Action) -> Action {
    self.phase = phase
    return action
  }

  mutating func finish(_ outcome: Action.Outcome) -> Action { go(.finished, .finish(outcome)) }

  /// The obstacle for an event that does not belong to the phase.
  func fault(_ event: Event) -> Obstacle { .fault(InternalFault(event, in: phase)) }
}

/// The events of a conductor. One of them is the failure of a port (the store, the hasher or the upstream).
protocol PortEvents {
  static func obstructed(_ obstacle: Obstacle) -> Self
}

extension PortEvents {
  static func storing(_ event: @autoclosure () async throws(StoreFailure) -> Self) async -> Self {
    do { return try await event() } catch { return .obstructed(.store(error)) }
  }
}

/// The result of an action: an event for the conductor, or the end of the operation.
enum Performed<Event: PortEvents, Outcome> {
  case event(Event)
  /// The outcome for the caller, after `finish`.
  case finished(Outcome)

  static var cancelled: Performed { .event(.obstructed(.cancelled)) }

  static func storing(_ event: @autoclosure () async throws(StoreFailure) -> Event) async -> Performed {
    .event(await .storing(try await event()))
  }

  static func hashing(_ event: @autoclosure () async throws(HashingFailure) -> Event) async -> Performed {
    do { return .event(try await event()) } catch { return .event(.obstructed(.hashing(error))) }
  }

  static func asking(_ event: @autoclosure () async throws(NetworkFailure) -> Event) async -> Performed {
    do { return .event(try await event()) } catch { return .event(.obstructed(.network(error))) }
  }

  static func trying(_ event: @autoclosure () async throws(Obstacle) -> Event) async -> Performed {
    do { return .event(try await event()) } catch { return .event(.obstructed(error)) }
  }
}

/// Performs a conductor's actions, one after the other, until the operation has an outcome.
///
/// - Parameter faults: Called with an outcome that is an internal fault.
func conduct<C: Conductor>(
  _ conductor: consuming C, _ faults: FaultObserver,
  _ perform: (C.Action) async -> Performed<C.Event, C.Action.Outcome>
) async -> C.Action.Outcome {
  var action = conductor.first
  while true {
    switch await perform(action) {
    case .event(let event): action = conductor.next(event)
    case .finished(let outcome):
      if case .fault(let fault) = outcome.obstacle { faults(fault) }
      return outcome
    }
  }
}

/// An internal error of regd: a conductor received an event that cannot occur in its phase.
package struct InternalFault: Error, Equatable, Sendable {
  /// The names of the event and of the phase, without their values, for the log.
  package let detail: String

  init(_ event: some Any, in phase: some Any) {
    detail = "the event \(Self.name(event)) in the phase \(Self.name(phase))"
  }

  private static func name(_ value: some Any) -> Substring { "\(value)".prefix { $0 != "(" } }
}

/// Receives each internal fault once. Must not block.
package typealias FaultObserver = @Sendable (InternalFault) -> Void
