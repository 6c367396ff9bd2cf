internal import CoreMetrics
internal import Doors
internal import LoginVerdicts
internal import OpenMetrics
internal import Synchronization
internal import UnixSocket
internal import WireProtocols

/// The counts of each door's logins by verdict, under the door's name in the configuration. A door that is removed and
/// added again keeps its counts.
final class DoorMetrics: Sendable {
  private let registry: OpenMetricsRegistry
  private let listeners: ListenerTable
  private let counts = Mutex<[String: DoorCounts]>([:])

  init(_ registry: OpenMetricsRegistry, _ listeners: ListenerTable) {
    (self.registry, self.listeners) = (registry, listeners)
    for verdict in LoginVerdict.allCases {
      registry.describe(Self.metric(verdict), help: "Logins of a door that were \(verdict.rawValue).")
    }
    registry.describe(
      Self.limited, help: "Logins of a door that were away because of a rate limit.")
    registry.describe("regd_door_connections", help: "Open connections of a door.")
  }

  private static func metric(_ verdict: LoginVerdict) -> String { "regd_door_\(verdict.rawValue)" }

  private static let limited = "regd_door_limited"

  subscript(name: String) -> DoorCounts {
    counts.withLock { counts in
      if let known = counts[name] { return known }
      let made = DoorCounts(counters: counters(name))
      counts[name] = made
      registry.observe("regd_door_connections", dimensions: [("door", name)]) { [listeners] in
        listeners.points.dropFirst().first { $0.name == name }.map { Double($0.connections) }
      }
      return made
    }
  }

  private func counters(_ name: String) -> @Sendable (LoginVerdict, Bool) -> Void {
    let counters = Dictionary(
      uniqueKeysWithValues: LoginVerdict.allCases.map {
        ($0, Counter(label: Self.metric($0), dimensions: [("door", name)], factory: registry))
      })
    let limited = Counter(label: Self.limited, dimensions: [("door", name)], factory: registry)
    return { verdict, isLimited in
      counters[verdict]?.increment()
      if isLimited { limited.increment() }
    }
  }
}

/// The made-up user (uid) of all callers of a door over TCP, where the kernel names no caller. So these callers share
/// one user's limits.
///
/// Its uid is above those that systems give to people, services and containers (systemd's "Users, Groups, UIDs and
/// GIDs": all are at most 2147483647). It is derived from the door's name, so that it is the same after a restart.
struct DoorUser: Sendable {
  static let first: UInt32 = 0xFFFE_0000

  let caller: Peer

  init(_ name: String) {
    // FNV-1a, folded to 16 bits
    let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let uid = Self.first + (hash >> 16 ^ hash & 0xFFFF)
    caller = Peer(uid: uid, gid: .max, pid: 0)
  }
}
