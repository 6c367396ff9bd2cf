import Logging
import Testing

@testable import Daemon

/// Lines that the log holds back, and lines for which it has no room.
@Suite("Log: repeats and room")
struct LogStateTests {
  private func kind(_ message: String, _ marks: String = "", _ level: Logger.Level = .notice) -> LogRepeats.Kind {
    .init(level: level, message: message, marks: marks)
  }

  @Test("the log writes a few lines of a kind in each window, and one line about the others at its end")
  func window() {
    var repeats = LogRepeats()
    func writes(_ kind: LogRepeats.Kind, at now: ContinuousClock.Instant) -> Bool { repeats.writes(kind, at: now) }
    func sums(at now: ContinuousClock.Instant, ends: Bool = false) -> [LogRepeats.Sum] {
      repeats.sums(at: now, ends: ends)
    }
    let start = ContinuousClock.now
    let away = kind("away", "failure=offline")
    let written = (0..<128).count { _ in writes(away, at: start) }
    #expect(written == LogRepeats.burst)
    #expect(sums(at: start + .seconds(59)) == [])
    #expect(repeats.nextEnd == start + .seconds(60))
    #expect(sums(at: start + .seconds(60)) == [.init(kind: away, count: 123, seconds: 60)])
    // While the lines continue, the log writes one line per window.
    let more = (0..<7).count { _ in writes(away, at: start + .seconds(70)) }
    #expect(more == 0)
    #expect(sums(at: start + .seconds(121)) == [.init(kind: away, count: 7, seconds: 61)])
    // The lines stop and begin again later, which is news.
    #expect(sums(at: start + .seconds(200)) == [])
    #expect(repeats.nextEnd == nil)
    #expect(writes(away, at: start + .seconds(201)))
  }

  @Test("another level, message, failure or user is another kind")
  func kinds() {
    var repeats = LogRepeats()
    func writes(_ kind: LogRepeats.Kind, at now: ContinuousClock.Instant) -> Bool { repeats.writes(kind, at: now) }
    let now = ContinuousClock.now
    for _ in 0..<LogRepeats.burst { #expect(writes(kind("refused", "uid=1"), at: now)) }
    #expect(!writes(kind("refused", "uid=1"), at: now))
    #expect(writes(kind("refused", "uid=2"), at: now))
    #expect(writes(kind("refused"), at: now))
    #expect(writes(kind("stalled", "uid=1"), at: now))
    #expect(writes(kind("refused", "uid=1", .error), at: now))
  }

  @Test("texts that change each time do not get unlimited windows")
  func manyKinds() throws {
    var repeats = LogRepeats()
    func writes(_ kind: LogRepeats.Kind, at now: ContinuousClock.Instant) -> Bool { repeats.writes(kind, at: now) }
    func sums(at now: ContinuousClock.Instant, ends: Bool = false) -> [LogRepeats.Sum] {
      repeats.sums(at: now, ends: ends)
    }
    let now = ContinuousClock.now
    let written = (0..<10_000).count { writes(kind("text \($0)"), at: now) }
    #expect(written == LogRepeats.mostKinds + LogRepeats.burst)
    let told = sums(at: now + LogRepeats.window)
    #expect(told.map(\.count) == [10_000 - written])
    // The lines that were held back are reported at the end of regd.
    let others = try #require(told.first)
    #expect(!writes(others.kind, at: now + LogRepeats.window))
    #expect(sums(at: now + LogRepeats.window, ends: true).map(\.count) == [1])
  }

  @Test("no origin of a user hides another: the log writes the first lines of each, and names the most frequent")
  func shared() throws {
    var repeats = LogRepeats()
    var now = ContinuousClock.now
    let kind = LogRepeats.Kind(level: .info, message: "refused", marks: "uid=33", isShared: true)
    func writes(_ sharer: String?) -> Bool { repeats.writes(kind, of: sharer, at: now) }
    for _ in 0..<2 {
      // A crowd in which each origin occurs once fills only its part.
      let crowd = (0..<10_000).count { writes("o\($0)") }
      #expect(crowd == LogRepeats.burstOfNews * 3 / 4)
      let other = LogRepeats.Kind(level: .info, message: "refused", marks: "uid=34", isShared: true)
      let isWritten = repeats.writes(other, of: "o1", at: now)
      #expect(isWritten, "another user's")
      // The reserved part has room for an origin that comes again.
      let guesses = (0..<1000).count { _ in writes("guesser") }
      #expect(guesses == LogRepeats.burstOfSharer - 1)
      now += LogRepeats.window
      let sums = repeats.sums(at: now)
      let sum = try #require(sums.first)
      #expect(sum.count == 11_000 - crowd - guesses)
      #expect(sum.mostly.map(\.name) == ["guesser"])
      #expect((1000...1200).contains(sum.mostly.first?.count ?? 0))
      #expect(
        LogRecord(of: sum).message.hasPrefix(
          "refused (uid=33) … and \(sum.count) more like it in 60 s, most of them for guesser (1"))
      // Each window begins anew, so that programs that count lines also count a long attack.
    }
    let (one, two) = ((0..<100).count { _ in writes("one") }, (0..<100).count { _ in writes("two") })
    #expect(one == LogRepeats.burstOfSharer && two == LogRepeats.burstOfSharer)
  }

  @Test("only the lines of refused attempts are shared by origins")
  func sharers() {
    let details: Logger.Metadata = ["origin": "203.0.113.7", "uid": "33", "reason": "r"]
    let refused = LogRecord(.attemptRefused, nil, details)
    #expect(refused.kind.isShared && refused.sharer == "203.0.113.7")
    #expect(LogRecord(.attemptRefused, nil, ["uid": "33"]).sharer == nil)
    let changed = LogRecord(.accountChanged, nil, details)
    #expect(!changed.kind.isShared && changed.sharer == nil)
  }

  @Test("operation, failure and user distinguish kinds, but account and numbers do not")
  func marks() {
    let metadata: Logger.Metadata = [
      "account": "0192", "bytes": "7", "failure": "offline", "operation": "register", "pid": "3", "uid": "1000",
    ]
    let record = LogRecord(.notice, "m", metadata, trace: ["uid": "1", "request": "x"], source: "S")
    #expect(record.kind.marks == "failure=offline operation=register uid=1000")
  }

  @Test("a full backlog keeps its lines in order, and reports once, in their place, how many are missing")
  func full() {
    var backlog = LogBacklog(capacity: 100)
    func append(_ line: [UInt8]) -> Bool { backlog.append(line) }
    func take(notice: (Int) -> [UInt8]) -> [UInt8]? { backlog.take(notice: notice) }
    let line = { (number: Int) in Array("\(1000 + number)\n".utf8) }
    let taken = (0..<30).filter { append(line($0)) }
    #expect(taken == Array(0..<20))
    var text: [UInt8] = []
    let notice = { (missing: Int) in Array("missing \(missing)\n".utf8) }
    // The backlog accepts no line before half of it is written.
    text += take(notice: notice) ?? []
    #expect(text == Array((0..<20).map(line).joined()))
    #expect(!append(line(30)))
    text = take(notice: notice) ?? []
    #expect(text == Array("missing 11\n".utf8))
    #expect(append(line(31)))
    #expect(take(notice: notice) == line(31))
    #expect(take(notice: notice) == nil)
  }

  @Test("one write contains what a pipe accepts at once, or a single longer line")
  func pieces() {
    var backlog = LogBacklog()
    func append(_ line: [UInt8]) -> Bool { backlog.append(line) }
    func take(notice: (Int) -> [UInt8]) -> [UInt8]? { backlog.take(notice: notice) }
    let line = [UInt8](repeating: 1, count: 1000)
    for count in [1000, 1000, 1000, 1000, 5000, 1000] {
      #expect(append([UInt8](repeating: 1, count: count)))
    }
    var counts: [Int] = []
    while let text = take(notice: { _ in line }) { counts.append(text.count) }
    #expect(counts == [4000, 5000, 1000])
  }

  @Test("the log writes more lines about successes than about failures")
  func news() {
    var repeats = LogRepeats()
    func written(_ level: Logger.Level) -> Int {
      (0..<100).count { _ in repeats.writes(kind("account.registered", "uid=1", level), at: .now) }
    }
    #expect(written(.notice) == LogRepeats.burst)
    #expect(written(.info) == LogRepeats.burstOfNews)
    #expect(written(.debug) == LogRepeats.burstOfNews)
  }
}
