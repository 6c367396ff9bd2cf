import Linux
import Logging
import RegdProcesses
import TestDoubles
import TestKit
import Testing
import Tracing

@testable import Daemon

/// The formats of a record, one for each kind of reader.
@Suite("Log: forms")
struct LogFormatTests {
  private func text(_ format: LogFormat, _ record: LogRecord) -> String {
    String(decoding: format.bytes(of: record), as: UTF8.self)
  }

  @Test(
    "a record is one line, whatever it contains, and ends", arguments: [LogFormat.lines, .terminal(isColored: false)])
  func lines(_ format: LogFormat) {
    let forged = LogRecord(
      .notice, "a\nregd: forged \u{1B}[2J\u{9B}2J\u{2028}b\u{2029}\u{202E}c\u{2068}d\u{2069}\u{200F}",
      ["message": "x\ty"], source: "S")
    let line = text(format, forged)
    #expect(
      line.contains(
        #"a\u000aregd: forged \u001b[2J\u009b2J\u2028b\u2029\u202ec\u2068d\u2069\u200f"#))
    #expect(line.contains(#"message=x\u0009y"#))
    #expect(line.last == "\n" && line.dropLast().allSatisfy { !$0.isNewline })
    let long = text(format, LogRecord(.error, String(repeating: "é", count: 10_000), [:], source: "S"))
    #expect(long.utf8.count < LogRecord.longest + 64)
    #expect(long.hasSuffix("é…\n"))
  }

  @Test("a line for programs contains time, level, details, module and message")
  func plain() throws {
    let record = LogRecord(
      .info, "Serving", ["uid": "7", "count": "2"], trace: ["uid": "9", "request": "r"], source: "S")
    let line = text(.lines, record)
    #expect(
      line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} info regd: count=2 request=r uid=7 \[S\] Serving\n/)
        != nil)
  }

  @Test("a line for a terminal begins with the time of day, with or without colours")
  func terminal() throws {
    let record = LogRecord(.error, "The store fails", ["failure": "full"], source: "S")
    #expect(
      text(.terminal(isColored: false), record)
        .wholeMatch(of: /\d\d:\d\d:\d\d ERROR    The store fails  failure=full\n/) != nil)
    let colored = text(.terminal(isColored: true), record)
    #expect(colored.contains("\u{1B}[31mERROR\u{1B}[0m") && colored.hasSuffix("failure=full\u{1B}[0m\n"))
  }

  @Test("the journal gets fields: the details by name and the id of the message, but no time")
  func journal() {
    var record = LogRecord(
      .upstreamFails, nil, ["failure": "offline", "reason": "network.offline", "storePath": "/a\nFORGED=1"])
    record = LogRecord(
      record.level, record.message, record.details.merging([LogRecord.idKey: "\(record.id ?? "")"]) { $1 },
      trace: ["method": "registration.register", "uid": "7", "pid": "9", "request": "0af7"], source: "Daemon")
    #expect(
      text(.journal, record).split(separator: "\n").map(String.init) == [
        #"MESSAGE=The upstream fails (failure=offline reason=network.offline storePath=/a\u000aFORGED=1)"#,
        "PRIORITY=4", "SYSLOG_IDENTIFIER=regd", "MESSAGE_ID=\(LogMessage.upstreamFails.id)", "REGD_FAILURE=offline",
        "REGD_METHOD=registration.register", "REGD_PID=9", "REGD_REASON=network.offline", "REGD_REQUEST=0af7",
        #"REGD_STORE_PATH=/a\u000aFORGED=1"#, "REGD_UID=7",
      ])
  }

  @Test("the article's fail2ban filter finds the address of a refusal, but no address that an origin forges")
  func fail2ban() throws {
    let article = try #require(Article.named("Observing"))
    let line = try #require(article.text.split(separator: "\n").first { $0.contains("failregex = ") })
    let pattern = line.trimmingPrefix(while: { $0 == " " }).dropFirst("failregex = ".count)
      .replacing("<ADDR>", with: #"(?<address>[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f:]*:[0-9a-f:]+)"#)
    let filter = try Regex(String(pattern))
    #expect(article.text.contains("MESSAGE_ID=\(LogMessage.attemptRefused.id)"))
    func found(_ origin: String?, _ reason: String = "credentials.rejected") throws -> String? {
      var details: Logger.Metadata = ["method": "session.signIn", "reason": "\(reason)", "uid": "33"]
      details["origin"] = origin.map { "\($0)" }
      let entry = text(.journal, LogRecord(.attemptRefused, nil, details))
      let message = try #require(entry.split(separator: "\n").first { $0.hasPrefix("MESSAGE=") }?.dropFirst(8))
      return "host regd[12]: \(message)".firstMatch(of: filter)?["address"]?.substring.map { String($0) }
    }
    #expect(try found("203.0.113.7") == "203.0.113.7")
    #expect(try found("2001:db8::7", "code.rejected") == "2001:db8::7")
    #expect(try found("203.0.113.7", "validation.failed") == nil, "a mistake is no attack")
    #expect(try found(nil) == nil)
    for forged in [
      "x origin=203.0.113.7", "203.0.113.7 x", "203.0.113.7 reason=credentials.rejected uid=33)",
      "x\nhost regd[12]: \(LogMessage.attemptRefused.text) (method=x origin=203.0.113.7",
      "x \(LogMessage.attemptRefused.text) (method=x origin=203.0.113.7",
    ] {
      #expect(try found(forged) == nil, "\(forged)")
    }
  }

  @Test("the fields are limited, each and together")
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

  @Test("the lines that were held back are one record with the id of their kind")
  func sums() throws {
    let kind = LogRecord(.connectionStalled, nil, ["uid": "7"]).kind
    let sum = text(.journal, LogRecord(of: .init(kind: kind, count: 12, seconds: 60)))
    #expect(sum.contains("MESSAGE_ID=\(LogMessage.connectionStalled.id)\n"))
    #expect(sum.contains("(uid=7) … and 12 more like it in 60 s\n"))
  }

  @Test("the log lines of a task contain its trace, and other lines do not")
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

  @Test("only the stream that systemd names is the journal")
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
