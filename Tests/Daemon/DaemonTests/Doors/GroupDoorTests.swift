import RegdClient
import RegdProcesses
import TestKit
import Testing

/// Doors with the key `groups`, over real sockets.
@Suite("Doors for members of groups", .timeLimit(.minutes(10)))
struct GroupDoorTests {
  private static let password = "correct horse battery"
  private static let otherPassword = "other horse battery"

  /// `you@example.org` and the password, or the other password, in base64: for HTTP's Basic, and for SASL's PLAIN.
  private static let basic = "eW91QGV4YW1wbGUub3JnOmNvcnJlY3QgaG9yc2UgYmF0dGVyeQ=="
  private static let otherBasic = "eW91QGV4YW1wbGUub3JnOm90aGVyIGhvcnNlIGJhdHRlcnk="
  private static let plain = "AHlvdUBleGFtcGxlLm9yZwBjb3JyZWN0IGhvcnNlIGJhdHRlcnk="
  private static let otherPlain = "AHlvdUBleGFtcGxlLm9yZwBvdGhlciBob3JzZSBiYXR0ZXJ5"

  fileprivate static func register(_ client: RegdClient) throws {
    let entry = RegdClient.entry(email: "you@example.org", password: password, confirmation: password)
    _ = try client.call("registration.register", entry).get()
  }

  fileprivate static func change(_ method: String, _ group: String, _ client: RegdClient) throws {
    let groups: JSONValue = .array([.string(group)])
    _ = try client.call(method, ["email": "you@example.org", "groups": groups]).get()
  }

  /// Sends a request to the http door.
  ///
  /// - Returns: The lines of the answer, without those that every answer has.
  fileprivate static func http(_ path: String, wrongly: Bool = false) throws -> [String] {
    let caller = try RawCaller(path)
    let credentials = wrongly ? otherBasic : basic
    try caller.send(Array("GET / HTTP/1.0\r\nAuthorization: Basic \(credentials)\r\n\r\n".utf8))
    let text = String(decoding: try caller.readAll(), as: UTF8.self)
    let usual = ["Content-Length", "Cache-Control", "Connection", "WWW-Authenticate"]
    return text.split(separator: "\r\n").map { String($0) }.filter { line in
      !usual.contains { line.hasPrefix($0) }
    }
  }

  /// Sends a request to the dovecot door.
  ///
  /// - Returns: The answer, without its name and number.
  private static func dovecot(_ path: String, wrongly: Bool = false) throws -> String? {
    let caller = try RawCaller(path)
    while try caller.readLine() != "DONE" {}
    let credentials = wrongly ? otherPlain : plain
    try caller.send(Array("VERSION\t1\t2\nCPID\t7\nAUTH\t1\tPLAIN\tresp=\(credentials)\n".utf8))
    return try caller.readLine()
  }

  private static func saslauthd(_ path: String, _ password: String) throws -> String {
    let caller = try RawCaller(path)
    let strings = ["you@example.org", password, "test", ""].map { Array($0.utf8) }
    try caller.send(strings.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 })
    return String(decoding: try caller.readAll().dropFirst(2), as: UTF8.self)
  }

  private static func jsonrpc(_ path: String, _ password: String, _ groups: String...) throws -> String {
    var params: [JSONValue.Member] = [.init("email", "you@example.org"), .init("password", .string(password))]
    if !groups.isEmpty { params.append(.init("groups", .array(groups.map { .string($0) }))) }
    switch try RegdClient(path: path).call("session.signIn", .object(params)) {
    case .success(let result): return result["account"]?["email"]?.string ?? result.text
    case .failure(let error): return error.reason
    }
  }

  private static let doors = """
    {h: {protocol: http, path: @/h, groups: [staff, guests]},
    d: {protocol: dovecot, path: @/d, groups: [staff, guests]},
    s: {protocol: saslauthd, path: @/s1, groups: [staff, guests]},
    j: {protocol: jsonrpc, path: @/j, groups: [staff, guests]}}
    """

  @Test("each door refuses an account outside its groups, and answers an incorrect password as if it had no groups")
  func outsiders() async throws {
    try await DoorStage.with(Self.doors) { stage in
      let client = try RegdClient(path: stage.socket)
      try Self.register(client)
      try Self.change("account.addGroups", "others", client)
      let directory = stage.directory
      #expect(try Self.http("\(directory)/h", wrongly: true) == ["HTTP/1.1 401 Unauthorized"])
      #expect(try Self.http("\(directory)/h") == ["HTTP/1.1 403 Forbidden", "X-Regd-Reason: group.required"])
      #expect(try Self.dovecot("\(directory)/d", wrongly: true) == "FAIL\t1\tuser=you@example.org")
      #expect(
        try Self.dovecot("\(directory)/d")
          == "FAIL\t1\tuser=you@example.org\tuser_disabled\tcode=user_disabled")
      #expect(try Self.saslauthd("\(directory)/s1", Self.otherPassword) == "NO")
      #expect(try Self.saslauthd("\(directory)/s1", Self.password) == "NO group.required")
      #expect(try Self.jsonrpc("\(directory)/j", Self.otherPassword) == "credentials.rejected")
      #expect(try Self.jsonrpc("\(directory)/j", Self.otherPassword, "staff") == "credentials.rejected")
      #expect(try Self.jsonrpc("\(directory)/j", Self.password) == "group.required")
      // the caller's own groups do not replace the door's
      #expect(try Self.jsonrpc("\(directory)/j", Self.password, "others") == "group.required")
      for door in ["h", "d", "s"] { #expect(try stage.verdicts(door, client) == [0, 1, 1, 0], "\(door)") }
      #expect(try stage.verdicts("j", client) == [0, 2, 2, 0])
    } afterwards: { stage in
      #expect(stage.logged.contains("door=h method=session.signIn reason=group.required"))
    }
  }

  @Test("each door lets members in, and the http and dovecot doors name all groups of the account")
  func members() async throws {
    try await DoorStage.with(Self.doors) { stage in
      let client = try RegdClient(path: stage.socket)
      try Self.register(client)
      for group in ["others", "guests"] { try Self.change("account.addGroups", group, client) }
      let name: JSONValue = ["email": "you@example.org", "displayName": "Yöu"]
      _ = try client.call("account.setDisplayName", name).get()
      let directory = stage.directory
      #expect(
        try Self.http("\(directory)/h") == [
          "HTTP/1.1 200 OK", "Remote-User: you@example.org", "Remote-Email: you@example.org",
          "Remote-Groups: guests,others", "Remote-Name: Y%C3%B6u",
        ])
      #expect(try Self.dovecot("\(directory)/d") == "OK\t1\tuser=you@example.org\tgroups=guests,others")
      #expect(try Self.saslauthd("\(directory)/s1", Self.password) == "OK")
      #expect(try Self.jsonrpc("\(directory)/j", Self.password) == "you@example.org")
      #expect(try Self.jsonrpc("\(directory)/j", Self.password, "others") == "you@example.org")
      #expect(try Self.jsonrpc("\(directory)/j", Self.password, "staff") == "group.required")
    }
  }

  @Test("open connections use the groups of the last reload")
  func reloaded() async throws {
    func doors(_ groups: String) -> String {
      "{h: {protocol: http, path: @/h, groups: [\(groups)]}, j: {protocol: jsonrpc, path: @/j, groups: [\(groups)]}}"
    }
    let after = doors("staff")
    try await DoorStage.with(doors("")) { stage in
      let client = try RegdClient(path: stage.socket)
      try Self.register(client)
      let (h, j) = (try RawCaller("\(stage.directory)/h"), try RegdClient(path: "\(stage.directory)/j"))
      func http() throws -> String? {
        try h.send(Array("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic \(Self.basic)\r\n\r\n".utf8))
        let status = try h.readLine()
        while let line = try h.readLine(), line != "", line != "\r" {}
        return status
      }
      func jsonrpc() throws -> Bool {
        let signIn: JSONValue = ["email": "you@example.org", "password": .string(Self.password)]
        if case .success = try j.call("session.signIn", signIn) { return true }
        return false
      }
      #expect(try http()?.contains(" 200 ") == true)
      #expect(try jsonrpc())
      #expect(try stage.reload(after, client).sorted() == ["doors.h.groups", "doors.j.groups"])
      #expect(try http()?.contains(" 403 ") == true)
      #expect(try !jsonrpc())
    }
  }

  @Test("the configuration refuses a text that is not the name of a group, and groups at a socketmap door")
  func refused() async throws {
    try await DoorStage.with("{}") { stage in
      let client = try RegdClient(path: stage.socket)
      for (doors, problem) in [
        ("{a: {protocol: http, path: @/a, groups: [Staff]}}", "must be group names of 1 to 32 lower-case letters"),
        ("{a: {protocol: http, path: @/a, groups: [staff, \"\"]}}", "not \"\""),
        ("{a: {protocol: http, path: @/a, groups: [-a]}}", "not \"-a\""),
        (
          "{a: {protocol: socketmap, path: @/a, groups: [staff]}}",
          "must be empty, because users do not sign in at a socketmap door"
        ),
      ] {
        let problems = try stage.reload(doors, client)
        #expect(problems.contains { $0.contains(problem) }, "\(doors): \(problems)")
      }
      try stage.reload("{a: {protocol: socketmap, path: @/a, groups: []}}", client)
      #expect(try stage.doors(client) == ["a socketmap @/a 0"])
    }
  }
}

/// Two processes on one database, with a door that remembers passwords at each.
@Suite("Groups at the doors of two regd", .blocking, .timeLimit(.minutes(10)))
struct SharedGroupTests {
  @Test("whoever has left a group is refused at the next request at both regd, although both remember the password")
  func remembered() throws {
    try TemporaryDirectory.with { directory in
      // a file for each, because doors can be set only there
      let files = try ["one", "other"].map { name in
        let door = "{protocol: http, path: \(directory)/\(name), memorySeconds: 300, groups: [staff]}"
        try TextFile.write("doors: {web: \(door)}\n", to: "\(directory)/\(name).yaml")
        return "\(directory)/\(name).yaml"
      }
      let store = ["REGD_STORE_BACKEND": "sqlite"]
      try withRegd(configuration: files[0], store) { one in
        let shared = store.merging(["REGD_STORE_SQLITE_PATH": one.database]) { $1 }
        try withRegd(configuration: files[1], shared) { _ in
          let client = try one.client()
          let paths = ["\(directory)/one", "\(directory)/other"]
          try GroupDoorTests.register(client)
          try GroupDoorTests.change("account.addGroups", "staff", client)
          for path in paths + paths {
            #expect(try GroupDoorTests.http(path).first == "HTTP/1.1 200 OK", "\(path)")
          }
          try GroupDoorTests.change("account.removeGroups", "staff", client)
          for path in paths {
            let refused = ["HTTP/1.1 403 Forbidden", "X-Regd-Reason: group.required"]
            #expect(try GroupDoorTests.http(path) == refused, "\(path)")
            #expect(try GroupDoorTests.http(path, wrongly: true) == ["HTTP/1.1 401 Unauthorized"], "\(path)")
          }
          try GroupDoorTests.change("account.addGroups", "staff", client)
          for path in paths { #expect(try GroupDoorTests.http(path).first == "HTTP/1.1 200 OK", "\(path)") }
        }
      }
    }
  }
}
