import CLinux
import Glibc
import Logging
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// Standard error that is not read, and standard error whose reader has gone.
@Suite("A log that is not read", .blocking, .timeLimit(.minutes(10)))
struct DeafLogTests {
  /// A pipe, closed at the end.
  private struct Pipe: ~Copyable {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(linux_pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      close(reading)
      close(writing)
    }
  }

  /// Writes until the descriptor accepts no more.
  private func fill(_ descriptor: Int32) {
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    var bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
    while write(descriptor, &bytes, bytes.count) > 0 {}
    _ = fcntl(descriptor, F_SETFL, flags)
  }

  @Test(
    "while standard error is a full pipe, regd answers, counts the lines that it cannot write, and ends with 0",
    arguments: [
      "trace", "info",
    ])
  func process(_ level: String) throws {
    try TemporaryDirectory.with { directory in
      let fifo = "\(directory)/stderr"
      #expect(mkfifo(fifo, 0o600) == 0)
      // Both ends are open here, so that opening the pipe does not block. Nothing reads it.
      let pipe = open(fifo, O_RDWR | O_CLOEXEC)
      try #require(pipe >= 0)
      defer { close(pipe) }
      fill(pipe)
      let variables = [
        "REGD_LOG_LEVEL": level, "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "fail",
        "REGD_NETWORK_BREAKER_FAILURES": "0", "REGD_STORE_BACKEND": "memory",
      ]
      try withRegd(variables, startedBy: ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>\(fifo)"]) { regd in
        let client = try regd.client()
        for number in 0..<2000 {
          let answer = try client.call("registration.checkEmail", ["email": .string("a\(number)@example.com")])
          #expect(answer != .success("x"))
        }
        let log = try client.call("daemon.status").get()["log"]
        #expect((log?["waiting"]?.integer ?? 0) > 0)
        // An outage is one line, from its first call. At `trace`, each other call of it and each refusal is a line.
        let heldBack = (log?["heldBack"]?.integer ?? 0)
        #expect(level == "info" ? heldBack == 0 : heldBack == 1999 + 2000 - 2 * LogRepeats.burstOfNews)
        #expect(log?["dropped"]?.integer == 0)
        #expect(regd.process.end() == 0)
      }
    }
  }

  @Test("an invalid configuration ends regd with 78 even if standard error is not read")
  func failure() throws {
    try TemporaryDirectory.with { directory in
      let fifo = "\(directory)/stderr"
      #expect(mkfifo(fifo, 0o600) == 0)
      let pipe = open(fifo, O_RDWR | O_CLOEXEC)
      try #require(pipe >= 0)
      defer { close(pipe) }
      fill(pipe)
      let (status, _) = try RegdProcess.run(
        program: "/bin/sh", arguments: ["-c", "exec timeout 30 \(Places.regd) --stor-backend x 2>\(fifo)"],
        directory: directory)
      #expect(status == 78)
    }
  }

  @Test("regd keeps running when the reader of standard error leaves")
  func reader() throws {
    try TemporaryDirectory.with { directory in
      let fifo = "\(directory)/stderr"
      #expect(mkfifo(fifo, 0o600) == 0)
      let pipe = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(pipe >= 0)
      let variables = ["REGD_NETWORK_BACKEND": "offline", "REGD_STORE_BACKEND": "memory"]
      try withRegd(variables, startedBy: ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>\(fifo)"]) { regd in
        close(pipe)
        let client = try regd.client()
        for _ in 0..<10 {
          guard case .failure = try client.call("registration.checkEmail", ["email": "a@example.com"]) else {
            Issue.record("an upstream that is offline answers")
            return
          }
        }
        #expect(try client.call("rpc.ping") == .success("pong"))
        #expect(regd.process.end() == 0)
      }
    }
  }

  @Test("a log call never blocks, and the log counts lost lines and reports them once standard error is read")
  func dropped() throws {
    let pipe = try Pipe()
    fill(pipe.writing)
    let log = try DaemonLog(level: .trace, output: LogOutput(pipe.writing))
    // More than fits.
    let filling = String(repeating: "x", count: 8000)
    for number in 0..<250 { log.logger.notice("line \(1000 + number) \(filling)") }
    let counts = log.counts
    #expect(counts.dropped > 100 && counts.waiting > 100)
    #expect(counts.dropped + counts.waiting <= 250 && counts.dropped + counts.waiting >= 249)
    #expect(counts.heldBack == 0)
    let text = readAll(pipe.reading, until: "more than their reader took in time\n") { log.flush() }
    let lines = text.split(separator: "\n").filter { $0.contains(" regd: ") }
    let numbers = lines.compactMap { line in
      line.firstRange(of: "line ").flatMap { Int(line[$0.upperBound...].prefix(4)) }
    }
    #expect(numbers == Array(1000..<(1000 + numbers.count)))
    #expect(lines.last?.contains("dropped: \(250 - numbers.count) lines were more than") == true)
    log.end()
  }

  /// Reads until `end` has arrived, or until nothing more arrives in time.
  private func readAll(_ descriptor: Int32, until end: String, _ then: () -> Void) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      var events = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard poll(&events, 1, Patience.milliseconds) > 0 else { break }
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
      if bytes.suffix(end.utf8.count) == Array(end.utf8)[...] { break }
    }
    then()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a flush ends when all is written, or when its time is up while standard error is not read")
  func flush() throws {
    let pipe = try Pipe()
    let queue = try LogQueue(LogOutput(pipe.writing))
    queue.append(LogRecord(.info, "first", [:], source: "S"))
    // no thread writes yet
    #expect(!queue.flush(within: .milliseconds(1)))
    fill(pipe.writing)
    let log = try DaemonLog(level: .info, output: LogOutput(pipe.writing))
    log.logger.info("never read")
    log.end()
    #expect(log.counts.dropped == 0)
    // The thread keeps its output for as long as it writes.
    #expect(readAll(pipe.reading, until: "never read\n") {}.hasSuffix("info regd: [DaemonTests] never read\n"))
  }

  @Test("at its end, the log reports the lines that it has held back, after all earlier lines")
  func heldBack() throws {
    let pipe = try Pipe()
    let log = try DaemonLog(level: .info, output: LogOutput(pipe.writing))
    for number in 0..<20 {
      log.logger.notice("the upstream failed", metadata: ["failure": "offline", "account": "\(number)"])
    }
    log.logger.info("Stopped")
    log.end()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = read(pipe.reading, &chunk, chunk.count)
    let lines = String(decoding: chunk[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    #expect(lines.count == LogRepeats.burst + 2)
    #expect(lines.dropLast(2).allSatisfy { $0.hasSuffix(" failure=offline [DaemonTests] the upstream failed") })
    #expect(lines.dropLast().last?.hasSuffix("info regd: [DaemonTests] Stopped") == true)
    #expect(
      lines.last?.contains("notice regd: [Daemon] the upstream failed (failure=offline) … and 15 more like it in ")
        == true)
  }
}
