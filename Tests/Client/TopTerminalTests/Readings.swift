import RegdClient

@testable import TopTerminal

/// Snapshots of answers like regd's.
enum Readings {
  static let limits = ["0.001", "0.01", "0.1", "1.0", "+Inf"]

  /// - Parameters:
  ///   - requests: Results, refusals and latencies of each method. The buckets are not cumulative.
  ///   - users: Requests by uid.
  static func snapshot(
    at time: Double, uptime: Int = 100, _ requests: [String: (ok: Int, taken: Int, buckets: [Int])],
    users: [Int: Int] = [0: 0], breaker: String? = nil, failure: String? = nil, pending: Int = 0, outbox: Int = 0,
    approval: Int? = nil, doors: [JSONValue] = []
  ) -> Snapshot? {
    Snapshot(
      status: status(
        uptime: uptime, users: users, breaker: breaker, failure: failure, pending: pending, outbox: outbox,
        approval: approval, doors: doors),
      metrics: metrics(requests), time: time)
  }

  static func metrics(_ requests: [String: (ok: Int, taken: Int, buckets: [Int])]) -> String {
    var lines = ["# TYPE regd_requests counter", "regd_connections 3", ""]
    for (name, counts) in requests.sorted(by: { $0.key < $1.key }) {
      lines.append("regd_requests_total{method=\"\(name)\",reason=\"ok\"} \(counts.ok)")
      if counts.taken > 0 {
        lines.append("regd_requests_total{method=\"\(name)\",reason=\"email.taken\"} \(counts.taken)")
      }
      var sum = 0
      for (limit, count) in zip(limits, counts.buckets) {
        sum += count
        lines.append("regd_request_duration_seconds_bucket{method=\"\(name)\",le=\"\(limit)\"} \(sum)")
      }
    }
    return lines.joined(separator: "\n") + "\n# EOF\n"
  }

  static func status(
    uptime: Int, users: [Int: Int], breaker: String?, failure: String?, pending: Int, outbox: Int,
    approval: Int? = nil, doors: [JSONValue] = []
  ) -> JSONValue {
    var network: [JSONValue.Member] = [
      .init("backend", "http"), .init("healthy", .bool(failure == nil)), .init("since", "2026-11-22T08:43:38.311797Z"),
    ]
    if let failure { network.append(.init("failure", .string(failure))) }
    if let breaker { network.append(.init("breaker", .string(breaker))) }
    return [
      "version": "0.1.0", "uptimeSeconds": number(uptime), "network": .object(network),
      "store": ["backend": "sqlite", "healthy": .bool(true), "since": "2026-11-22T08:43:38.311797Z"],
      "outbox": ["waiting": number(outbox)],
      "registration": approval.map { ["waiting": number($0), "invitations": number(0)] } ?? .null,
      "hashing": ["pending": number(pending), "workers": number(2), "queue": number(256)],
      "log": ["waiting": number(0), "dropped": number(0), "heldBack": number(0)], "subscribers": number(1),
      "connections": number(users.count), "doors": .array(doors),
      "users": .array(
        users.sorted { $0.key < $1.key }.map { uid, requests in
          [
            "uid": number(uid), "connections": number(1), "requests": number(requests), "inFlight": number(2),
            "queuedBytes": number(uid),
          ]
        }),
    ]
  }

  /// - Parameter verdicts: Logins that were right, wrong, refused and away.
  static func door(_ name: String, _ verdicts: [Int]) -> JSONValue {
    [
      "name": .string(name), "protocol": "http", "address": "/door", "connections": number(1),
      "right": number(verdicts[0]), "wrong": number(verdicts[1]),
      "refused": number(verdicts[2]), "away": number(verdicts[3]),
    ]
  }

  static func number(_ number: Int) -> JSONValue { .number("\(number)") }
}
