internal import CSimulation
internal import Linux
internal import RegdClient

/// Operators who write other configurations, which the running regd reloads or the next one reads.
final class ReloadWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    kind == .reload ? reload(&chance) : askForLimits(&chance)
  }

  private func reload(_ chance: inout Chance) {
    guard let caller = caller(&chance, uid: 0), oracle.doorway.isInForce, !oracle.doorway.isBusy else { return }
    let before = oracle.doorway
    oracle.doorway.isClosed = !before.isClosed && chance.once(in: 2)
    oracle.doorway.depth = 60 + chance.below(5)
    let isGood = !chance.once(in: 4)
    if isGood {
      tally.met(.reload)
      oracle.doorway.generation += 1
      oracle.doorway.isInForce = false
      write(scenario.configuration(oracle.doorway))
    } else {
      tally.met(.badReload)
      oracle.doorway = before
      write("limits: {depth: none}\n")
    }
    oracle.doorway.isBusy = true
    let (generation, life) = (oracle.doorway.generation, callers.daemons.lives)
    ask("daemon.reload", "null", caller, &chance) { [unowned self] end in
      oracle.doorway.isBusy = false
      if !isGood { write(scenario.configuration(before)) }
      guard life == callers.daemons.lives, case .reply = end, !isNoise(end.reason) else { return }
      guard isGood else { return hold(.reloads, end.reason == "configuration.refused", "\(end.reason ?? "in force")") }
      hold(.reloads, end.result != nil, "daemon.reload: \(end.error?.text ?? "")")
      guard generation == oracle.doorway.generation else { return }
      oracle.doorway.generation += 1
      oracle.doorway.isInForce = true
    }
  }

  /// Checks that regd reports a limit as the configuration in force has it.
  private func askForLimits(_ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    let before = oracle.doorway
    ask("rpc.serverInfo", "null", caller, &chance) { [unowned self] end in
      guard let depth = end.result?["limits"]?["depth"]?.integer, before.isInForce,
        before.generation == oracle.doorway.generation
      else { return }
      hold(.reloads, depth == before.depth, "the depth is \(depth), and the configuration says \(before.depth)")
    }
  }

  private func write(_ configuration: String) {
    do { try FileWriting.write(configuration, to: SimulatedProcess.file) } catch { hold(.comesUp, false, "\(error)") }
  }
}
