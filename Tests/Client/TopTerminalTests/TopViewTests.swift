import FullScreen
import Glibc
import Testing

@testable import TopTerminal

@Suite("drawing top")
struct TopViewTests {
  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func lines(_ state: TopState, _ columns: Int = 80, _ rows: Int = 24, _ glyphs: Glyphs = .unicode) -> [String]
  {
    TopView.draw(state, columns: columns, rows: rows, glyphs).lines
  }

  @Test(
    "a screen that is too small shows the size that it needs", arguments: [(79, 24), (80, 23), (20, 5), (1, 1)])
  func tooSmall(_ columns: Int, _ rows: Int) throws {
    let lines = lines(try TopStateTests.shown(), columns, rows)
    #expect(lines.count <= rows && lines.allSatisfy { $0.count <= max(1, columns - 1) })
    if columns >= 20 {
      #expect(
        lines.joined(separator: " ").contains("needs a terminal of 80 x 24, but this one is \(columns) x \(rows)"))
    }
  }

  @Test("a screen of 80 x 24 shows everything")
  func whole() throws {
    var state = try TopStateTests.shown()
    state.names = [1: "zoe", 2: ""]
    let lines = lines(state).map { String($0.reversed().drop { $0 == " " }.reversed()) }
    #expect(lines.count == 24)
    #expect(lines[0] == "regd 0.1.0, up 1 min 42 s  /run/regd/regd.sock                        every 2 s")
    #expect(lines[1].hasPrefix("requests  12/s        refused 0.50/s (4.3 %)") && lines[1].hasSuffix("█"))
    #expect(
      Array(lines[2...17]) == [
        "latency   p50 55 ms     p90 91 ms     p99 99 ms     measured methods only",
        "callers   2 connected       4 in flight       3 B queued        1 subscribed",
        "hashing   [····················] 0 of 256 waiting, 0 of 2 workers busy",
        "store     sqlite ✓  since 2026-11-22 08:43Z",
        "network   http ✓  outbox 0 waiting  since 2026-11-22 08:43Z",
        "log       0 waiting         0 dropped         0 suppressed", "",
        "METHOD                       REQ/S▾  REFUSED/S        P50        P99      TOTAL",
        "a.quick                          10          0          -          -         25",
        "b.slow                          1.5       0.50      55 ms      99 ms         13", "",
        "USER                         REQ/S▾      CONNS  IN FLIGHT     QUEUED      TOTAL",
        "uid 2                            10          1          2        2 B         21",
        "zoe (1)                         1.5          1          2        1 B         13", "", "",
      ])
    #expect(lines[23] == " q quit  h help  p pause  s sort by  r reverse  u methods/users  + - interval")
  }

  @Test("the screen shows how many accounts wait for approval, if any do", arguments: [nil, 0, 3])
  func approval(_ waiting: Int?) throws {
    var state = TopState(socket: "/s", period: 2)
    state.take(try #require(Readings.snapshot(at: 0, ["m": (0, 0, [])], approval: waiting)))
    let row = try #require(lines(state).first { $0.hasPrefix("network ") })
    #expect(row.contains("outbox 0 waiting"))
    #expect(row.contains("approval 3 waiting") == (waiting == 3), "\(row)")
    #expect(row.contains("approval") == (waiting == 3), "\(row)")
  }

  @Test("each of the three busiest doors has a row, and there are no rows without doors")
  func doors() throws {
    var state = TopState(socket: "/s", period: 2)
    state.take(try #require(Readings.snapshot(at: 0, ["m": (0, 0, [])])))
    state.take(try #require(Readings.snapshot(at: 2, ["m": (0, 0, [])])))
    #expect(!lines(state).contains { $0.contains("doors") || $0.contains("accepted") })
    let earlier = ["imap", "mail", "proxy", "web"].map { Readings.door($0, [100, 0, 0, 0]) }
    state.take(try #require(Readings.snapshot(at: 4, ["m": (0, 0, [])], doors: earlier)))
    let later = [
      Readings.door("imap", [102, 0, 0, 0]), Readings.door("mail", [120, 6, 4, 2]),
      Readings.door("proxy", [100, 0, 0, 0]), Readings.door("web", [100, 8, 0, 0]),
    ]
    state.take(try #require(Readings.snapshot(at: 6, ["m": (0, 0, [])], doors: later)))
    let drawn = lines(state)
    let first = try #require(drawn.firstIndex { $0.hasPrefix("doors") })
    let rows = drawn[first..<first + 3].map { String($0.reversed().drop { $0 == " " }.reversed()) }
    #expect(
      rows == [
        "doors     mail          10/s accepted, 3.0 incorrect, 2.0 refused, 1.0 failed",
        "          web           0/s accepted, 4.0 incorrect, 0 refused, 0 failed",
        "          imap          1.0/s accepted, 0 incorrect, 0 refused, 0 failed  +1",
      ])
    #expect(drawn.count == 24 && drawn[23].hasPrefix(" q quit"))
  }

  @Test("every state fits every screen size, and an ASCII screen contains only ASCII")
  func sizes() throws {
    let shown = try TopStateTests.shown()
    var (help, lost, long) = (shown, shown, shown)
    _ = help.press(.edit(.insert("h")))
    lost.lose("cannot connect to /run/regd/regd.sock: Connection refused", retrySeconds: 4.2)
    for number in 0..<50 { long.take(event: "event \(number) \(String(repeating: "x", count: 300))") }
    let many = Dictionary(
      uniqueKeysWithValues: (0..<60).map { ("method.number\($0)", (ok: $0, taken: 1, buckets: [$0])) })
    let users = Dictionary(uniqueKeysWithValues: (0..<60).map { ($0, $0) })
    for time in 20...21 {
      long.take(
        try #require(
          Readings.snapshot(
            at: Double(time), uptime: 200, many, users: users, breaker: "halfOpen",
            failure: String(repeating: "bad ", count: 100), pending: 10_000, outbox: 99)))
    }
    for (name, state) in [("shown", shown), ("help", help), ("lost", lost), ("long", long)] {
      for columns in [1, 10, 79, 80, 81, 95, 96, 100, 120, 150, 200, 300] {
        for rows in [1, 2, 23, 24, 25, 30, 40, 60, 100] {
          let drawn = lines(state, columns, rows, .ascii)
          #expect(drawn.count <= rows, "\(name) \(columns)x\(rows)")
          #expect(drawn.allSatisfy { $0.count <= max(1, columns - 1) }, "\(name) \(columns)x\(rows)")
          #expect(drawn.joined().utf8.allSatisfy { $0 < 0x80 }, "\(name) \(columns)x\(rows)")
          if columns >= 80, rows >= 24 { #expect(drawn.last?.contains("q quit") == true, "\(name) \(columns)x\(rows)") }
        }
      }
    }
  }

  @Test("the screen shows each problem: regd gone, the breaker, the outbox, a failing network, a full queue")
  func wrong() throws {
    var state = try TopStateTests.shown()
    for time in 20...21 {
      state.take(
        try #require(
          Readings.snapshot(
            at: Double(time), uptime: 200, [:], breaker: "open", failure: "no route to it", pending: 258, outbox: 12)))
    }
    let drawn = lines(state, 120, 24)
    let network = "network   http ✗  breaker open  outbox 12 waiting  since 2026-11-22 08:43Z: no route to it"
    #expect(drawn.contains { $0.hasPrefix(network) })
    #expect(drawn.contains("hashing   [████████████████████] 256 of 256 waiting, 2 of 2 workers busy"))
    state.lose("regd closed the connection", retrySeconds: 2.4)
    #expect(lines(state)[1] == "✗ regd closed the connection; trying again in 3 s")
    #expect(lines(state)[0].hasPrefix("regd 0.1.0"), "the last numbers stay")
  }

  @Test("the whole help fits in 80 x 24, and no line of it is cut")
  func help() throws {
    var state = try TopStateTests.shown()
    _ = state.press(.edit(.insert("h")))
    let (drawn, wide) = (lines(state), lines(state, 300, 24))
    #expect(drawn.dropFirst().dropLast() == wide.dropFirst().dropLast())
    for key in ["q, Esc, Ctrl-C", "h, ?", "P50, P99"] {
      #expect(drawn.contains { $0.hasPrefix("  \(key) ") }, "\(key)")
    }
    #expect(drawn[22].isEmpty && drawn[23].contains("q quit"))
  }

  @Test("a table with more rows than fit shows the range of its rows, and scrolls")
  func scrolling() throws {
    let many = Dictionary(uniqueKeysWithValues: (10..<60).map { ("m\($0)", (ok: 1, taken: 0, buckets: [Int]())) })
    var state = TopState(socket: "s", period: 2)
    for time in 0...1 { state.take(try #require(Readings.snapshot(at: Double(time), many))) }
    #expect(lines(state).contains { $0.hasPrefix("METHOD  1-10 of 50") })
    #expect(lines(state).contains { $0.hasPrefix("m10 ") })
    for _ in 0..<100 { _ = state.press(.next) }
    state.limitOffset(to: TopView.mostOffset(state, columns: 80, rows: 24, .unicode))
    #expect(lines(state).contains { $0.hasPrefix("METHOD  41-50 of 50") })
    #expect(lines(state).contains { $0.hasPrefix("m59 ") } && !lines(state).contains { $0.hasPrefix("m40 ") })
    _ = state.press(.previous)
    #expect(lines(state).contains { $0.hasPrefix("METHOD  40-49 of 50") })
  }

  @Test("a wide screen has bars and reasons, a tall one has events, and 80 x 24 has neither")
  func room() throws {
    var state = try TopStateTests.shown()
    state.take(event: "08:43:38  account.registered  a@example.com")
    #expect(!lines(state).contains { $0.contains("EVENTS") || $0.contains("email.taken") })
    #expect(lines(state, 80, 40).contains { $0.contains("account.registered") })
    let wide = lines(state, 120, 24)
    #expect(wide.contains { $0.hasPrefix("b.slow") && $0.contains("█") && $0.contains("email.taken") })
  }
}
