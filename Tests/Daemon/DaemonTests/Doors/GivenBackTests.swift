import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Callers that leave a real daemon's doors over real sockets. `LeavingCallers` covers every byte, without sockets.
@Suite("Callers that leave doors, over sockets", .blocking, .timeLimit(.minutes(10)))
struct GivenBackTests {
  /// The file's text. @ means the directory. A store in memory, because a database opens files at its first use.
  private static let configuration = """
    store: {backend: memory}
    hashing: {memoryKiB: 7168, passes: 5}
    doors: {s: {protocol: saslauthd, path: @/s1}, d: {protocol: dovecot, path: @/d}, h: {protocol: http, path: @/h}, \
    m: {protocol: socketmap, path: @/m}, l: {protocol: ldap, path: @/l, domain: example.org}, \
    j: {protocol: jsonrpc, path: @/j}}
    limits: {inFlightPerConnection: 8, inFlightPerUID: 16}
    signIn: {throttle: false}
    """

  /// A login of an unknown user at each door, by the name of its socket.
  private static let logins: [(socket: String, bytes: [UInt8])] = [
    ("s1", [0, 2, 109, 101, 0, 1, 120, 0, 0, 0, 1, 97]),
    ("d", Array("VERSION\t1\t2\nCPID\t7\nAUTH\t1\tPLAIN\tresp=AG1lQGV4YW1wbGUub3JnAHg=\n".utf8)),
    ("h", Array("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic bWVAZXhhbXBsZS5vcmc6eA==\r\n\r\n".utf8)),
    ("m", Array("23:accounts me@example.org,".utf8)),
    ("l", [0x30, 0x16, 2, 1, 1, 0x60, 0x11, 2, 1, 3, 4, 2, 109, 101, 0x80, 8] + [UInt8](repeating: 120, count: 8)),
    ("j", Array(#"{"jsonrpc":"2.0","id":1,"method":"session.signIn","params":["me@example.org","x"]}"#.utf8)),
  ]

  private enum Stage: CaseIterable { case connected, halfWay, asked, halfClosed, answered }

  @Test("callers that leave at any stage leave no connection, no request and no descriptor behind")
  func sockets() throws {
    try TemporaryDirectory.with { directory in
      let file = "\(directory)/regd.yaml"
      try TextFile.write(Self.configuration.replacing("@", with: directory), to: file)
      try withRegd(configuration: file) { regd in
        let client = try regd.client()
        _ = try client.call("daemon.status").get()
        let before = try regd.descriptors()
        for (socket, bytes) in Self.logins {
          for moment in Stage.allCases {
            for _ in 0..<20 { try Self.leave("\(directory)/\(socket)", bytes, at: moment) }
          }
          try Self.waitUntilGivenBack(client)
          // regd closes a connection after it was counted down. `before` may count a descriptor of regd's start.
          try reached { try regd.descriptors() <= before }
        }
        // If the user's requests were still in flight, regd would close this connection without an answer.
        let caller = try RawCaller("\(directory)/\(Self.logins[0].socket)")
        try caller.send(Self.logins[0].bytes)
        #expect(try caller.readAll() == [0, 2] + Array("NO".utf8))
      }
    }
  }

  private static func leave(_ path: String, _ bytes: [UInt8], at moment: Stage) throws {
    let caller = try RawCaller(path)
    switch moment {
    case .connected: break
    case .halfWay: try caller.send(Array(bytes.prefix(bytes.count / 2)))
    case .asked: try caller.send(bytes)
    case .halfClosed:
      try caller.send(bytes)
      caller.finishSending()
    case .answered:
      try caller.send(bytes)
      _ = try caller.read(1)
    }
  }

  /// Asks until regd counts this client's connection and no request, as it must once callers have left.
  private static func waitUntilGivenBack(_ client: RegdClient) throws {
    try reached {
      let status = try client.call("daemon.status").get()
      let inFlight = (status["users"]?.array ?? []).reduce(0) { $0 + ($1["inFlight"]?.integer ?? 0) }
      return status["connections"]?.integer == 1 && inFlight == 0
    }
  }
}
