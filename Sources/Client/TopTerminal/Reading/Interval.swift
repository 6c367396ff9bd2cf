internal import JSONRPC
package import RegdClient

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

extension Interval {
  /// The interval and the snapshot at its end as one object: rates, latencies, and the status as regd sent it.
  package func json(_ snapshot: Snapshot) -> JSONValue {
    .object([
      .init("intervalSeconds", .number(seconds)),
      .init("requestsPerSecond", .number(rate)), .init("refusedPerSecond", .number(refusedRate)),
      .init("latency", latencies.json),
      .init("methods", .array(methods.sorted { $0.name < $1.name }.map(\.json))),
      .init("users", .array(users.map(\.json))), .init("doors", .array(doors.map(\.json))),
      .init("status", snapshot.status),
    ])
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

  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("method", .string(name)), .init("requests", .number(total)), .init("requestsPerSecond", .number(rate)),
      .init("refusedPerSecond", .number(refusedRate)),
    ]
    if let reason { members.append(.init("mostRefusedFor", .string(reason))) }
    if !latencies.limits.isEmpty { members.append(.init("latency", latencies.json)) }
    return .object(members)
  }
}

extension Interval.User {
  fileprivate var json: JSONValue {
    .object([
      .init("uid", .number("\(user.uid)")), .init("requestsPerSecond", .number(rate)),
      .init("requests", .number("\(user.requests)")), .init("connections", .number("\(user.connections)")),
      .init("inFlight", .number("\(user.inFlight)")), .init("queuedBytes", .number("\(user.queuedBytes)")),
    ])
  }
}

extension Interval.Door {
  fileprivate var json: JSONValue {
    .object([
      .init("door", .string(name)), .init("rightPerSecond", .number(rates.right)),
      .init("wrongPerSecond", .number(rates.wrong)), .init("refusedPerSecond", .number(rates.refused)),
      .init("awayPerSecond", .number(rates.away)),
    ])
  }
}

/// The buckets of an OpenMetrics histogram, which are cumulative: `counts[i]` requests took at most `limits[i]`
/// seconds.
struct LatencyBuckets: Equatable, Sendable {
  /// The upper limits in seconds, rising. The last one is infinite.
  private(set) var limits: [Double] = []
  private(set) var counts: [Double] = []

  /// A quantile, as precisely as buckets give it.
  enum Quantile: Equatable, Sendable {
    /// Interpolated between the limits of its bucket, like Prometheus does.
    case seconds(Double)
    /// The duration is in the bucket without an upper limit. The value is the bucket's lower limit.
    case above(Double)
  }

  mutating func append(limit: Double, count: Double) {
    limits.append(limit)
    counts.append(count)
  }

  /// The counts since an earlier state of the same histogram, or all counts if the earlier one has other buckets.
  func since(_ earlier: LatencyBuckets) -> LatencyBuckets {
    guard earlier.limits == limits else { return self }
    var difference = self
    for index in counts.indices { difference.counts[index] = max(0, counts[index] - earlier.counts[index]) }
    return difference
  }

  /// - Parameter share: 0 to 1.
  /// - Returns: Nil if nothing was counted.
  func quantile(_ share: Double) -> Quantile? {
    guard let total = counts.last, total > 0 else { return nil }
    let rank = share * total
    guard let index = counts.firstIndex(where: { $0 >= rank && $0 > 0 }) else { return nil }
    let (below, lower) = index == 0 ? (0, 0) : (counts[index - 1], limits[index - 1])
    guard limits[index].isFinite else { return .above(lower) }
    let within = counts[index] - below
    return .seconds(lower + (limits[index] - lower) * (within > 0 ? max(0, rank - below) / within : 1))
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

  /// `{p50Seconds, p90Seconds, p99Seconds}`, or empty if nothing was measured. A value in the bucket without an upper limit
  /// is written as `{aboveSeconds}`.
  fileprivate var json: JSONValue {
    .object(
      [("p50Seconds", 0.5), ("p90Seconds", 0.9), ("p99Seconds", 0.99)].compactMap { name, share in
        switch quantile(share) {
        case nil: nil
        case .seconds(let seconds): .init(name, .number(seconds))
        case .above(let seconds): .init(name, ["aboveSeconds": .number(seconds)])
        }
      })
  }
}

extension JSONValue {
  /// The number with at most six digits after the point.
  fileprivate static func number(_ value: Double) -> JSONValue {
    let rounded = (value * 1e6).rounded() / 1e6
    return .number(rounded == rounded.rounded() && rounded < 1e15 ? "\(Int(rounded))" : "\(rounded)")
  }
}
