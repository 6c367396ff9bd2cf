import RegdClient
import RegdProcesses
import TestKit
import Testing

/// Cancelling and disconnecting, over the socket.
@Suite("Cancelling", .blocking, .timeLimit(.minutes(10)))
struct CancellingTests {
  private func line(_ connection: RegdConnection) throws -> String {
    try connection.receiveLine().map { String(decoding: $0, as: UTF8.self) } ?? "(end)"
  }

  private let slowNetwork = [
    "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=3600000ms",
    "REGD_STORE_BACKEND": "memory",
  ]

  @Test("rpc.cancel and $/cancelRequest never overtake the request that they cancel")
  func cannotOvertake() throws {
    try withRegd(slowNetwork) { regd in
      let connection = try regd.connect()
      for method in ["rpc.cancel", "$/cancelRequest"] {
        for id in 0..<50 {
          // both in one write, so that regd reads them together
          try connection.send(
            #"{"jsonrpc":"2.0","id":\#(id),"method":"registration.checkEmail","params":["a@test.com"]}"#
              + #"{"jsonrpc":"2.0","method":"\#(method)","params":{"id":\#(id)}}"#)
          let reply = try line(connection)
          #expect(reply.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{\"code\":-32800,"))
        }
      }
    }
  }

  @Test("a registration that is cancelled before it begins creates no account")
  func cancelledRegistration() throws {
    try withRegd(["REGD_STORE_BACKEND": "memory", "REGD_HASHING_WORKERS": "1"]) { regd in
      let connection = try regd.connect()
      for id in 0..<10 {
        let entry = "[\"a\(id)@test.com\",\"a fine phrase\",\"a fine phrase\"]"
        try connection.send(
          "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"registration.register\",\"params\":\(entry)}")
      }
      for id in 0..<10 {
        try connection.send("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.cancel\",\"params\":[\(id)]}")
      }
      var cancelled = 0
      for _ in 0..<10 {
        let reply = try #require(JSONValue(try line(connection).utf8))
        let id = try #require(reply["id"]?.integer)
        let isCancelled = reply["error"]?["code"]?.integer == -32800
        #expect(isCancelled || reply["result"] != nil)
        cancelled += isCancelled ? 1 : 0
        let isFree = try regd.client().call("registration.checkEmail", ["email": .string("a\(id)@test.com")]).get()
        #expect(isFree["available"]?.bool == isCancelled)
      }
      // at most one hash was in progress when the cancellation arrived
      #expect(cancelled > 0)
    }
  }

  @Test("a registration that has begun completes even if its caller leaves")
  func disconnection() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept",
      "REGD_NETWORK_SCRIPTED_REGISTER": "accept delay=1000ms", "REGD_STORE_BACKEND": "memory",
    ]) { regd in
      let entry = RegdClient.entry(email: "a@test.com", password: "a fine phrase", confirmation: "a fine phrase")
      do {
        let gone = try regd.connect()
        try gone.send(
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"registration.register\",\"params\":\(entry.text)}")
        // the registration has begun when its address is reserved
        let client = try regd.client()
        while try client.call("registration.checkEmail", ["email": "a@test.com"]).get()["available"]?.bool != false {}
      }
      // the same request joins the running registration, or finds the address taken afterwards
      switch try regd.client().call("registration.register", entry) {
      case .success(let result): #expect(result["account"]?["state"]?.string == "active")
      case .failure(let error): #expect(error.reason == "email.taken")
      }
      let signedIn = try regd.client().call("session.signIn", ["email": "a@test.com", "password": "a fine phrase"])
      #expect(try signedIn.get()["account"]?["state"]?.string == "active")
    }
  }

  @Test("regd drops the reads of a caller that has left, so that a stop does not wait for them")
  func readsEnd() throws {
    try withRegd(slowNetwork.merging(["REGD_SHUTDOWN_GRACE_SECONDS": "3600"]) { $1 }) { regd throws in
      do {
        let gone = try regd.connect()
        try gone.send(#"{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@test.com"]}"#)
        try gone.send(#"{"jsonrpc":"2.0","id":2,"method":"rpc.ping"}"#)
        #expect(try line(gone).contains("pong"))
      }
      #expect(regd.process.end() == 0)
    }
  }
}
