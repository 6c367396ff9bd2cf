import RegdClient
import TestKit
import Testing

@testable import LoadGenerator

@Suite("load tests of a running regd", .blocking, .timeLimit(.minutes(10)))
struct LoadRunTests {
  private func run(
    _ regd: RunningRegd, _ method: String = "rpc.ping", _ change: (inout LoadPlan) -> Void = { _ in },
    until isWanted: (LoadRun.Progress) -> Bool = { _ in true }
  ) throws -> LoadReport {
    var plan = LoadPlan(method: method)
    (plan.connections, plan.requests) = (2, 10)
    change(&plan)
    return try LoadRun(plan, path: regd.socket).run(isWanted)
  }

  @Test("a load on a missing socket fails")
  func nothing() {
    #expect(throws: RegdClientFailure.self) { try LoadRun(LoadPlan(method: "rpc.ping"), path: "/nonexistent/s") }
  }

  @Test("every answer is counted once: an error by its reason, a result with its latency")
  func counts() throws {
    try withRegd { regd in
      let unknown = try run(regd, "nonsense") { $0.inFlight = 3 }
      #expect(unknown.errors == ["rpc.methodNotFound": 10] && unknown.results == 0)
      let report = try run(regd) { ($0.inFlight, $0.requests) = (7, 1000) }
      #expect(report.results == 1000 && report.errors == [:] && report.latencies.count == 1000)
      #expect(report.latencies.least > 0 && report.throughput > 0)
      // regd's own count
      let metrics = try regd.client().call("daemon.metrics").get()["text"]?.string ?? ""
      #expect(metrics.contains(#"regd_requests_total{method="rpc.ping",reason="ok"} 1000"#))
    }
  }

  @Test("a connection that regd closes counts as an error, and the load ends instead of waiting")
  func closed() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS": "1"]) { regd in
      let first = try regd.connect()
      try first.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"#)
      _ = try first.receiveLine()
      let report = try run(regd)
      #expect(report.results == 0 && report.errors["server.busy"] == 2)
    }
  }

  @Test("in an open loop, latencies include the wait for a slow regd, even with only one request in flight")
  func behind() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=50ms",
    ]) { regd in
      let report = try run(regd, "registration.checkEmail") { plan in
        (plan.connections, plan.rate, plan.requests) = (1, 100, 10)
        plan.params = ["email": "n{n}@example.com"]
      }
      #expect(report.results == 10 && report.errors == [:])
      // in sequence, the requests take 500 ms, and the last one was due after 90 ms
      #expect(report.latencies.most >= 400_000_000)
      #expect(report.lags.count < 10, "delays by regd do not count as delays by the generator")
    }
  }

  @Test("a request that was due but never sent counts as an error")
  func notSent() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=300ms",
    ]) { regd in
      let report = try run(regd, "registration.checkEmail") { plan in
        (plan.connections, plan.rate, plan.seconds, plan.requests) = (1, 100, 0.1, nil)
        plan.params = ["email": "n{n}@example.com"]
      }
      #expect(report.results == 1 && report.errors == ["notSent": 9])
    }
  }

  @Test("a load ends when it is no longer wanted, and requests without an answer are not errors")
  func ended() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3600000ms",
      "REGD_SHUTDOWN_GRACE_SECONDS": "0",
    ]) { regd in
      let report = try run(
        regd, "registration.checkEmail",
        { plan in
          (plan.inFlight, plan.requests) = (3, nil)
          plan.params = ["email": "n{n}@example.com"]
        }, until: { _ in false })
      #expect(report.results == 0 && report.errors == [:] && report.unanswered == 6)
      let late = try run(regd, "registration.checkEmail") { plan in
        (plan.requests, plan.timeoutSeconds, plan.params) = (2, 1, ["email": "a@example.com"])
      }
      #expect(late.errors == ["timedOut": 2])
    }
  }
}
