import Glibc
import RegdClient
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import Synchronization
import TestDoubles
import TestKit
import Testing

/// A real regd over HTTP, and an unreliable real upstream.
@Suite("regd and its upstream", .blocking, .timeLimit(.minutes(10)))
struct UpstreamTests {
  private static let configuration = "\(Places.environments)/success.yaml"

  private func variables(_ upstream: UpstreamServer, _ more: [String: String] = [:]) -> [String: String] {
    [
      "REGD_NETWORK_BACKEND": "http", "REGD_NETWORK_HTTP_BASE_URL": upstream.baseURL, "REGD_STORE_BACKEND": "sqlite",
      "REGD_NETWORK_OUTBOX_FIRST_SECONDS": "0.01", "REGD_NETWORK_OUTBOX_MAXIMUM_SECONDS": "0.05",
    ].merging(more) { $1 }
  }

  /// The process to kill, and the time.
  private final class Assassin: Sendable {
    private struct Plan {
      var pid: Int32?
      var moment: Int
    }

    private let plan: Mutex<Plan>

    /// - Parameter moment: The n-th moment of all requests, from 0.
    init(at moment: Int) { plan = Mutex(Plan(pid: nil, moment: moment)) }

    func aim(at pid: Int32) { plan.withLock { $0.pid = pid } }

    func note(_: UpstreamServer.Moment) {
      plan.withLock { plan in
        plan.moment -= 1
        if plan.moment == -1, let pid = plan.pid { kill(pid, SIGKILL) }
      }
    }

    var hasStruck: Bool { plan.withLock { $0.moment < 0 } }
  }

  private func register(_ client: RegdClient) throws -> Result<JSONValue, RegdError> {
    let entry = RegdClient.entry(email: "name@example.com", password: "a fine phrase", confirmation: "a fine phrase")
    guard case .object(let members) = entry else { return .success(.null) }
    return try client.call("registration.register", .object(members + [.init("requestId", "r")]))
  }

  private func settle(_ client: RegdClient) throws {
    while true {
      let status = try client.call("registration.status", ["requestId": "r"]).get()
      if status["state"]?.string != "pending" { return }
    }
  }

  @Test(
    "after a kill while the upstream reads a registration, or before its answer leaves, both sides finally agree",
    arguments: 0..<4, ["accept", "timeout acted", "reset-after", "unavailable"])
  func killed(_ moment: Int, _ word: String) throws {
    try TemporaryDirectory.with { directory in
      let assassin = Assassin(at: moment)
      let step = try Script.Step(word)
      let upstream = try UpstreamServer(
        Script(register: [step, .init(.accept)]), directory: directory, onRequest: assassin.note)
      defer { upstream.stop() }
      let limits = ["REGD_NETWORK_HTTP_TOTAL_SECONDS": "0.3", "REGD_NETWORK_HTTP_CONNECT_SECONDS": "0.3"]
      try withRegd(configuration: Self.configuration, variables(upstream, limits)) { regd in
        assassin.aim(at: regd.process.pid)
        let client = try regd.client()
        do {
          _ = try register(client)
          if word != "unavailable" { try settle(client) }
        } catch {
          #expect(assassin.hasStruck, "\(error)")
        }
        try regd.restart(after: SIGKILL)
        let after = try regd.client()
        try settle(after)
        // An upstream that has answered after the short deadline is asked again, as by callers.
        var outcome = try register(after)
        while case .failure(let error) = outcome, error.reason == "network.timeout" { outcome = try register(after) }
        let answer = try outcome.get()
        let id = try #require(answer["account"]?["id"]?.string)
        #expect(answer["account"]?["state"]?.string == "active")
        #expect(upstream.ledger.registrations.map(\.id) == [id], "one registration, of this id")
        #expect(upstream.ledger.complaints.isEmpty, "\(upstream.ledger.complaints)")
        let signIn = try after.call("session.signIn", ["email": "name@example.com", "password": "a fine phrase"]).get()
        #expect(signIn["account"]?["id"]?.string == id)
      }
    }
  }

  @Test("regd starts while the upstream is unavailable, and uses it once it is available again")
  func away() throws {
    try TemporaryDirectory.with { directory in
      let upstream = try UpstreamServer(Script(always: "offline"), directory: directory)
      defer { upstream.stop() }
      try withRegd(configuration: Self.configuration, variables(upstream)) { regd in
        let client = try regd.client()
        guard case .failure(let error) = try register(client) else {
          Issue.record("registered without an upstream")
          return
        }
        #expect(error.reason == "network.offline")
        let status = try client.call("daemon.status").get()
        #expect(status["network"]?["healthy"]?.bool == false)
        try upstream.play(Script())
        #expect(try register(client).get()["account"]?["state"]?.string == "active")
        #expect(try client.call("daemon.status").get()["network"]?["healthy"]?.bool == true)
      }
    }
  }

  @Test("if the upstream always fails for one address, the breaker stays closed, and other addresses are still checked")
  func stumbles() throws {
    try TemporaryDirectory.with { directory in
      let upstream = try UpstreamServer(Script(register: [.init(.fault(.fail))]), directory: directory)
      defer { upstream.stop() }
      try withRegd(configuration: Self.configuration, variables(upstream)) { regd in
        let client = try regd.client()
        let check = { try client.call("registration.checkEmail", ["email": "free@example.com"]).get()["available"] }
        #expect(try check()?.bool == true)
        for number in 0..<20 {
          guard case .failure(let error) = try register(client) else {
            Issue.record("registered by an upstream that answers 500")
            return
          }
          #expect(error.reason == "network.failed", "call \(number)")
        }
        let network = try client.call("daemon.status").get()["network"]
        #expect(network?["healthy"]?.bool == true)
        #expect(network?["breaker"]?.string == "closed")
        #expect(try check()?.bool == true)
      }
    }
  }

  @Test("each request contains the token of a credential file, and the log does not")
  func token() throws {
    try TemporaryDirectory.with { directory in
      let upstream = try UpstreamServer(Script(), directory: directory, bearerToken: "hunter2-token")
      defer { upstream.stop() }
      try TextFile.write("hunter2-token\n", to: "\(directory)/network-http-bearerToken")
      // A wrong token is refused, and the log does not contain it.
      for (variables, isRight) in [
        (["REGD_NETWORK_HTTP_BEARER_TOKEN": "another-hunter2"], false), (["CREDENTIALS_DIRECTORY": directory], true),
      ] {
        try withRegd(configuration: Self.configuration, self.variables(upstream, variables)) { regd in
          let answer = try register(try regd.client())
          #expect(((try? answer.get()) != nil) == isRight, "\(answer)")
          if case .failure(let error) = answer { #expect(error.reason == "network.rejected") }
          regd.process.end()
          #expect(!regd.process.output.contains("hunter2"))
        }
      }
      #expect(upstream.ledger.registrations.count == 1)
    }
  }

  @Test("regd does not use the proxies of the environment for the upstream", arguments: [false, true])
  func proxies(_ isSecure: Bool) throws {
    try TemporaryDirectory.with { directory in
      let upstream = try UpstreamServer(Script(), directory: directory, isSecure: isSecure)
      defer { upstream.stop() }
      var more = ["REGD_NETWORK_HTTP_CA_FILE": upstream.caFile ?? "", "no_proxy": "", "NO_PROXY": ""]
      for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        more[name] = "http://127.0.0.1:1"
      }
      try withRegd(configuration: Self.configuration, variables(upstream, more)) { regd in
        let account = try register(try regd.client()).get()["account"]
        #expect(account?["state"]?.string == "active")
      }
    }
  }

  @Test("a jsonrpc door observes answerSeconds while the upstream, which checks each sign-in, does not answer")
  func silent() throws {
    try TemporaryDirectory.with { directory in
      let (read, released) = (Bell(), Bell())
      let upstream = try UpstreamServer(Script(), directory: directory) { moment in
        guard moment.request.operation == .signIn, moment.kind == .read else { return }
        read.raise()
        released.wait()
      }
      defer { upstream.stop() }
      // Also if the test ends early, because the server waits for its threads.
      defer { released.raise() }
      let file = "\(directory)/regd.yaml"
      try TextFile.write(
        "doors: {app: {protocol: jsonrpc, path: \(directory)/app, mode: \"0600\", group: \"\", answerSeconds: 1}}",
        to: file)
      let patient = [
        "REGD_LIMITS_REQUEST_SECONDS": "7200", "REGD_NETWORK_HTTP_TOTAL_SECONDS": "3600",
        "REGD_SIGN_IN_AUTHORITY": "network",
      ]
      try withRegd(configuration: file, variables(upstream, patient)) { regd in
        _ = try register(try regd.client()).get()
        let caller = try RegdConversation(path: "\(directory)/app", timeoutSeconds: Patience.seconds)
        try caller.send("session.signIn", ["email": "name@example.com", "password": "a fine phrase"])
        read.wait()
        guard case .reply(_, .failure(let error)) = try caller.receive() else {
          Issue.record("no answer while the upstream is silent")
          return
        }
        #expect(error.reason == "request.timeout" && error.data["limit"]?.integer == 1, "\(error)")
        released.raise()
        // The late answer of the upstream is not sent: the next line answers the next request.
        try caller.send("rpc.ping")
        guard case .reply(_, .success(let pong)) = try caller.receive() else {
          Issue.record("the late answer was sent")
          return
        }
        #expect(pong.string == "pong")
      }
    }
  }

  @Test("a hanging request to the upstream does not prevent regd from stopping, and is settled afterwards")
  func stopping() throws {
    try TemporaryDirectory.with { directory in
      let read = Bell()
      let upstream = try UpstreamServer(
        Script(register: [.init(.fault(.timeout), hasActed: true), .init(.accept)]), directory: directory,
        onRequest: { if $0.kind == .acted { read.raise() } })
      defer { upstream.stop() }
      try withRegd(
        configuration: Self.configuration, variables(upstream, ["REGD_SHUTDOWN_GRACE_SECONDS": "1"])
      ) { regd in
        let caller = try RegdConversation(path: regd.socket)
        let entry = RegdClient.entry(
          email: "name@example.com", password: "a fine phrase", confirmation: "a fine phrase")
        guard case .object(let members) = entry else { return }
        try caller.send("registration.register", .object(members + [.init("requestId", "r")]))
        read.wait()
        #expect(regd.process.end() == 0)
        guard case .reply(_, .failure(let error)) = try caller.receive() else {
          Issue.record("no answer")
          return
        }
        #expect(error.data["pending"]?.bool == true || error.reason == "server.draining", "\(error)")
        try regd.restart(after: SIGKILL)
        let client = try regd.client()
        try settle(client)
        #expect(try client.call("registration.status", ["requestId": "r"]).get()["state"]?.string == "active")
        #expect(upstream.ledger.registrations.count == 1)
      }
    }
  }
}

/// A thread raises it, and another one waits for it.
final class Bell: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  func raise() { _ = write(ends.write, "x", 1) }

  func wait() {
    var byte: UInt8 = 0
    while read(ends.read, &byte, 1) < 0, errno == EINTR {}
  }
}

extension Script {
  fileprivate init(always word: String) throws {
    let step = try Script.Step(word)
    self.init(checkEmail: [step], register: [step], signIn: [step])
  }
}
