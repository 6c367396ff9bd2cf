internal import CSimulation
internal import Registration
internal import Synchronization

/// The part of a world in which several regd processes share a store.
extension World {
  func actOnSeveral(_ kind: Action.Kind, _ chance: inout Chance) {
    let daemon = daemons.anyDaemon(&chance)
    switch kind {
    case .storeMood: rows?.set(chance.one(of: SharedRows.Mood.allCases), for: daemon.number)
    case .killAtStore: rows?.cut(daemon.number, at: chance.within(1...6))
    default:
      // the others continue, and take over the work that this regd has left
      guard daemons.all.count(where: \.isUp) > 1 else { return }
      tally.met(.left)
      cluster.restart(.kill, daemon, at: simulated_now() + Int64(chance.below(60_000)) * 1_000_000)
    }
  }
}
