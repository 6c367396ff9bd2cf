package import RegdClient

/// The outcome of a load.
package struct LoadReport: Equatable, Sendable {
  package let plan: LoadPlan
  /// The duration of the run, from its start until the last answer came, or the wait for it ended.
  package internal(set) var seconds = 0.0
  /// Latencies of results only, because an error may come before any work is done. In an open loop a latency begins
  /// when the request was due, even if it was sent later, so that a pause of regd counts for every request that it
  /// delays.
  package internal(set) var latencies = LatencyHistogram()
  /// The number of errors by reason, including reasons for a missing answer.
  package internal(set) var errors: [String: Int] = [:]
  /// Requests in flight when the user ended the load. They are not counted as errors.
  package internal(set) var unanswered = 0
  /// How late the generator itself sent requests of an open loop.
  package internal(set) var lags = LatencyHistogram()
  /// Processor time of the generator as a share of one core, or nil if the kernel does not report it.
  package internal(set) var processorShare: Double?

  package init(_ plan: LoadPlan) { self.plan = plan }

  /// The number of answers that are results.
  package var results: Int { latencies.count }
  package var errorCount: Int { errors.values.reduce(0, +) }
  /// Results per second.
  package var throughput: Double { seconds > 0 ? Double(results) / seconds : 0 }

  /// Reasons for missing answers, which regd never sends.
  enum Missing {
    /// The connection ended before the answer.
    static let disconnected = "disconnected"
    /// No answer came in time.
    static let timedOut = "timedOut"
    /// The request of an open loop was due, and every connection was full until the end.
    static let notSent = "notSent"
  }

  /// The report as one object. Times are in seconds. `histogram` contains the ranges that are not empty.
  package var json: JSONValue {
    .object([
      .init("method", .string(plan.method)), .init("loop", .string(plan.rate == nil ? "closed" : "open")),
      .init("rate", plan.rate.map { .number("\($0)") } ?? .null),
      .init("connections", .number("\(plan.connections)")), .init("inFlight", .number("\(plan.inFlight)")),
      .init("seconds", Self.number(seconds)), .init("results", .number("\(results)")),
      .init("resultsPerSecond", Self.number(throughput)),
      .init("errors", .object(errors.sorted { $0.key < $1.key }.map { .init($0.key, .number("\($0.value)")) })),
      .init("unanswered", .number("\(unanswered)")), .init("latency", Self.summary(latencies)),
      .init("histogram", .array(histogram)),
      .init("generator", ["processorShare": processorShare.map(Self.number) ?? .null, "lag": Self.summary(lags)]),
    ])
  }

  private var histogram: [JSONValue] {
    let limits = Self.limits(from: latencies.least, to: latencies.most)
    return zip(limits, latencies.counts(from: limits)).filter { $0.1 > 0 }.map { limit, count in
      ["fromSeconds": Self.seconds(limit), "count": .number("\(count)")]
    }
  }

  /// The quantiles as an object, or empty if nothing was measured.
  private static func summary(_ latencies: LatencyHistogram) -> JSONValue {
    guard latencies.count > 0 else { return [:] }
    let quantiles = shares.map { name, share in
      JSONValue.Member("\(name.replacing(".", with: ""))Seconds", seconds(latencies.quantile(share) ?? 0))
    }
    return .object(
      [.init("minSeconds", seconds(latencies.least)), .init("meanSeconds", seconds(Int64(latencies.mean)))] + quantiles
        + [.init("maxSeconds", seconds(latencies.most))])
  }

  private static func seconds(_ nanoseconds: Int64) -> JSONValue { .number("\(Double(nanoseconds) / 1e9)") }

  private static func number(_ value: Double) -> JSONValue { .number("\((value * 1000).rounded() / 1000)") }
}
