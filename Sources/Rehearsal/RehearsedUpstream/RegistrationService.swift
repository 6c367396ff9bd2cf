internal import RehearsedNetworks
internal import Synchronization

/// The service behind the sockets. Finds the script's step for each request, and registers if the step demands it.
final class RegistrationService: Sendable {
  /// A request with its step.
  struct Call {
    let request: ServiceRequest
    /// The index of this call among the operation's calls since the last `play`, from 0.
    let number: Int
    let step: Script.Step
  }

  /// The answer of a service without faults.
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

  /// Counts a request and finds its step.
  ///
  /// - Throws: If the request's idempotency key belongs to another registration.
  func take(_ request: ServiceRequest) throws(HTTPRequest.Refusal) -> Call {
    let call: Call? = state.withLock { state in
      if case .registration(let registration) = request,
        let former = state.ledger.registration(under: registration.idempotencyKey), former != registration
      {
        return nil
      }
      let operation = request.operation
      let number = state.calls[operation, default: 0]
      state.calls[operation] = number + 1
      state.ledger.count(operation)
      return Call(request: request, number: number, step: state.script.step(of: operation, call: number))
    }
    guard let call else {
      throw HTTPRequest.Refusal(status: 400, reason: "the Idempotency-Key is another registration's")
    }
    return call
  }

  /// Executes the request if the step demands it.
  ///
  /// - Returns: The answer. If the step is a fault, the answer is a success, which `StepReplies` turns into the fault.
  func act(_ call: Call) -> Outcome {
    state.withLock { state in
      let accepts = call.step.answer == .accept
      let isFault = call.step.failure != nil
      switch call.request {
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
