internal import JSONRPC
internal import WireProtocols

/// `daemon.metrics`: the metrics for a monitoring system.
enum MetricsMethod {
  /// - Parameter text: Returns the metrics as OpenMetrics text.
  static func make(_ text: @escaping @Sendable () -> String) -> Method {
    Method(
      "daemon.metrics", "Returns all metrics as OpenMetrics text.", access: .observe,
      result: .named("Metrics", .object(.init("text", .string("OpenMetrics 1.0.")))), repetition: .yes,
      .immediate { _, _, result in
        let text = text()
        result.object { $0.member("text", text) }
      })
  }
}
