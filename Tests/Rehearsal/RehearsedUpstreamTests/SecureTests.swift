import Linux
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import TestKit
import Testing

@Suite("TLS with valid and invalid certificates", .blocking, .timeLimit(.minutes(10)))
struct SecureTests {
  @Test(
    "curl says what is wrong, every time, and never gets through",
    arguments: [("untrusted", Int32(60)), ("wrong-host", 60), ("expired", 60), ("reset-before", 35)])
  func wrong(_ fault: String, _ status: Int32) throws {
    try TemporaryDirectory.with { directory in
      let server = try UpstreamServer(try .all(fault), directory: directory)
      #expect(server.baseURL == "https://localhost:\(server.port)/v1")
      for _ in 0..<3 { #expect(try curl(server, directory).status == status) }
      // the certificate alone is wrong: a client that does not look at it gets an answer
      if fault != "reset-before" { #expect(try curl(server, directory, ["--insecure"]).status == 0) }
      server.stop()
      #expect(server.ledger.requests.isEmpty)
      #expect(try processes(with: directory).isEmpty)
    }
  }

  @Test("wrong, right, and wrong again on one port, also offline and swallowed in between")
  func changes() throws {
    try TemporaryDirectory.with { directory in
      let server = try UpstreamServer(try .all("untrusted"), directory: directory)
      for fault in ["expired", "reset-before", "wrong-host", "offline", "untrusted"] {
        let status: Int32 = fault == "reset-before" ? 35 : fault == "offline" ? 7 : 60
        try server.play(try .all(fault))
        #expect(try curl(server, directory).status == status)
        try server.play(try .all("accept", "fail"))
        let good = try curl(server, directory)
        #expect(good.status == 0)
        #expect(good.output == "{\"available\":true}")
        #expect(try curl(server, directory, ["--fail"]).status == 22)
      }
      try server.play(try .all("unroutable"))
      #expect(RawClient(beginningTo: server.port).isSilent)
      #expect(server.ledger.requests == [.checkEmail: 10])
      #expect(server.ledger.complaints.isEmpty)
      server.stop()
      #expect(try processes(with: directory).isEmpty)
    }
  }

  @Test("https from the start, with many connections at once, and faults of answers through it")
  func secure() throws {
    try TemporaryDirectory.with { directory in
      let script = try Script.all("truncate", "reset-after", "accept")
      let server = try UpstreamServer(script, directory: directory, isSecure: true)
      let first = try curl(server, directory).status
      #expect([18, 56].contains(first))
      let second = try curl(server, directory).status
      #expect([52, 56].contains(second))
      let urls = (0..<20).map { "\(server.baseURL)/emails/\($0)%40b.cd/availability" }
      let many = try curl(server, directory, ["--parallel", "--no-progress-meter"] + urls)
      #expect(many.status == 0)
      #expect(many.output == String(repeating: "{\"available\":true}", count: 21))
      #expect(server.ledger.complaints.isEmpty)
    }
  }

  @Test("several servers share a directory, and leave nothing in it and no process")
  func several() throws {
    try TemporaryDirectory.with { directory in
      let servers = try ["untrusted", "expired", "wrong-host", "reset-before", "accept", "accept"].map {
        try UpstreamServer(try .all($0), directory: directory, isSecure: true)
      }
      let statuses = try servers.map { try curl($0, directory).status }
      #expect(statuses == [60, 60, 60, 35, 0, 0])
      #expect(try !processes(with: directory).isEmpty)
      for server in servers { server.stop() }
      #expect(try processes(with: directory).isEmpty)
      #expect(try FileSystem.names(in: directory).isEmpty)
    }
  }
}
