import RegdProcesses
import TestDoubles
import TestKit
import Testing
import WireFormats

@testable import regctl

@Suite("regctl metrics --http", .blocking, .timeLimit(.minutes(10)))
struct MetricsTests {
  private static let refusals: [(request: String, status: String)] = [
    ("GET / HTTP/1.1\r\n\r\n", "404"), ("GET /metricsx HTTP/1.1\r\n\r\n", "404"),
    ("POST /other HTTP/1.1\r\n\r\n", "404"),
    ("POST /metrics HTTP/1.1\r\n\r\n", "405"), ("get /metrics HTTP/1.1\r\n\r\n", "405"),
    ("GET /metrics HTTP/2.0\r\n\r\n", "505"), ("GET metrics HTTP/1.1\r\n\r\n", "400"), ("GET /metrics\r\n\r\n", "400"),
    ("GET  /metrics HTTP/1.1\r\n\r\n", "400"), ("\r\n\r\n", "400"), ("\n\n", "400"),
    ("GET /metrics HTTP/1.1\r\n", "400"),
    ("", "400"), ("{\"jsonrpc\":\"2.0\"}\n\n", "400"), ("GET /\u{0} HTTP/1.1\n\n", "404"),
  ]

  @Test("each other request gets the HTTP status for its error", arguments: refusals)
  func refused(request: String, status: String) {
    guard case .refused(let answer) = ScrapeRequest.read(Array(request.utf8)) else {
      Issue.record("\(request) is answered with the metrics")
      return
    }
    #expect(answer.text.hasPrefix("HTTP/1.1 \(status) "), "\(answer.text)")
    #expect(answer.text.contains("Allow: GET, HEAD\r\n") == (status == "405"))
  }

  @Test("a head that is not UTF-8, too long or late is refused")
  func unreadable() {
    #expect(ScrapeRequest.read([0xFF, 10, 10]) == .refused(.plain(.badRequest)))
    let long = Array("GET /metrics HTTP/1.1\r\nX: ".utf8) + Array(repeating: 120, count: ScrapeRequest.longest)
    #expect(ScrapeRequest.read(long) == .refused(.plain(.headTooLong)))
    #expect(ScrapeRequest.read(nil) == .refused(.plain(.late)))
  }

  @Test("a reason with line feeds is still one header field")
  func reason() {
    let answer = ScrapeAnswer.plain(.unavailable, nil, [("X-Regd-Reason", "a\r\nSet-Cookie: b\r\n\r\nc")])
    let head = answer.text.split(separator: "\r\n\r\n").first ?? ""
    #expect(
      head.split(separator: "\r\n").last == "X-Regd-Reason: a\\u000d\\u000aSet-Cookie: b\\u000d\\u000a\\u000d\\u000ac")
  }

  @Test(
    "GET and HEAD of /metrics are accepted with any fields, any query and both kinds of line ends",
    arguments: ["\r\n", "\n"])
  func taken(end: String) {
    for (method, withBody) in [("GET", true), ("HEAD", false)] {
      for head in ["/metrics HTTP/1.1", "/metrics?a=b HTTP/1.0", "/metrics HTTP/1.1\(end)Accept: text/plain"] {
        let request = Array("\(method) \(head)\(end)\(end)".utf8)
        #expect(ScrapeRequest.read(request) == .metrics(withBody: withBody), "\(head)")
        // a head is complete only at its last byte
        #expect(ScrapeRequest.isWhole(request) && !ScrapeRequest.isWhole(Array(request.dropLast())))
      }
    }
  }

  @Test("regctl metrics --http sends the metrics, or a status with the reason why there are none")
  func served() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' | $regctl metrics --http", 0, "\r\nConnection: close\r\n\r\n# "),
          ("printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' | $regctl metrics --http", 0, "# EOF\n"),
          (
            "printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' | $regctl metrics --http", 0,
            "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"
          ),
          (
            "printf 'HEAD /metrics HTTP/1.1\\r\\n\\r\\n' | $regctl metrics --http | tee head | tail -c 4 | od -An -c; cat head",
            0,
            " \\r  \\n  \\r  \\n\nHTTP/1.1 200 OK\r\n"
          ),
          (
            "printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' | $regctl metrics --http >/dev/full", 1,
            "cannot write to standard output"
          ),
          ("$regctl metrics --http --json", 2, "--http and --json cannot be combined"),
          (
            "mkfifo silent; exec 3<>silent; $regctl metrics --http --timeout 1 <&3",
            0, "HTTP/1.1 408 "
          ),
        ], regd.socket, in: regd.directory)
    }
    try Shell.check(
      [
        (
          "printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' | $regctl metrics --http 2>/dev/null", 0,
          "HTTP/1.1 503 Service Unavailable\r\n"
        ),
        (
          "printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' | $regctl metrics --http 2>&1 >/dev/null", 0,
          "regctl: cannot connect"
        ),
        ("printf 'HEAD /metrics HTTP/1.1\\r\\n\\r\\n' | $regctl metrics --http | wc -l", 0, "7\n"),
      ], "/nonexistent/regd.sock")
  }
}
