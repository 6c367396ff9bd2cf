import Linux
import RegdClient
import RegdProcesses
import Synchronization
import TestKit
import Testing

@Suite("Client", .blocking, .timeLimit(.minutes(10)))
struct RegdClientTests {
  @Test("a failed connection causes an error with the path, the reason and what to try")
  func nobody() {
    #expect(throws: RegdClientFailure.cannotConnect(path: "/nonexistent", reason: "No such file or directory")) {
      try RegdClient(path: "/nonexistent")
    }
    let missing = RegdClientFailure.cannotConnect(path: "/s", reason: "No such file or directory")
    let refused = RegdClientFailure.cannotConnect(path: "/s", reason: "Connection refused")
    for failure in [missing, refused] {
      #expect(
        "\(failure)"
          == "cannot connect to /s: regd is not running, or listens elsewhere (--socket); try: regctl doctor")
    }
    let denied = RegdClientFailure.cannotConnect(path: "/s", reason: "Permission denied")
    #expect("\(denied)".contains("run regctl doctor to find the group to join"))
    #expect("\(RegdClientFailure.cannotConnect(path: "/s", reason: "x"))" == "cannot connect to /s: x")
    let long = "/" + String(repeating: "x", count: 200)
    #expect(throws: RegdClientFailure.cannotConnect(path: long, reason: "File name too long")) {
      try RegdClient(path: long)
    }
  }

  @Test("successive calls return errors with their reason and data, and results as values")
  func calls() throws {
    try withRegd { regd in
      let client = try regd.client()
      guard case .failure(let error) = try client.call("registration.checkEmail", ["email": "x"]) else {
        Issue.record("no error")
        return
      }
      #expect(error.code == 1001)
      #expect(error.reason == "validation.failed")
      #expect(error.data["problems"]?.array?.count == 1)
      #expect(try client.call("rpc.ping") == .success("pong"))
      #expect(try client.call("registration.checkEmail", ["email": "x@y.zz"]).get()["available"] == .bool(true))
    }
  }

  @Test("a call fails with .disconnected if regd has ended")
  func gone() throws {
    try withRegd { regd in
      let client = try regd.client()
      _ = try client.call("rpc.ping")
      regd.process.end()
      #expect(throws: RegdClientFailure.disconnected) { try client.call("rpc.ping") }
    }
  }

  @Test("a request that a stopping regd has not taken goes to the next regd")
  func leftForTheNext() async throws {
    try await withTemporaryDirectory { directory in
      try withRegd { regd in
        let path = directory + "/socket"
        let stopping = try Descriptor.socket(.localStream)
        try stopping.bind(to: SocketAddress(path: path))
        try stopping.listen(backlog: 2)
        let early = try RegdClient(path: path)
        let late = try RegdClient(path: path)
        let first = try stopping.accept()
        // regd closes the first connection before the request, and refuses the second one, as a draining regd does
        first.shutdown(.both)
        let second = try stopping.accept()
        try second.sendAll(
          Array(
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"","data":{"reason":"server.draining"}}}"#
              .utf8)
            + [10])
        FileSystem.remove(path)
        try FileSystem.rename(regd.socket, to: path)
        for client in [early, late] { #expect(try client.call("rpc.ping") == .success("pong")) }
      }
    }
  }

  @Test("while regd is silent, each look gets the pid of the listener, and a look may end the wait")
  func silent() throws {
    try TemporaryDirectory.with { directory in
      let silent = try Descriptor.socket(.localStream)
      try silent.bind(to: SocketAddress(path: "\(directory)/s"))
      try silent.listen(backlog: 2)
      let seen = Mutex<[String]>([])
      let end = RegdClientFailure.cannotConnect(path: "x", reason: "it cannot start")
      let patience = Patience(looks: [.milliseconds(1), .milliseconds(2), .milliseconds(3)]) { number, listener in
        seen.withLock { $0.append("\(number) \(listener == ThisProcess.id)") }
        return number == 1 ? end : nil
      }
      let client = try RegdClient(path: "\(directory)/s", timeoutSeconds: 300, language: nil, patience: patience)
      #expect(throws: end) { try client.call("rpc.ping") }
      #expect(seen.withLock { $0 } == ["0 true", "1 true"])
    }
  }

  @Test("the client does not look at a regd that answers, and a timeout before the first look ends the wait")
  func heard() throws {
    try withRegd { regd in
      let looks = Mutex(0)
      let patience = Patience(looks: [.seconds(3600)]) { _, _ in
        looks.withLock { $0 += 1 }
        return nil
      }
      let client = try RegdClient(path: regd.socket, timeoutSeconds: 60, language: nil, patience: patience)
      #expect(try client.call("rpc.ping") == .success("pong"))
      #expect(looks.withLock { $0 } == 0)
    }
    try TemporaryDirectory.with { directory in
      let silent = try Descriptor.socket(.localStream)
      try silent.bind(to: SocketAddress(path: "\(directory)/s"))
      try silent.listen(backlog: 2)
      let patience = Patience(looks: [.seconds(3600)]) { _, _ in .disconnected }
      let client = try RegdClient(path: "\(directory)/s", timeoutSeconds: 1, language: nil, patience: patience)
      #expect(throws: RegdClientFailure.timedOut(seconds: 1)) { try client.call("rpc.ping") }
      // a look that is due at the timeout comes before the timeout
      let last = Patience(looks: [.seconds(1)]) { _, _ in .notAReply("looked") }
      let looking = try RegdClient(path: "\(directory)/s", timeoutSeconds: 1, language: nil, patience: last)
      #expect(throws: RegdClientFailure.notAReply("looked")) { try looking.call("rpc.ping") }
    }
  }

  @Test("JSON values have the same text when they are read and written")
  func values() throws {
    for text in [#"{"a":[1,2.50,"x\n",true,null,{}],"b":{"c":[]}}"#, "12345678901234567890", "\"é\"", "[]"] {
      #expect(try #require(JSONValue(text.utf8)).text == text)
    }
    for text in ["", "{", "[1,]", "nul"] { #expect(JSONValue(text.utf8) == nil) }
    #expect(JSONValue(#"{"a":5}"#.utf8)?["a"]?.integer == 5)
    #expect(JSONValue("[5]".utf8)?["a"] == nil)
  }
}
