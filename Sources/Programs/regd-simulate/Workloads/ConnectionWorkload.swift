internal import CSimulation

/// Callers who hang up, close their sending side, or stop reading for a while.
final class ConnectionWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    let own = callers.all.filter { $0.isOpen && $0.uid != 0 && $0.collected == nil }
    guard !own.isEmpty else { return }
    let caller = chance.one(of: own)
    switch kind {
    case .hangUp:
      tally.met(caller.waiting.isEmpty ? .hangUp : .hangUpInFlight)
      callers.lose(caller)
    case .halfClose:
      tally.met(.halfClosed)
      caller.closesSoon = true
    default:
      tally.met(.slowReader)
      caller.readsAgain = simulated_now() + Int64(chance.below(20)) * 1_000_000_000
    }
  }
}
