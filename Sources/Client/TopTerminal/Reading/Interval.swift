/// What happened between two snapshots.
package struct Interval: Equatable, Sendable {
  package struct Method: Equatable, Sendable {
    let name: String
    /// Since regd's start.
    let total: Double
    /// A second.
    let rate: Double
    /// A second, of `rate`.
    let refusedRate: Double
    /// The reason that most were refused for; nil if none was.
    let reason: String?
    let latencies: LatencyBuckets
  }

  package struct User: Equatable, Sendable {
    let user: Snapshot.User
    /// Requests a second.
    let rate: Double
  }

  let seconds: Double
  let methods: [Method]
  let users: [User]
  /// Latencies of all methods that regd measures.
  let latencies: LatencyBuckets

  var rate: Double { methods.reduce(0) { $0 + $1.rate } }
  var refusedRate: Double { methods.reduce(0) { $0 + $1.refusedRate } }

  /// - Returns: Nil where the snapshots are of two runs of regd, or of one moment.
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
    latencies = methods.reduce(LatencyBuckets()) { $0.adding($1.latencies) }
  }
}

extension Interval.Method {
  fileprivate init(_ name: String, _ method: Snapshot.Method, since earlier: Snapshot.Method, _ seconds: Double) {
    let refusals = method.counts.filter { $0.key != "ok" }
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
  /// Both together; the other one where this is empty, this where they have different buckets.
  fileprivate func adding(_ other: LatencyBuckets) -> LatencyBuckets {
    if limits.isEmpty { return other }
    guard limits == other.limits else { return self }
    var sum = LatencyBuckets()
    for index in limits.indices { sum.append(limit: limits[index], count: counts[index] + other.counts[index]) }
    return sum
  }
}
