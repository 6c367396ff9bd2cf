internal import JSONRPC

/// The activity between two snapshots.
package struct Interval: Equatable, Sendable {
  package struct Method: Equatable, Sendable {
    let name: String
    /// Requests since regd's start.
    let total: Double
    /// Requests per second.
    let rate: Double
    /// Refused requests per second, a part of `rate`.
    let refusedRate: Double
    /// The most frequent reason for refusals, or nil if nothing was refused.
    let reason: String?
    let latencies: LatencyBuckets
  }

  package struct User: Equatable, Sendable {
    let user: Snapshot.User
    /// Requests per second.
    let rate: Double
  }

  package struct Door: Equatable, Sendable {
    let name: String
    /// Logins per second.
    let rates: Snapshot.Verdicts
  }

  let seconds: Double
  let methods: [Method]
  let users: [User]
  /// The doors, the busiest first.
  let doors: [Door]
  /// Latencies of all methods that regd measures.
  let latencies: LatencyBuckets

  var rate: Double { methods.reduce(0) { $0 + $1.rate } }
  var refusedRate: Double { methods.reduce(0) { $0 + $1.refusedRate } }

  /// - Returns: Nil if the snapshots come from two runs of regd, or from the same moment.
  package init?(from earlier: Snapshot, to later: Snapshot) {
    let seconds = later.time - earlier.time
    guard seconds > 0, later.uptimeSeconds >= earlier.uptimeSeconds else { return nil }
    self.seconds = seconds
    methods = later.methods.map { name, method in
      Method(name, method, since: earlier.methods[name] ?? Snapshot.Method(), seconds)
    }
    let before = Dictionary(earlier.users.map { ($0.uid, $0.requests) }) { first, _ in first }
    users = later.users.map { user in
      User(user: user, rate: Double(max(0, user.requests - (before[user.uid] ?? 0))) / seconds)
    }
    let counted = Dictionary(earlier.doors.map { ($0.name, $0.verdicts) }) { first, _ in first }
    doors = later.doors.map { door in
      // never below 0: a door counts from zero again if reloads of regd have removed and added it
      let rates = door.verdicts.with(counted[door.name] ?? .init()) { max(0, $0 - $1) / seconds }
      return Door(name: door.name, rates: rates)
    }.sorted { ($0.rates.all, $1.name) > ($1.rates.all, $0.name) }
    latencies = methods.reduce(LatencyBuckets()) { $0.adding($1.latencies) }
  }
}

extension Interval.Method {
  fileprivate init(_ name: String, _ method: Snapshot.Method, since earlier: Snapshot.Method, _ seconds: Double) {
    let refusals = method.counts.filter { $0.key != RequestMetric.done }
      .map { (reason: $0.key, count: $0.value - (earlier.counts[$0.key] ?? 0)) }
      .filter { $0.count > 0 }
    self.init(
      name: name, total: method.total, rate: max(0, method.total - earlier.total) / seconds,
      refusedRate: max(0, method.refused - earlier.refused) / seconds,
      reason: refusals.max { ($0.count, $1.reason) < ($1.count, $0.reason) }?.reason,
      latencies: method.latencies.since(earlier.latencies))
  }
}

extension LatencyBuckets {
  /// The sum of both histograms, or `other` if this one is empty, or `self` if their buckets differ.
  fileprivate func adding(_ other: LatencyBuckets) -> LatencyBuckets {
    if limits.isEmpty { return other }
    guard limits == other.limits else { return self }
    var sum = LatencyBuckets()
    for index in limits.indices { sum.append(limit: limits[index], count: counts[index] + other.counts[index]) }
    return sum
  }
}
