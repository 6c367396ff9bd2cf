import RegdClient
import TestKit
import Testing

@Suite("Notifications over the socket", .blocking, .timeLimit(.minutes(10)))
struct NotificationTests {
  private func line(_ connection: RegdConnection) throws -> JSONValue {
    let line = try #require(try connection.receiveLine())
    return try #require(JSONValue(line), "\(String(decoding: line, as: UTF8.self))")
  }

  @Test("regd sends notifications in the framing of the caller's requests")
  func framing() throws {
    try withRegd { regd in
      let connection = try regd.connect()
      for text in [
        #"{"jsonrpc":"2.0","id":1,"method":"form.open","params":["signIn"]}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"form.set","params":[1,"a@example.com"]}"#,
      ] {
        try connection.send("Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
      }
      connection.finishSending()
      var all: [UInt8] = []
      while let line = try connection.receiveLine() { all += line + [UInt8(ascii: "\n")] }
      var texts: [String] = []
      var rest = String(decoding: all.dropLast(), as: UTF8.self)[...]
      while !rest.isEmpty {
        let header = try #require(rest.firstRange(of: "\r\n\r\n"))
        let count = try #require(Int(rest[..<header.lowerBound].dropFirst("Content-Length: ".count)))
        texts.append(String(rest[header.upperBound...].utf8.prefix(count)) ?? "")
        rest = rest[header.upperBound...].dropFirst(texts.last?.count ?? 0)
      }
      #expect(texts.count == 3)
      #expect(texts.last?.hasPrefix(#"{"jsonrpc":"2.0","method":"form.changed","params":{"form":1,"#) == true)
    }
  }

  @Test("an earlier reply to another request does not suppress the last state of a form in progress")
  func lastState() throws {
    try withRegd([
      "REGD_NETWORK_BACKEND": "scripted", "REGD_STORE_BACKEND": "memory",
      "REGD_NETWORK_SCRIPTED_REGISTER": "accept delay=600ms", "REGD_NETWORK_SCRIPTED_CHECK_EMAIL": "accept delay=200ms",
    ]) { regd in
      let connection = try regd.connect()
      for (id, method, params) in [
        (1, "form.open", #"["registration"]"#),
        (2, "form.set", #"[1,"a@example.com","a fine phrase","a fine phrase"]"#), (3, "form.submit", "[1]"),
        (4, "registration.checkEmail", #"["b@example.com"]"#),
      ] {
        try connection.send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}\n")
      }
      // after the form has ended the test sends a ping, whose reply marks the end
      var changed: [JSONValue] = []
      var last = 0
      while last != 5 {
        let text = try line(connection)
        last = text["id"]?.integer ?? last
        if text["method"]?.string == "form.changed", let state = text["params"]?["state"] { changed.append(state) }
        if text["id"]?.integer == 3 {
          try connection.send("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"rpc.ping\"}\n")
        }
      }
      #expect(changed.last?["registered"]?.bool == true)
      #expect(changed.count == 2)
    }
  }

  @Test("a form's number is valid only on the connection that opened the form")
  func ownForms() throws {
    try withRegd { regd in
      let (one, other) = (try regd.client(), try regd.client())
      #expect(try one.call("form.open", ["kind": "registration"]).get()["form"]?.integer == 1)
      guard case .failure(let error) = try other.call("form.set", ["form": .number("1")]) else {
        Issue.record("somebody else's form was set")
        return
      }
      #expect(error.reason == "form.notFound")
    }
  }

  @Test("a slow subscriber has at most a megabyte of events queued, and gets the exact number of events that it missed")
  func slowSubscriber() throws {
    try withRegd { regd in
      let subscriber = try regd.connect()
      try subscriber.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"events.subscribe\"}\n")
      #expect(try line(subscriber)["result"]?["sequence"]?.integer == 0)
      let client = try regd.client()
      let hash = "$2b$04$abcdefghijklmnopqrstuuuQv9h8w1xJcWqEGrJ8KqkZJ8oG1r5aW"
      for call in 0..<12 {
        let records = (0..<1000).map { number in
          JSONValue.object([
            .init("email", .string("n\(call)-\(number)@example.com")), .init("passwordHash", .string(hash)),
          ])
        }
        let result = try client.call("account.import", ["records": .array(records)]).get()
        #expect(result["imported"]?.integer == 1000)
      }
      // The events have about 3 MB. regd keeps at most the queue of one connection, and 64 KiB of events including the
      // last one.
      let user = try client.call("daemon.status").get()["users"]?.array?.first
      let queued = try #require(user?["queuedBytes"]?.integer)
      #expect(queued < (1 << 20) + 65_536 + 1024, "\(queued)")
      var (told, missed, last) = (0, 0, 0)
      while last < 12_000 {
        let event = try #require(try line(subscriber)["params"])
        let sequence = try #require(event["sequence"]?.integer)
        let skipped = event["missed"]?.integer ?? 0
        told += skipped > 0 ? 0 : 1
        missed += skipped
        #expect(sequence == last + max(1, skipped))
        last = sequence
      }
      #expect(told + missed == 12_000)
      #expect(missed > 0)
    }
  }
}
