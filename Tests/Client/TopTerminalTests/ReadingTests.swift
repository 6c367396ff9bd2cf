import RegdClient
import Testing

@testable import TopTerminal

@Suite("reading metrics and status")
struct ReadingTests {
  @Test("lines that are not samples are skipped, and the other lines are read")
  func broken() {
    let text = """
      # HELP a {b="c"} 1
      nonsense
      a{b="c} 1
      a{b=c} 1
      a{b="c"} x
      a{b="c\\
      good{method="x",reason="a\\"b\\\\c\\nd"} 7 1234
      plain 1.5e3
      # EOF
      """
    let samples = MetricSample.all(in: text)
    #expect(samples.map(\.name) == ["good", "plain"])
    #expect(samples.first?.labels == ["method": "x", "reason": "a\"b\\c\nd"])
    #expect(samples.map(\.value) == [7, 1500])
  }

  @Test(
    "a status without a required member is not accepted", arguments: ["version", "uptimeSeconds", "store", "network"])
  func incomplete(_ member: String) throws {
    let whole = Readings.status(uptime: 1, users: [:], breaker: nil, failure: nil, pending: 0, outbox: 0)
    guard case .object(let members) = whole else { return }
    #expect(Snapshot(status: whole, metrics: "", time: 0) != nil)
    #expect(Snapshot(status: .object(members.filter { $0.name != member }), metrics: "", time: 0) == nil)
  }

  @Test("a quantile is interpolated in its bucket, unknown without requests, and a lower bound in the last bucket")
  func quantiles() throws {
    func quantile(_ share: Double, _ buckets: [Int]) throws -> LatencyBuckets.Quantile? {
      let snapshot = try #require(Readings.snapshot(at: 0, ["m": (0, 0, buckets)]))
      return snapshot.methods["m"]?.latencies.quantile(share)
    }
    #expect(try quantile(0.5, [0, 0, 0, 0, 0]) == nil)
    #expect(try quantile(0.5, []) == nil)
    #expect(try quantile(0.5, [10, 0, 0, 0, 0]) == .seconds(0.0005))
    #expect(try quantile(1, [10, 0, 0, 0, 0]) == .seconds(0.001))
    #expect(try quantile(0.5, [0, 0, 4, 0, 0]) == .seconds(0.01 + (0.1 - 0.01) / 2))
    #expect(try quantile(0.99, [50, 0, 0, 0, 50]) == .above(1))
    #expect(try quantile(0, [0, 1, 0, 0, 0]) == .seconds(0.001))
  }

  @Test("two snapshots of different runs of regd, or of the same moment, are not an interval")
  func noInterval() throws {
    let snapshot = try #require(Readings.snapshot(at: 10, ["m": (1, 0, [])]))
    let restarted = try #require(Readings.snapshot(at: 12, uptime: 1, ["m": (0, 0, [])]))
    #expect(Interval(from: snapshot, to: restarted) == nil)
    #expect(Interval(from: snapshot, to: snapshot) == nil)
  }

  @Test("rates, refusals and latencies are those of the interval, not those since the start")
  func interval() throws {
    let before = try #require(
      Readings.snapshot(at: 10, ["m": (100, 50, [100, 0, 0, 0, 0])], users: [7: 1000]))
    let after = try #require(
      Readings.snapshot(
        at: 12, uptime: 102, ["m": (110, 54, [100, 0, 10, 0, 0]), "new": (2, 0, [])], users: [7: 1014, 8: 4]))
    let interval = try #require(Interval(from: before, to: after))
    let method = try #require(interval.methods.first { $0.name == "m" })
    #expect(method.rate == 7 && method.refusedRate == 2 && method.total == 164 && method.reason == "email.taken")
    #expect(method.latencies.quantile(0.5) == .seconds(0.01 + (0.1 - 0.01) / 2))
    #expect(interval.rate == 8 && interval.refusedRate == 2)
    #expect(interval.methods.first { $0.name == "new" }?.reason == nil)
    #expect(interval.users.map(\.rate) == [7, 2])
    #expect(interval.latencies.quantile(1) == .seconds(0.1))
  }

  @Test("the JSON contains the rates, the latencies if there are any, and the status as regd sent it")
  func json() throws {
    let before = try #require(Readings.snapshot(at: 0, ["m": (0, 0, [0, 0, 0, 0, 0]), "n": (0, 0, [])]))
    let after = try #require(
      Readings.snapshot(
        at: 3, ["m": (1, 0, [0, 0, 0, 0, 1]), "n": (10, 0, [])], users: [0: 11],
        doors: [Readings.door("web", [6, 3, 0, 0])]))
    let json = try #require(Interval(from: before, to: after)).json(after)
    #expect(JSONValue(json.text.utf8) == json)
    #expect(json["requestsPerSecond"]?.text == "3.666667" && json["refusedPerSecond"]?.text == "0")
    #expect(json["status"] == after.status)
    let methods = try #require(json["methods"]?.array)
    #expect(methods[0]["latency"]?["p50Seconds"]?["aboveSeconds"]?.text == "1")
    #expect(methods[1]["latency"] == nil && methods[1]["requests"]?.integer == 10)
    #expect(json["users"]?.array?.first?["requestsPerSecond"]?.text == "3.666667")
    let door = try #require(json["doors"]?.array?.first)
    #expect(door["door"] == "web" && door["rightPerSecond"]?.text == "2" && door["awayPerSecond"]?.text == "0")
  }
}
