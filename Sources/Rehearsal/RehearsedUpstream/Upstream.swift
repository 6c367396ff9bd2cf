internal import RehearsedNetworks
internal import Synchronization

/// The service behind the sockets: takes the script's next step for a demand, and does or does not what is demanded.
final class Upstream: Sendable {
  /// A demand with the step that is played to it.
  struct Call {
    let demand: Demand
    /// Of its operation since `play`, from 0.
    let number: Int
    let step: Script.Step
  }

  /// What an upstream without faults would say to a demand.
  enum Outcome: Equatable {
    case available(Bool)
    case registered(id: String, isRepeat: Bool)
    case taken
    case accepted(id: String)
    case rejected
  }

  private struct State {
    var script: Script
    var calls: [Script.Operation: Int] = [:]
    var ledger = Ledger()
  }

  private let state: Mutex<State>

  init(_ script: Script) { state = Mutex(State(script: script)) }

  var ledger: Ledger { state.withLock(\.ledger) }

  func play(_ script: Script) {
    state.withLock { state in
      state.script = script
      state.calls = [:]
    }
  }

  func complain(_ complaint: String) { state.withLock { $0.ledger.complain(complaint) } }

  /// Counts a demand and finds its step.
  func take(_ demand: Demand) throws(HTTPRequest.Refusal) -> Call {
    let call: Call? = state.withLock { state in
      if case .registration(let registration) = demand,
        let former = state.ledger.registration(under: registration.idempotencyKey), former != registration
      {
        return nil
      }
      let operation = demand.operation
      let number = state.calls[operation, default: 0]
      state.calls[operation] = number + 1
      state.ledger.count(operation)
      return Call(demand: demand, number: number, step: state.script.step(of: operation, call: number))
    }
    guard let call else {
      throw HTTPRequest.Refusal(status: 400, reason: "the Idempotency-Key is another registration's")
    }
    return call
  }

  /// Does what is demanded, where the step says so.
  ///
  /// - Returns: What there is to say where the step is no fault; where it is one, what a success would be.
  func act(_ call: Call) -> Outcome {
    state.withLock { state in
      let accepts = call.step.answer == .accept
      let isFault = call.step.failure != nil
      switch call.demand {
      case .availability(let email):
        return .available(isFault || accepts && state.ledger.holder(of: email) == nil)
      case .registration(let registration):
        let isRepeat = state.ledger.holder(of: registration.email) == registration
        if accepts || call.step.hasActed { state.ledger.add(registration) }
        let isHolder = state.ledger.holder(of: registration.email) == registration
        guard isFault || isHolder && call.step.answer != .atWork else { return .taken }
        return .registered(id: registration.id, isRepeat: isRepeat)
      case .session(let email):
        return isFault || accepts ? .accepted(id: state.ledger.holder(of: email)?.id ?? email) : .rejected
      }
    }
  }
}
