import CoreMetrics
import OpenMetrics
import Testing

@testable import OpenMetrics

/// Tests the text byte for byte.
@Suite("The text of metrics")
struct TextTests {
  @Test("an empty registry has a valid text")
  func empty() {
    let registry = OpenMetricsRegistry()
    #expect(registry.text() == "# EOF\n")
    registry.describe("regd_requests_total", help: "Described, and never made.")
    #expect(registry.text() == "# EOF\n")
  }

  private static let textOfSmall = """
    # TYPE regd_health gauge
    regd_health{part="store"} 1
    # TYPE regd_held_bytes gauge
    # UNIT regd_held_bytes bytes
    # HELP regd_held_bytes Bytes held.
    regd_held_bytes 52428800
    # TYPE regd_queue gauge
    regd_queue 2.5
    # TYPE regd_requests counter
    # HELP regd_requests Requests.
    regd_requests_total{method="a"} 3
    regd_requests_total{method="a",reason="x"} 3
    regd_requests_total{method="b"} 3
    # TYPE regd_wait_seconds histogram
    # UNIT regd_wait_seconds seconds
    # HELP regd_wait_seconds How long \\"calls\\" took.\\nAll of them: \\\\o/
    regd_wait_seconds_bucket{method="rpc.ping",le="0.0001"} 2
    regd_wait_seconds_bucket{method="rpc.ping",le="0.00025"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.0005"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.001"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.0025"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.005"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.01"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.025"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.05"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.1"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.25"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="0.5"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="1.0"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="2.5"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="5.0"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="10.0"} 3
    regd_wait_seconds_bucket{method="rpc.ping",le="30.0"} 4
    regd_wait_seconds_bucket{method="rpc.ping",le="+Inf"} 5
    regd_wait_seconds_count{method="rpc.ping"} 5
    regd_wait_seconds_sum{method="rpc.ping"} 60.000200003
    # EOF

    """

  @Test("a small registry has exactly this text")
  func small() {
    let registry = OpenMetricsRegistry()
    let wait = CoreMetrics.Timer(label: "regd_wait_seconds", dimensions: [("method", "rpc.ping")], factory: registry)
    for nanoseconds: Int64 in [1, 100_000, 100_001, 30_000_000_000, 30_000_000_001] {
      wait.recordNanoseconds(nanoseconds)
    }
    registry.describe("regd_wait_seconds", help: "How long \"calls\" took.\nAll of them: \\o/")
    registry.describe("regd_requests_total", help: "Requests.")
    for (method, reason) in [("b", ""), ("a", "x"), ("a", "")] {
      Counter(label: "regd_requests", dimensions: [("method", method), ("reason", reason)], factory: registry)
        .increment(by: 3)
    }
    Gauge(label: "regd_queue", factory: registry).record(2.5)
    registry.describe("regd_held_bytes", help: "Bytes held.", unit: "bytes")
    registry.observe("regd_held_bytes") { 52_428_800 }
    registry.observe("regd_health", dimensions: [("part", "store")]) { 1 }
    registry.observe("regd_health", dimensions: [("part", "network")]) { nil }
    #expect(registry.text() == Self.textOfSmall)
    #expect(registry.text() == Self.textOfSmall, "reading changes nothing")
  }

  @Test(
    "characters that would end a label's value are escaped",
    arguments: [
      ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\r\n", "\r\\n"), ("\\n", #"\\n"#), ("\u{0}", "\u{0}"),
      ("é{}=, #", "é{}=, #"), ("e\u{301}\"", "e\u{301}\\\""), ("\"\u{301}", "\\\"\u{301}"),
    ])
  func escapes(_ value: String, _ written: String) {
    let registry = OpenMetricsRegistry()
    registry.observe("x", dimensions: [("a", value)]) { 0 }
    #expect(Array(registry.text().utf8) == Array("# TYPE x gauge\nx{a=\"\(written)\"} 0\n# EOF\n".utf8))
  }

  @Test(
    "numbers are written as these texts, finite or not, large, small or whole",
    arguments: [
      (.nan, "NaN"), (-.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (0, "0"), (-0.0, "0"), (-1, "-1"),
      (0.1, "0.1"), (1e-9, "1e-09"), (0x1p53, "9007199254740992"), (0x1p54, "1.8014398509481984e+16"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (1.5, "1.5"),
    ] as [(Double, String)])
  func numbers(_ value: Double, _ written: String) { #expect(value.metricText == written) }

  @Test(
    "nanoseconds are written as seconds to the last digit",
    arguments: [
      (0, "0.0"), (1, "0.000000001"), (10, "0.00000001"), (999_999_999, "0.999999999"), (1_000_000_000, "1.0"),
      (1_500_000_000, "1.5"), (300_000_000, "0.3"), (9_223_372_036_854_775_807, "9223372036.854775807"),
      (.max, "18446744073.709551615"),
    ] as [(UInt64, String)])
  func seconds(_ nanoseconds: UInt64, _ written: String) {
    #expect(Seconds(nanoseconds: nanoseconds).metricText == written)
  }

  @Test("the written thresholds of buckets equal the compared values, in ascending order")
  func thresholds() throws {
    #expect(DurationHistogram.thresholds.count + 1 == Buckets.count)
    #expect(DurationHistogram.nanoseconds.count + 1 == Buckets.count)
    #expect(DurationHistogram.nanoseconds == DurationHistogram.nanoseconds.sorted())
    for (written, nanoseconds) in zip(DurationHistogram.thresholds, DurationHistogram.nanoseconds) {
      #expect(try #require(Double(written)) == Double(nanoseconds) / 1e9)
    }
    #expect(ValueHistogram.thresholds.count + 1 == Buckets.count)
    #expect(ValueHistogram.thresholds.compactMap(Double.init) == ValueHistogram.values)
    #expect(ValueHistogram.values == ValueHistogram.values.sorted())
  }
}
