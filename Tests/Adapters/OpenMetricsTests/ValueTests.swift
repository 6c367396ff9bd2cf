import CoreMetrics
import OpenMetrics
import Testing

/// Tests counting and recording through the types that callers use.
@Suite("The values of metrics")
struct ValueTests {
  private let registry = OpenMetricsRegistry()

  @Test("a counter does not fall, and does not wrap")
  func counter() {
    let counter = Counter(label: "x", factory: registry)
    counter.increment(by: -1)
    counter.increment(by: 0)
    counter.increment(by: Int64.min)
    #expect(value("x_total") == "0")
    counter.increment(by: Int64.max - 1)
    #expect(value("x_total") == "9223372036854775806")
    for amount in [1, 1, 1 << 39, Int64.max, Int64.max, Int64.max, 1] {
      counter.increment(by: amount)
      #expect(value("x_total") == "9223372036854775807")
    }
    counter.reset()
    counter.increment()
    #expect(value("x_total") == "1")
  }

  @Test("a counter of fractions does not fall, and stays finite")
  func fractions() {
    let counter = FloatingPointCounter(label: "x", factory: registry)
    for amount in [-1, 0, -0.0, .nan, .infinity, -.infinity] as [Double] { counter.increment(by: amount) }
    #expect(value("x_total") == "0")
    counter.increment(by: 0.25)
    counter.increment(by: 0.5)
    #expect(value("x_total") == "0.75")
    for _ in 0..<3 { counter.increment(by: Double.greatestFiniteMagnitude) }
    #expect(value("x_total") == "1.7976931348623157e+308")
  }

  @Test("a timer's sum is exact, and does not wrap")
  func timer() {
    let timer = CoreMetrics.Timer(label: "x_seconds", factory: registry)
    timer.recordNanoseconds(Int64.min)
    timer.recordNanoseconds(-1)
    #expect(value("x_seconds_sum") == "0.0")
    #expect(value("x_seconds_bucket{le=\"0.0001\"}") == "2")
    for _ in 0..<3 { timer.recordNanoseconds(100_000_000) }
    #expect(value("x_seconds_sum") == "0.3")
    for _ in 0..<3 { timer.recordNanoseconds(Int64.max) }
    #expect(value("x_seconds_sum") == "9223372036.854775807")
    #expect(value("x_seconds_count") == "8")
  }

  @Test("a recorder that aggregates is a histogram")
  func recorder() {
    let recorder = Recorder(label: "x", factory: registry)
    for value in [.nan, .infinity, -.infinity] as [Double] { recorder.record(value) }
    #expect(value("x_count") == "0")
    for value in [-5, 1, 1.5, 1e6, 1e6 + 1] { recorder.record(value) }
    #expect(value("x_bucket{le=\"1.0\"}") == "2")
    #expect(value("x_bucket{le=\"2.0\"}") == "3")
    #expect(value("x_bucket{le=\"100000.0\"}") == "3")
    #expect(value("x_bucket{le=\"1e+06\"}") == "4")
    #expect(value("x_bucket{le=\"+Inf\"}") == "5")
    #expect(value("x_sum") == "2000003.5")
  }

  @Test("gauges, meters and recorders that do not aggregate have the last value")
  func gauges() {
    let meter = Meter(label: "meter", factory: registry)
    for amount in [-1, .nan, .infinity] as [Double] {
      meter.increment(by: amount)
      meter.decrement(by: amount)
    }
    #expect(value("meter") == "0")
    meter.set(3)
    meter.increment(by: 0.5)
    meter.decrement(by: 5)
    #expect(value("meter") == "-1.5")
    let recorder = Recorder(label: "recorder", aggregate: false, factory: registry)
    recorder.record(7)
    recorder.record(-2.5)
    #expect(value("recorder") == "-2.5")
    Gauge(label: "gauge", factory: registry).record(Double.infinity)
    #expect(value("gauge") == "+Inf")
  }

  @Test("equal names and dimensions in any order are one metric, which remains when one of its counters is destroyed")
  func same() {
    let first = Counter(label: "x", dimensions: [("a", "1"), ("b", "2"), ("c", "")], factory: registry)
    let second = Counter(label: "x_total", dimensions: [("b", "2"), ("a", "1")], factory: registry)
    let other = Counter(label: "x", dimensions: [("a", "1,b=\"2")], factory: registry)
    first.increment()
    second.increment()
    first.destroy()
    other.increment()
    #expect(
      registry.text() == """
        # TYPE x counter
        x_total{a="1",b="2"} 2
        x_total{a="1,b=\\"2"} 1
        # EOF

        """)
  }

  @Test("an observed gauge may create a metric and read the text of a registry")
  func reentrance() {
    let registry = registry
    registry.observe("x") { Double(Counter(label: "y", factory: registry).label.count) }
    registry.observe("z") { [inner = OpenMetricsRegistry()] in Double(inner.text().utf8.count) }
    #expect(registry.text() == "# TYPE x gauge\nx 1\n# TYPE z gauge\nz 6\n# EOF\n")
    #expect(value("y_total") == "0")
  }

  /// The value after a sample's name and labels.
  private func value(_ sample: String) -> Substring? {
    registry.text().split(separator: "\n").first { $0.hasPrefix(sample + " ") }?.dropFirst(sample.count + 1)
  }
}
