import Glibc
import RegdClient
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// An outage is one line when it begins and one when it ends.
@Suite("Outages in the log", .blocking, .timeLimit(.minutes(10)))
struct OutageTests {
  private func lines(_ regd: RunningRegd, _ message: LogMessage) -> [Substring] {
    regd.process.output.split(separator: "\n").filter { $0.contains("] \(message.text)") }
  }

  private func away(_ client: RegdClient) throws {
    guard case .failure(let error) = try client.call("registration.checkEmail", ["email": "a@example.com"]) else {
      Issue.record("an upstream that is away answers")
      return
    }
    #expect(error.reason == "network.offline")
  }

  @Test("an upstream that fails 20 calls is one line, and one line with their number when it works again")
  func upstream() throws {
    try TemporaryDirectory.with { directory in
      let offline = [try Script.Step("offline")]
      let upstream = try UpstreamServer(
        Script(checkEmail: offline, register: offline, signIn: offline), directory: directory)
      defer { upstream.stop() }
      let variables = [
        "REGD_NETWORK_BACKEND": "http", "REGD_NETWORK_HTTP_BASE_URL": upstream.baseURL, "REGD_LOG_LEVEL": "info",
        "REGD_NETWORK_BREAKER_FAILURES": "0", "REGD_STORE_BACKEND": "memory",
      ]
      try withRegd(configuration: "\(Places.environments)/success.yaml", variables) { regd in
        let client = try regd.client()
        for _ in 0..<20 { try away(client) }
        try upstream.play(Script())
        #expect(try client.call("registration.checkEmail", ["email": "a@example.com"]).get()["available"]?.bool == true)
        #expect(regd.process.end() == 0)
        let began = lines(regd, .upstreamFails)
        #expect(began.count == 1 && began[0].contains(" warning regd: "), "\(regd.process.output)")
        for detail in [
          "failure=offline", "reason=network.offline", "operation=isAvailable", "method=registration.checkEmail",
          "request=", "message=",
        ] { #expect(began[0].contains(detail), "\(began)") }
        let ended = lines(regd, .upstreamWorks)
        #expect(
          ended.count == 1 && ended[0].contains("failures=20 ") && ended[0].contains(" seconds="),
          "\(regd.process.output)")
        #expect(lines(regd, .upstreamFailedRequest).isEmpty && lines(regd, .upstreamStillFails).isEmpty)
      }
    }
  }

  @Test("an unavailable store is one line of level error, and one line when it works again")
  func store() throws {
    try withRegd(["REGD_LOG_LEVEL": "info", "REGD_STORE_BACKEND": "sqlite"]) { regd in
      let client = try regd.client()
      _ = try RegdProcess.run(
        program: "/bin/mv", arguments: [regd.database, "\(regd.database).away"], directory: regd.directory)
      let entry = RegdClient.entry(email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase")
      for _ in 0..<10 {
        guard case .failure(let error) = try client.call("registration.register", entry) else {
          Issue.record("registered in a database that is not there")
          return
        }
        #expect(error.reason.hasPrefix("store."))
      }
      _ = try RegdProcess.run(
        program: "/bin/mv", arguments: ["\(regd.database).away", regd.database], directory: regd.directory)
      _ = try client.call("registration.register", entry).get()
      // regd also checks the store by itself.
      while try client.call("daemon.status").get()["store"]?["healthy"]?.bool != true {}
      #expect(regd.process.end() == 0)
      let began = lines(regd, .storeFails)
      #expect(began.count == 1 && began[0].contains(" error regd: "), "\(regd.process.output)")
      #expect(lines(regd, .storeWorks).count == 1, "\(regd.process.output)")
    }
  }

  @Test("the first start logs the database that it has created, and a restart with the same database does not")
  func created() throws {
    try withRegd(["REGD_LOG_LEVEL": "notice", "REGD_STORE_BACKEND": "sqlite"]) { regd in
      try regd.restart(after: SIGTERM)
      #expect(regd.process.end() == 0)
      let told = lines(regd, .storeCreated)
      #expect(told.count == 1 && told[0].contains(" notice regd: path=\(regd.database) "), "\(regd.process.output)")
    }
  }

  @Test("a registration is one line with its account, method and caller, and without the address")
  func registration() throws {
    try withRegd(["REGD_LOG_LEVEL": "info"]) { regd in
      let entry = RegdClient.entry(email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase")
      let account = try regd.client().call("registration.register", entry).get()["account"]?["id"]?.string ?? ""
      #expect(regd.process.end() == 0)
      let told = lines(regd, .accountChanged)
      #expect(told.count == 1 && told[0].hasSuffix("[Daemon] account.registered"), "\(regd.process.output)")
      for detail in ["account=\(account)", "method=registration.register", "uid=", "pid=", "request="] {
        #expect(told[0].contains(detail), "\(told)")
      }
      #expect(!regd.process.output.contains("a@example.com"))
    }
  }
}
