import Linux
import Logging
import RegdProcesses
import TestKit
import Testing
import Tracing

@testable import Daemon

/// What a record looks like, by who reads it.
@Suite("Log: forms")
struct LogFormatTests {
  private func text(_ format: LogFormat, _ record: LogRecord) -> String {
    String(decoding: format.bytes(of: record), as: UTF8.self)
  }

  @Test(
    "one line stays one, whatever is in it, and has an end", arguments: [LogFormat.lines, .terminal(isColored: false)])
  func lines(_ format: LogFormat) {
    let forged = LogRecord(
      .notice, "a\nregd: forged \u{1B}[2J\u{9B}2J", ["message": "x\ty"], source: "S")
    let line = text(format, forged)
    #expect(line.contains(#"a\x0aregd: forged \x1b[2J\x9b2J"#) && line.contains(#"message=x\x09y"#))
    #expect(line.last == "\n" && line.dropLast().allSatisfy { !$0.isNewline })
    let long = text(format, LogRecord(.error, String(repeating: "é", count: 10_000), [:], source: "S"))
    #expect(long.utf8.count < LogRecord.longest + 64)
    #expect(long.hasSuffix("é…\n"))
  }

  @Test("a line for programs has its time, level, details, module and message")
  func plain() throws {
    let record = LogRecord(
      .info, "Serving", ["uid": "7", "count": "2"], trace: ["uid": "9", "request": "r"], source: "S")
    let line = text(.lines, record)
    #expect(
      line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} info regd: count=2 request=r uid=7 \[S\] Serving\n/)
        != nil)
  }

  @Test("a line for a person is in colours, unless NO_COLOR asks for none, and begins with the time of day")
  func terminal() throws {
    let record = LogRecord(.error, "The store fails", ["failure": "full"], source: "S")
    #expect(
      text(.terminal(isColored: false), record)
        .wholeMatch(of: /\d\d:\d\d:\d\d ERROR    The store fails  failure=full\n/) != nil)
    let colored = text(.terminal(isColored: true), record)
    #expect(colored.contains("\u{1B}[31mERROR\u{1B}[0m") && colored.hasSuffix("failure=full\u{1B}[0m\n"))
  }

  @Test("the journal gets fields: details by name, the id of the message, and no time")
  func journal() {
    var record = LogRecord(
      .upstreamFails, nil, ["failure": "offline", "reason": "network.offline", "storePath": "/a\nFORGED=1"])
    record = LogRecord(
      record.level, record.message, record.details.merging([LogRecord.idKey: "\(record.id ?? "")"]) { $1 },
      trace: ["method": "registration.register", "uid": "7", "pid": "9", "request": "0af7"], source: "Daemon")
    #expect(
      text(.journal, record).split(separator: "\n").map(String.init) == [
        #"MESSAGE=The upstream fails (failure=offline reason=network.offline storePath=/a\x0aFORGED=1)"#,
        "PRIORITY=4", "SYSLOG_IDENTIFIER=regd", "MESSAGE_ID=\(LogMessage.upstreamFails.id)", "REGD_FAILURE=offline",
        "REGD_METHOD=registration.register", "REGD_PID=9", "REGD_REASON=network.offline", "REGD_REQUEST=0af7",
        #"REGD_STORE_PATH=/a\x0aFORGED=1"#, "REGD_UID=7",
      ])
  }

  @Test("fields are bounded, each and together")
  func bounds() {
    let details = Dictionary(
      uniqueKeysWithValues: (0..<60).map {
        ("name\($0)", Logger.MetadataValue.string(String(repeating: "x", count: 5000)))
      })
    let fields = text(.journal, LogRecord(.error, "m", details, source: "S")).split(separator: "\n")
    #expect(fields.filter { $0.hasPrefix("REGD_") }.allSatisfy { $0.utf8.count < 1100 })
    #expect(fields.reduce(0) { $0 + $1.utf8.count + 1 } < 3 * LogRecord.longest)
    #expect(fields.count < 64)
  }

  @Test("what was held back is one record with the id of its kind")
  func sums() throws {
    let kind = LogRecord(.connectionStalled, nil, ["uid": "7"]).kind
    let sum = text(.journal, LogRecord(of: .init(kind: kind, count: 12, seconds: 60)))
    #expect(sum.contains("MESSAGE_ID=\(LogMessage.connectionStalled.id)\n"))
    #expect(sum.contains("(uid=7) … and 12 more like it in 60 s\n"))
  }

  @Test("lines of a task's work have what the work is known by, and other lines have not")
  func trace() async throws {
    #expect(Logger.MetadataProvider.trace.get().isEmpty)
    let trace = Trace(of: "form.submit", by: .init(uid: 7, pid: 9), account: "a")
    Trace.$current.withValue(trace) {
      #expect(
        Logger.MetadataProvider.trace.get() == [
          "method": "form.submit", "request": "\(trace.id)", "uid": "7", "pid": "9", "account": "a",
        ])
    }
  }

  @Test("only what systemd names as the journal is the journal; NO_COLOR and a dumb terminal take the colours away")
  func outputs() throws {
    try TemporaryDirectory.with { directory in
      let file = try Descriptor.open("\(directory)/log", [.writing, .creating])
      let identity = try file.status().identity
      for (stream, format) in [
        ("\(identity.device):\(identity.inode)", LogFormat.journal), ("\(identity.device):1", .lines), ("x", .lines),
        ("", .lines), ("\(identity.device):\(identity.inode):1", .lines),
      ] {
        #expect(LogOutput(file.number, environment: ["JOURNAL_STREAM": stream]).format == format, "\(stream)")
      }
      #expect(LogOutput(file.number, environment: [:]).format == .lines)
    }
  }
}
