import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl bench", .blocking, .timeLimit(.minutes(10)))
struct BenchTests {
  @Test("what cannot be measured is refused before anything is sent, and says what would be right")
  func refused() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl bench --connections 0", 2, "--connections must be from 1 to 1000, not 0"),
          ("$regctl bench --rate 0", 2, "--rate must be from 0.001 to 10000000, not 0"), ("$regctl bench --duration -- -1", 2, "duration"),
          ("$regctl bench --params '{}'", 2, "--params needs exactly one --method"),
          ("$regctl bench --method rpc.ping --params 5", 2, "JSON object or array"),
          ("$regctl bench --method rpc.pong", 2, "did you mean \"rpc.ping\"?"),
          ("$regctl bench --method registration.register", 1, "registration.register may change accounts"),
          ("$regctl bench --method rpc.ping --method session.signIn", 1, "session.signIn may change accounts"),
          ("$regctl bench --socket /nonexistent", 3, "cannot connect"),
        ], regd.socket)
      let text = try regd.client().call("daemon.metrics").get()["text"]?.string ?? ""
      #expect(text.contains(#"regd_requests_total{method="rpc.ping",reason="ok"} 0"#))
    }
  }

  @Test("an upstream, which belongs to others, is asked with --yes only")
  func upstream() throws {
    let variables = ["REGD_NETWORK_BACKEND": "http", "REGD_NETWORK_HTTP_BASE_URL": "http://127.0.0.1:1"]
    try withRegd(variables) { regd in
      try Shell.check(
        [
          (
            "$regctl bench --method registration.checkEmail --params '[\"a@b.cc\"]'", 1,
            "a load of registration.checkEmail calls the upstream, so it needs --yes"
          ),
          (
            "$regctl bench --method registration.checkEmail --params '[\"a@b.cc\"]' --yes --requests 3", 1,
            "network.offline"
          ),
        ], regd.socket)
    }
  }

  @Test("errors are told by reason, and exit status 1; without any it is 0")
  func outcomes() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl bench --requests 20", 0, "rpc.ping: closed loop, 8 connections x 1 in flight"),
          ("$regctl bench --requests 20", 0, "registration.validate: closed loop"),
          ("$regctl bench --requests 20 --method rpc.ping", 0, "  20 results in "),
          ("$regctl bench --method rpc.ping --rate 200 --requests 20", 0, "open loop, 200 requests/s"),
          (
            "echo '{\"email\":\"n{n}@example.com\",\"password\":\"x\"}' | $regctl bench --method session.signIn --yes --requests 2 --params -",
            1, "2 x credentials.rejected"
          ),
          (
            "$regctl bench --method registration.register --yes --requests 3 --params '{\"email\":\"n{n}@example.com\",\"password\":\"a fine phrase\",\"passwordConfirmation\":\"a fine phrase\"}'",
            0, "3 results"
          ), ("$regctl account list | wc -l", 0, "3"),
        ], regd.socket)
    }
  }

  @Test("--json is one document, with each run")
  func json() throws {
    try withRegd { regd in
      let (status, output) = try Shell.run("$regctl bench --requests 30 --json --in-flight 2", regd.socket)
      #expect(status == 0 && output.split(separator: "\n").count == 1, "\(output)")
      let runs = try #require(JSONValue(output.utf8)?["runs"]?.array)
      #expect(runs.compactMap { $0["method"]?.string } == ["rpc.ping", "registration.validate"])
      for run in runs {
        #expect(run["results"]?.integer == 30 && run["inFlight"]?.integer == 2 && run["loop"] == "closed")
        let counts = run["histogram"]?.array?.compactMap { $0["count"]?.integer } ?? []
        #expect(counts.reduce(0, +) == 30)
        for quantile in ["p50Seconds", "p90Seconds", "p99Seconds", "p999Seconds", "maxSeconds"] {
          #expect(run["latency"]?[quantile] != nil, "\(quantile)")
        }
      }
    }
  }

  @Test("on a terminal it shows its progress, and Control-C ends it with what there is")
  func interrupted() throws {
    try withRegd { regd in
      let terminal = try PseudoTerminal(
        program: Places.regctl, arguments: ["bench", "--duration", "3600", "--socket", regd.socket])
      try terminal.wait(for: " left")
      terminal.type("\u{3}")
      #expect(terminal.finish() == 0)
      #expect(terminal.screen.contains(" results in ") && terminal.screen.contains("no errors"), "\(terminal.screen)")
      #expect(!terminal.screen.contains("registration.validate"), "a load that was not begun is not told")
    }
  }
}
