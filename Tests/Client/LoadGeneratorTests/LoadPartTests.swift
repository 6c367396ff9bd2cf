import FullScreen
import Glibc
import RegdClient
import Testing

@testable import LoadGenerator

@Suite("parts of a load test")
struct LoadPartTests {
  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  @Test(
    "text that is not a reply is not read as one",
    arguments: [
      "", "{", "[]", #"{"jsonrpc":"2.0","method":"events.happened","params":{}}"#, #"{"jsonrpc":"2.0","id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
    ])
  func noReply(_ text: String) { #expect(LoadReply(Array(text.utf8)[...]) == nil) }

  @Test("a reply's id and reason are read, however the reply is formatted")
  func replies() {
    func reply(_ text: String) -> (Int?, String?)? {
      LoadReply(Array("x\(text)".utf8).dropFirst()).map { ($0.id, $0.reason) }
    }
    #expect(reply(#"{"jsonrpc":"2.0","id":12,"result":"pong"}"#)! == (12, nil))
    #expect(reply(#"{ "id": 12, "result": "pong", "jsonrpc": "2.0" }"#)! == (12, nil))
    let error = #""error":{"code":1002,"message":"x","data":{"reason":"email.taken"}}}"#
    #expect(reply(#"{"jsonrpc":"2.0","id":0,"# + error)! == (0, "email.taken"))
    #expect(reply(#"{"jsonrpc":"2.0","id":null,"# + error)! == (nil, "email.taken"))
  }

  @Test("{n} in a string becomes the request's number, and the rest of the request is unchanged")
  func template() {
    var bytes: [UInt8] = []
    RequestTemplate("m", ["a": "{n}x{n}", "n": .number("1")]).append(to: &bytes, id: 10, number: 345)
    RequestTemplate("m", nil).append(to: &bytes, id: 3, number: 4)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"jsonrpc":"2.0","id":10,"method":"m","params":{"a":"345x345","n":1}}
        {"jsonrpc":"2.0","id":3,"method":"m"}

        """)
  }

  @Test("an open loop schedules requests at even intervals from 0, and no more than its end allows")
  func due() {
    var plan = LoadPlan(method: "m")
    #expect(plan.due(at: .max) == 0 && plan.total == .max)
    plan.rate = 10
    #expect([0, 99_999_999, 100_000_000, 1_000_000_000].map { plan.due(at: $0) } == [1, 1, 2, 11])
    #expect((0...2).map { plan.time(of: $0) } == [0, 100_000_000, 200_000_000])
    plan.seconds = 2
    #expect(plan.total == 20 && plan.due(at: .max) == 20)
    plan.requests = 5
    #expect(plan.total == 5 && plan.due(at: .max) == 5)
  }

  private func report(_ change: (inout LoadReport) -> Void) -> LoadReport {
    var report = LoadReport(LoadPlan(method: "rpc.ping"))
    report.seconds = 2
    change(&report)
    return report
  }

  private func text(_ report: LoadReport, _ width: Int = 80, _ glyphs: Glyphs = .unicode) -> [String] {
    report.drawing(width: width, glyphs).map { $0.map(\.text).joined() }
  }

  @Test("the report of a load without results has no histogram, and lists the errors")
  func failed() {
    let lines = text(report { $0.errors = ["rate.limited": 3, "disconnected": 40] })
    #expect(
      lines == [
        "rpc.ping: closed loop, 8 connections x 1 in flight", "  0 results in 2.0 s, 0/s, 43 errors",
        "  40 x disconnected: regd closed the connection", "  3 x rate.limited",
      ])
  }

  @Test("the report shows latencies in ranges, and each quantile beside the range that contains it")
  func drawn() {
    let lines = text(
      report { report in
        for _ in 0..<99 { report.latencies.record(1_100_000) }
        report.latencies.record(9_000_000)
        report.processorShare = 0.25
      })
    #expect(lines[1] == "  100 results in 2.0 s, 50/s, no errors")
    #expect(lines[2] == "  p50 1.1 ms  p90 1.1 ms  p99 1.1 ms  p99.9 9.0 ms  max 9.0 ms")
    #expect(lines[4].hasPrefix("    1.0 ms  ██████") && lines[4].hasSuffix("99 %  p50 p90 p99"))
    #expect(lines[13].hasPrefix("    8.0 ms  ") && lines[13].hasSuffix("1.0 %  p99.9 max"))
    #expect(lines.last == "  regctl itself used 25 % of a core")
  }

  @Test("no report is wider than its terminal, and an ASCII report contains only ASCII")
  func width() {
    let report = report { report in
      for shift in 0..<40 { for _ in 0...shift { report.latencies.record(1 << Int64(shift)) } }
    }
    for width in [60, 80, 120, 200] {
      let lines = text(report, width, .ascii)
      #expect(lines.dropFirst(3).allSatisfy { $0.count < width }, "\(width): \(lines)")
      let drawn = lines.flatMap { Glyphs.ascii.cut([.init($0)], columns: 500).map(\.text) }.joined()
      #expect(drawn.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test("the report contains a warning if the generator itself limited the load")
  func busy() {
    let lines = text(
      report { report in
        report.processorShare = 0.97
        report.lags.record(5_000_000)
      })
    #expect(
      lines.last?.contains(
        """
        97 % of a core and can use at most one, so regd may be able to handle more requests; 99% of requests were \
        sent at most 5.0 ms late
        """) == true
    )
  }
}
