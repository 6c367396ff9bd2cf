import TestDoubles

/// Visits all states that are reachable from a setting, each once.
struct Explorer {
  struct Report {
    var states = 0
    var steps = 0
    /// The invariant that did not hold, with the moves that led to it.
    var violation: String?
  }

  /// The number of states after which the explorer yields to other tests.
  private static let burst = 200

  /// Stops at the first violation.
  static func explore(_ setting: ExploredWorld.Setting) async -> Report {
    var report = Report()
    var visited: Set<UInt64> = []
    var nodes: [(parent: Int, move: ExploredMove?)] = [(-1, nil)]
    var open: [(world: ExploredWorld, node: Int)] = [(ExploredWorld(setting), 0)]
    visited.insert(open[0].world.key)
    while let (world, node) = open.popLast() {
      report.states += 1
      if report.states % burst == 0 { await Task.yield() }
      var move: ExploredMove?
      do throws(Violation) {
        try await world.checkWayOut()
        for next in world.moves {
          move = next
          var other = world
          try await other.go(next)
          report.steps += 1
          guard visited.insert(other.key).inserted else { continue }
          nodes.append((node, next))
          open.append((other, nodes.count - 1))
        }
      } catch {
        report.violation = "\(error)\nafter:\n" + path(to: node, nodes, and: move)
        return report
      }
    }
    return report
  }

  private static func path(to node: Int, _ nodes: [(parent: Int, move: ExploredMove?)], and last: ExploredMove?)
    -> String
  {
    var moves = [last]
    var node = node
    while node >= 0 {
      moves.append(nodes[node].move)
      node = nodes[node].parent
    }
    return moves.reversed().compactMap { $0 }.map { "\($0)" }.joined(separator: "\n")
  }
}
