package import RegdClient

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

extension LatencyBuckets {
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
