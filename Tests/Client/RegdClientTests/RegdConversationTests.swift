import Glibc
import RegdClient
import RegdProcesses
import TestKit
import Testing

@Suite("Conversation", .blocking, .timeLimit(.minutes(10)))
struct RegdConversationTests {
  /// The next messages, after a poll like that of a program with several descriptors.
  private func next(_ conversation: RegdConversation) throws -> [RegdConversation.Incoming] {
    // a reply may come in pieces, but not in this many
    for _ in 0..<1000 {
      var events = [pollfd(fd: conversation.descriptor, events: Int16(POLLIN), revents: 0)]
      try #require(poll(&events, 1, Patience.milliseconds) == 1)
      let incoming = try conversation.receiveAvailable()
      if !incoming.isEmpty { return incoming }
    }
    return []
  }

  @Test("requests do not wait for one another, and each reply has its request's number")
  func pipelined() throws {
    try withRegd { regd in
      let conversation = try RegdConversation(path: regd.socket)
      #expect(try conversation.receiveAvailable().isEmpty)
      let pings = try (0..<3).map { _ in try conversation.send("rpc.ping") }
      let wrong = try conversation.send("nonsense")
      var replies: [RegdConversation.Incoming] = []
      while replies.count < 4 {
        let more = try next(conversation)
        try #require(!more.isEmpty)
        replies += more
      }
      #expect(replies.dropLast() == pings.map { .reply($0, .success("pong")) }[...])
      guard case .reply(wrong, .failure(let error))? = replies.last else {
        Issue.record("\(replies)")
        return
      }
      #expect(error.reason == "rpc.methodNotFound")
      #expect(pings + [wrong] == [1, 2, 3, 4])
    }
  }

  @Test("changes of a form arrive as notifications, in order with the replies")
  func notifications() throws {
    try withRegd { regd in
      let conversation = try RegdConversation(path: regd.socket)
      try conversation.send("form.open", ["kind": "registration"])
      guard case .reply(1, .success(let opened)) = try conversation.receive() else {
        Issue.record("no form")
        return
      }
      let set = try conversation.send("form.set", .object([.init("form", opened["form"] ?? nil), .init("email", "x")]))
      guard case .reply(set, .success(let result)) = try conversation.receive() else {
        Issue.record("no reply")
        return
      }
      #expect(result["state"]?["email"] == "x")
      let told = JSONValue.object([
        .init("form", opened["form"] ?? nil), .init("state", result["state"] ?? nil),
      ])
      #expect(try conversation.receive() == .notification(method: "form.changed", params: told))
    }
  }

  @Test("a client that calls one method at a time skips notifications")
  func passedOver() throws {
    try withRegd { regd in
      let client = try regd.client()
      _ = try client.call("form.open", ["kind": "signIn"]).get()
      for email in ["a", "b", "c"] {
        let state = try client.call("form.set", .object([.init("form", .number("1")), .init("email", .string(email))]))
        #expect(try state.get()["state"]?["email"]?.string == email)
      }
    }
  }

  @Test("if regd ends, the conversation returns the last replies and then fails with .disconnected")
  func gone() throws {
    try withRegd { regd in
      let conversation = try RegdConversation(path: regd.socket)
      try conversation.send("rpc.ping")
      var events = [pollfd(fd: conversation.descriptor, events: Int16(POLLIN), revents: 0)]
      try #require(poll(&events, 1, Patience.milliseconds) == 1)
      // the reply has not been read yet, and the end follows it
      regd.process.end()
      #expect(try next(conversation) == [.reply(1, .success("pong"))])
      #expect(throws: RegdClientFailure.disconnected) { try next(conversation) }
      #expect(throws: RegdClientFailure.disconnected) { try conversation.receive() }
    }
  }
}
