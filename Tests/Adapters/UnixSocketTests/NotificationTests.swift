import RegdClient
import TestKit
import Testing

@Suite("Notifications over the socket", .blocking, .timeLimit(.minutes(10)))
struct NotificationTests {
  private func line(_ connection: RegdConnection) throws -> JSONValue {
    let line = try #require(try connection.receiveLine())
    return try #require(JSONValue(line), "\(String(decoding: line, as: UTF8.self))")
  }

  @Test("they are framed as the caller frames its requests")
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

  @Test("another request's reply, which comes before, does not take away the last state of a form that works")
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
      // the end is known by a reply to what is asked when the form has ended
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

  @Test("a form ends with its connection: another one's number means nothing elsewhere")
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

  @Test(
    "a subscriber that does not read has a megabyte of events waiting at the most, and is told exactly how many it has missed"
  )
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
      // the events have some 3 MB; what is kept of them is what one connection may have waiting, and 64 KiB of events with the one
      // that was the last
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
