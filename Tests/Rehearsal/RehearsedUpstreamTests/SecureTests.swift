import Linux
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import TestKit
import Testing

@Suite("TLS with valid and invalid certificates", .blocking, .timeLimit(.minutes(10)))
struct SecureTests {
  @Test(
    "curl fails every time with the status of the fault, and the ledger stays empty",
    arguments: [("untrusted", Int32(60)), ("wrong-host", 60), ("expired", 60), ("reset-before", 35)])
  func wrong(_ fault: String, _ status: Int32) throws {
    try TemporaryDirectory.with { directory in
      let server = try UpstreamServer(try .all(fault), directory: directory)
      #expect(server.baseURL == "https://localhost:\(server.port)/v1")
      for _ in 0..<3 { #expect(try curl(server, directory).status == status) }
      // only the certificate is wrong: a client that ignores it gets an answer
      if fault != "reset-before" { #expect(try curl(server, directory, ["--insecure"]).status == 0) }
      server.stop()
      #expect(server.ledger.requests.isEmpty)
      #expect(try processes(with: directory).isEmpty)
    }
  }

  @Test("one port changes between invalid and valid certificates, and to offline and unroutable")
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

  @Test("a secure server serves many connections at once, and applies faults of answers over HTTPS")
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

  @Test("several servers share a directory, and leave no files and no processes")
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
