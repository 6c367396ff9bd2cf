internal import CSimulation

/// How far a run has come, and what comes next.
final class Schedule {
  enum Phase { case acting, quieting, probing, settling, draining, erasing, over }

  let scenario: Scenario
  /// The random numbers of the turns, in the order of the turns. Each action has its own.
  var chance: Chance
  /// The actions to come, the next one last.
  private var plan: [Action]
  /// When the next action is due.
  var due: Int64
  var phase = Phase.acting
  /// The time since which no requests are sent.
  var quietSince: Int64 = 0
  var hasSettled = false
  /// Whether the last requests were made, and regd has been asked to stop.
  var isClosing = false
  var probe: Probe?

  /// - Parameter only: The numbers of the actions to play, or nil for all.
  init(_ parameters: RunParameters, only: [Int]?) {
    scenario = parameters.scenario
    chance = Chance(seed: parameters.seed, purpose: 5)
    plan = parameters.plan.filter { only?.contains($0.number) ?? true }.reversed()
    due = simulated_now()
  }

  var nextAction: Action? { plan.last }

  /// Takes the next action, and decides when the one after it is due.
  func takeAction() {
    plan.removeLast()
    due = simulated_now() + (plan.last?.pause ?? 0)
  }

  /// How long all open requests together may take.
  var patience: Int64 {
    Int64((scenario.terms.requestSeconds + 6) * (scenario.faults.slowLine.isEmpty ? 1 : 4)) * 1_000_000_000
  }
  var drainTime: Int64 { Int64(scenario.terms.graceSeconds + 3) * 1_000_000_000 }

  /// Gives waiting registrations and requests in flight the time to end.
  func settle() {
    phase = .settling
    due = simulated_now() + Int64(scenario.terms.outboxSeconds + scenario.terms.requestSeconds + 15) * 1_000_000_000
  }

  /// Gives regd the time to erase what has expired.
  func erase() { (phase, due) = (.erasing, simulated_now() + ErasureChecks.patience) }

  /// Notes that a regd was restarted. This ends the probe that it answered, and the quiet phase begins again.
  func restarted(_ daemon: Int) {
    if probe?.daemon == daemon || scenario.daemons == 1 { probe = nil }
    guard probe == nil, phase == .probing || phase == .quieting || phase == .draining else { return }
    (phase, quietSince) = (.quieting, simulated_now())
    if hasSettled, scenario.daemons == 1 { settle() }
  }
}
