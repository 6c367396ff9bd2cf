import Linux
import RegdClient
import RegdProcesses
import TestKit
import Testing

@Suite("A client's language", .blocking, .timeLimit(.minutes(10)))
struct LanguageTests {
  /// The text that a conversation sends with each of two requests.
  private func sent(_ language: String?) throws -> [String] {
    try TemporaryDirectory.with { directory in
      let listener = try Descriptor.socket(.localStream)
      try listener.bind(to: SocketAddress(path: "\(directory)/socket"))
      try listener.listen(backlog: 1)
      let conversation = try RegdConversation(path: "\(directory)/socket", language: language)
      let peer = try listener.accept()
      return try (0..<2).map { _ in
        try conversation.send("rpc.ping")
        return String(decoding: try peer.read(atMost: 4096), as: UTF8.self)
      }
    }
  }

  private func ping(_ number: Int) -> String { #"{"jsonrpc":"2.0","id":\#(number),"method":"rpc.ping"}"# + "\n" }

  @Test("a client without a language does not send rpc.language")
  func none() throws { #expect(try sent(nil) == [ping(1), ping(2)]) }

  @Test("the client sends its language once, before the first request and in the same write")
  func told() throws {
    let notification = #"{"jsonrpc":"2.0","method":"rpc.language","params":{"language":"es-MX, \"x\""}}"# + "\n"
    #expect(try sent(#"es-MX, "x""#) == [notification + ping(1), ping(2)])
  }

  @Test("each call has its own answer, whether or not regd knows the language")
  func answered() throws {
    try withRegd { regd in
      for language in ["es", "tlh", "", "no language \u{1F914}", String(repeating: "x", count: 10_000)] {
        let client = try RegdClient(path: regd.socket, language: language)
        #expect(try client.call("rpc.ping") == .success("pong"))
        guard case .failure(let error) = try client.call("registration.checkEmail", ["email": "x"]) else {
          Issue.record("no error")
          return
        }
        #expect(error.reason == "validation.failed")
      }
    }
  }
}
