internal import JSONRPC
package import RegdClient

/// regd's report about itself at one moment: `daemon.status` and `daemon.metrics`.
package struct Snapshot: Equatable, Sendable {
  package struct Method: Equatable, Sendable {
    /// Requests since regd's start, by reason.
    var counts: [String: Double] = [:]
    /// Latencies, which are empty if regd does not measure the method, because it answers such requests at once, on the
    /// thread that reads them.
    var latencies = LatencyBuckets()

    var total: Double { counts.values.reduce(0, +) }
    var refused: Double { total - (counts[RequestMetric.done] ?? 0) }
  }

  package struct Part: Equatable, Sendable {
    let backend: String
    let isHealthy: Bool
    let since: String
    let failure: String?
  }

  package struct User: Equatable, Sendable {
    let uid: Int
    let connections: Int
    let inFlight: Int
    let queuedBytes: Int
    /// Requests since regd's start.
    let requests: Int
  }

  package struct Door: Equatable, Sendable {
    let name: String
    /// Logins since regd's start.
    let verdicts: Verdicts
  }

  /// Logins, or logins per second, by verdict.
  package struct Verdicts: Equatable, Sendable {
    var right = 0.0
    var wrong = 0.0
    var refused = 0.0
    var away = 0.0

    var all: Double { right + wrong + refused + away }

    /// Combines the numbers of both, verdict by verdict.
    ///
    /// - Parameter combine: Called with the number of `self` and the number of `other`.
    func with(_ other: Verdicts, _ combine: (Double, Double) -> Double) -> Verdicts {
      Verdicts(
        right: combine(right, other.right), wrong: combine(wrong, other.wrong),
        refused: combine(refused, other.refused), away: combine(away, other.away))
    }
  }

  /// When the snapshot came, in seconds of a monotonic clock.
  package let time: Double
  let version: String
  let uptimeSeconds: Int
  let store: Part
  let network: Part
  /// The state of the circuit breaker, or nil without an upstream.
  let breaker: String?
  let damagedRows: Int
  let outboxWaiting: Int
  /// Accounts that wait for an administrator's approval.
  let approvalWaiting: Int
  let hashing: (pending: Int, workers: Int, queue: Int)
  let log: (waiting: Int, dropped: Int, heldBack: Int)
  let subscribers: Int
  let connections: Int
  let users: [User]
  let doors: [Door]
  /// The sums over all users that regd does not list one by one.
  private let others: User
  let methods: [String: Method]
  /// The status as regd sent it.
  let status: JSONValue

  /// - Parameters:
  ///   - status: The result of `daemon.status`.
  ///   - metrics: The text of `daemon.metrics`.
  ///   - time: When both arrived, in seconds of a clock that never goes back.
  /// - Returns: Nil if the status lacks a member that every regd sends.
  package init?(status: JSONValue, metrics: String, time: Double) {
    guard let version = status["version"]?.string, let uptime = status["uptimeSeconds"]?.integer,
      let store = Part(status["store"]), let network = Part(status["network"])
    else { return nil }
    func number(_ path: String...) -> Int { path.reduce(Optional(status)) { $0?[$1] }?.integer ?? 0 }
    (self.status, self.time, self.version, uptimeSeconds) = (status, time, version, uptime)
    (self.store, self.network) = (store, network)
    breaker = status["network"]?["breaker"]?.string
    damagedRows = number("store", "damagedRows")
    outboxWaiting = number("outbox", "waiting")
    approvalWaiting = number("registration", "waiting")
    hashing = (number("hashing", "pending"), number("hashing", "workers"), number("hashing", "queue"))
    log = (number("log", "waiting"), number("log", "dropped"), number("log", "heldBack"))
    subscribers = number("subscribers")
    connections = number("connections")
    users = (status["users"]?.array ?? []).compactMap(User.init)
    doors = (status["doors"]?.array ?? []).compactMap(Door.init)
    others = User(uid: -1, of: status["others"])
    methods = Self.methods(MetricSample.all(in: metrics))
  }

  package static func == (left: Snapshot, right: Snapshot) -> Bool {
    left.time == right.time && left.status == right.status && left.methods == right.methods
  }

  var inFlight: Int { users.reduce(others.inFlight) { $0 + $1.inFlight } }
  var queuedBytes: Int { users.reduce(others.queuedBytes) { $0 + $1.queuedBytes } }
  /// Passwords that wait for a worker.
  var waitingHashes: Int { max(0, hashing.pending - hashing.workers) }

  private static func methods(_ samples: [MetricSample]) -> [String: Method] {
    var methods: [String: Method] = [:]
    for sample in samples {
      guard let name = sample.labels["\(RequestMetric.method)"] else { continue }
      if sample.name == "\(RequestMetric.requests)_total", let reason = sample.labels["\(RequestMetric.reason)"] {
        methods[name, default: Method()].counts[reason] = sample.value
      } else if sample.name == "\(RequestMetric.duration)_bucket", let limit = sample.labels["le"] {
        methods[name, default: Method()].latencies.append(limit: Double(limit) ?? .infinity, count: sample.value)
      }
    }
    return methods
  }
}

extension Snapshot.Part {
  fileprivate init?(_ part: JSONValue?) {
    guard let backend = part?["backend"]?.string, let isHealthy = part?["healthy"]?.bool else { return nil }
    self.init(
      backend: backend, isHealthy: isHealthy, since: part?["since"]?.string ?? "", failure: part?["failure"]?.string)
  }
}

extension Snapshot.Door {
  fileprivate init?(_ door: JSONValue) {
    guard let name = door["name"]?.string else { return nil }
    func count(_ verdict: String) -> Double { Double(door[verdict]?.integer ?? 0) }
    self.init(
      name: name,
      verdicts: .init(right: count("right"), wrong: count("wrong"), refused: count("refused"), away: count("away")))
  }
}

extension Snapshot.User {
  fileprivate init?(_ user: JSONValue) {
    guard let uid = user["uid"]?.integer else { return nil }
    self.init(uid: uid, of: user)
  }

  fileprivate init(uid: Int, of figures: JSONValue?) {
    self.init(
      uid: uid, connections: figures?["connections"]?.integer ?? 0, inFlight: figures?["inFlight"]?.integer ?? 0,
      queuedBytes: figures?["queuedBytes"]?.integer ?? 0, requests: figures?["requests"]?.integer ?? 0)
  }
}

/// A sample of an OpenMetrics text: a name, labels, a value.
struct MetricSample: Equatable {
  let name: Substring
  let labels: [Substring: String]
  let value: Double

  /// All samples of a text. Other lines, such as comments, are skipped.
  static func all(in text: String) -> [MetricSample] {
    text.split(separator: "\n").compactMap { $0.hasPrefix("#") ? nil : MetricSample($0) }
  }

  private init?(_ line: Substring) {
    var rest = line
    name = rest.prefix { $0 != "{" && $0 != " " }
    rest = rest.dropFirst(name.count)
    var labels: [Substring: String] = [:]
    if rest.first == "{" {
      rest = rest.dropFirst()
      while let first = rest.first, first != "}" {
        guard let label = Self.label(&rest) else { return nil }
        labels[label.name] = label.value
        if rest.first == "," { rest = rest.dropFirst() }
      }
      rest = rest.dropFirst()
    }
    self.labels = labels
    guard let value = rest.split(separator: " ").first.flatMap({ Double($0) }) else { return nil }
    self.value = value
  }

  /// Takes `name="value"` from the front of `rest`. `\n` means a line feed. Before any other character, a backslash is
  /// dropped.
  private static func label(_ rest: inout Substring) -> (name: Substring, value: String)? {
    let name = rest.prefix { $0 != "=" }
    rest = rest.dropFirst(name.count + 1)
    guard rest.first == "\"" else { return nil }
    rest = rest.dropFirst()
    var value = ""
    while let next = rest.popFirst() {
      if next == "\"" { return (name, value) }
      guard next == "\\" else {
        value.append(next)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      value.append(escaped == "n" ? "\n" : escaped)
    }
    return nil
  }
}
