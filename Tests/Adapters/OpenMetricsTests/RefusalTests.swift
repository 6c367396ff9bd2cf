import OpenMetrics
import Testing

@testable import OpenMetrics

/// Tests that a registry refuses metrics that an exposition must not contain.
@Suite("Refused metrics")
struct RefusalTests {
  @Test(
    "a registry refuses an invalid name",
    arguments: [
      "", "_", "2x", "_total", "__x", "_x", "a:b", "a-b", "a b", "a.b", "é", "aé", "a\n", "a\r\n", "a{", "[a",
    ])
  func name(_ name: String) throws {
    var families = Families()
    #expect(throws: Refusal.self) { try families.describe(name, help: "", unit: nil) }
    for kind in [Kind.counter, .gauge, .durations, .values] {
      #expect(throws: Refusal.self) { try families.metric(kind, name, []) { StoredGauge() } }
    }
    #expect(families.text() == "# EOF\n")
  }

  @Test(
    "a registry refuses a name that a sample of another family could have",
    arguments: ["x_total_total", "x_created", "x_count", "x_sum", "x_bucket", "x_gcount", "x_gsum", "x_info"])
  func suffix(_ name: String) throws {
    var families = Families()
    #expect(throws: Refusal.self) { try families.describe(name, help: "", unit: nil) }
    for kind in [Kind.counter, .gauge, .durations, .values] {
      #expect(throws: Refusal.self) { try families.metric(kind, name, []) { StoredGauge() } }
    }
    #expect(throws: Refusal.self) { try families.metric(.gauge, "x_total", []) { StoredGauge() } }
  }

  @Test("a registry refuses an invalid dimension", arguments: ["", "_a", "__name__", "a:b", "a-b", "1a", "é", "le"])
  func dimension(_ name: String) throws {
    var families = Families()
    #expect(throws: Refusal.self) { try families.metric(.gauge, "x", [(name, "v")]) { StoredGauge() } }
  }

  @Test("a registry refuses a repeated dimension, even an empty one")
  func twice() throws {
    #expect(throws: Refusal.self) { try Labels([("a", "1"), ("a", "2")]) }
    #expect(throws: Refusal.self) { try Labels([("a", "1"), ("a", "")]) }
  }

  @Test(
    "a registry refuses a unit that the name does not end with",
    arguments: ["", "second", "conds", "x_seconds", "bytes"])
  func unit(_ unit: String) throws {
    var families = Families()
    #expect(throws: Refusal.self) { try families.describe("x_seconds", help: "", unit: unit) }
    #expect(throws: Refusal.self) { try families.describe("seconds", help: "", unit: "seconds") }
  }

  @Test("a registry refuses a timer in any unit except seconds")
  func timer() throws {
    var families = Families()
    #expect(throws: Refusal.self) { try families.metric(.durations, "x", []) { DurationHistogram() } }
    #expect(throws: Refusal.self) { try families.metric(.durations, "xseconds", []) { DurationHistogram() } }
    _ = try families.metric(.durations, "x_milli_seconds", []) { DurationHistogram() }
    #expect(throws: Refusal.self) { try families.describe("x_milli_seconds", help: "", unit: "milli_seconds") }
  }

  @Test("a registry refuses a family of two kinds, and a metric of two kinds")
  func kinds() throws {
    var families = Families()
    _ = try families.metric(.gauge, "x", []) { StoredGauge() }
    #expect(throws: Refusal.self) { try families.metric(.counter, "x", [("a", "b")]) { IntegerCounter() } }
    #expect(throws: Refusal.self) { try families.metric(.counter, "x_total", []) { IntegerCounter() } }
    #expect(throws: Refusal.self) { try families.metric(.gauge, "x", []) { ObservedGauge { 1 } } }
    _ = try families.metric(.counter, "y", []) { IntegerCounter() }
    #expect(throws: Refusal.self) { try families.metric(.counter, "y", []) { FractionalCounter() } }
    #expect(families.text() == "# TYPE x gauge\nx 0\n# TYPE y counter\ny_total 0\n# EOF\n")
  }

  @Test("the registry ends the program with a message that names the metric and the reason")
  func program() async throws {
    let described = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      OpenMetricsRegistry().describe("regd_wait_seconds", help: "", unit: "bytes")
    }
    let said = String(decoding: try #require(described).standardErrorContent, as: UTF8.self)
    #expect(said.contains("the metric regd_wait_seconds does not end with its unit bytes"))

    let observed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let registry = OpenMetricsRegistry()
      registry.observe("regd_x", dimensions: [("a", "b")]) { 1 }
      registry.observe("regd_x", dimensions: [("a", "b")]) { 2 }
    }
    let saidTwice = String(decoding: try #require(observed).standardErrorContent, as: UTF8.self)
    #expect(saidTwice.contains("the metric regd_x is observed twice with the same dimensions"))
  }
}
