package import RegdClient

extension LoadReport {
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
