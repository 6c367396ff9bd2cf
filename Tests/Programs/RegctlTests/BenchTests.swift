import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl bench", .blocking, .timeLimit(.minutes(10)))
struct BenchTests {
  @Test("an impossible load is refused before anything is sent, with the allowed values")
  func refused() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl bench --connections 0", 2, "--connections must be from 1 to 1000, not 0"),
          ("$regctl bench --rate 0", 2, "--rate must be from 0.001 to 10000000, not 0"),
          ("$regctl bench --duration -- -1", 2, "duration"),
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

  @Test("a load that calls the upstream needs --yes, because the upstream belongs to others")
  func upstream() throws {
    let variables = ["REGD_NETWORK_BACKEND": "http", "REGD_NETWORK_HTTP_BASE_URL": "http://127.0.0.1:1"]
    try withRegd(variables) { regd in
      try Shell.check(
        [
          (
            "$regctl bench --method registration.checkEmail --params '[\"a@b.cc\"]'", 1,
            "measuring registration.checkEmail calls the upstream, so it needs --yes"
          ),
          (
            "$regctl bench --method registration.checkEmail --params '[\"a@b.cc\"]' --yes --requests 3", 1,
            "network.offline"
          ),
        ], regd.socket)
    }
  }

  @Test("regctl bench reports errors by their reasons and exits with 1, or with 0 if there are none")
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

  @Test("--json prints one document that contains each run")
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

  @Test("regctl bench shows its progress on a terminal, and Control-C ends it with the results so far")
  func interrupted() throws {
    try withRegd { regd in
      let terminal = try PseudoTerminal(
        program: Places.regctl, arguments: ["bench", "--duration", "3600", "--socket", regd.socket])
      try terminal.wait(for: " left")
      terminal.type("\u{3}")
      #expect(terminal.finish() == 0)
      #expect(terminal.screen.contains(" results in ") && terminal.screen.contains("no errors"), "\(terminal.screen)")
      #expect(!terminal.screen.contains("registration.validate"), "a load that has not begun is not reported")
    }
  }
}
