import TestDoubles
import Testing
import WireProtocols

@testable import JSONRPC

@Suite("Requests")
struct RequestTests {
  private static let limits = Limits(depth: 8, batchItems: 3)

  private func reply(_ text: String, isDraining: Bool = false) async -> String? {
    let talk = Talk(Dispatcher(table: SampleMethods.table, limits: Self.limits))
    if isDraining { talk.drain() }
    talk.send(text)
    if !isDraining { talk.finishSending() }
    await talk.settle()
    let reply = talk.receive()
    #expect(reply.isEmpty || reply.hasSuffix("\n"))
    return reply.isEmpty ? nil : String(reply.dropLast())
  }

  /// Requests, and the id, code and reason of their replies.
  static let refused: [(request: String, id: String, code: Int, reason: String)] = [
    ("{", "null", -32700, "rpc.parse"),
    (#"{"jsonrpc":"2.0","id":1,"method":"now",}"#, "null", -32700, "rpc.parse"),
    ("[[[[[[[[[", "null", -32007, "request.tooDeep"),
    ("[]", "null", -32600, "rpc.invalidRequest"),
    ("1", "null", -32600, "rpc.invalidRequest"),
    ("{}", "null", -32600, "rpc.invalidRequest"),
    (#"{"id":5}"#, "5", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":"1.0","id":5,"method":"now"}"#, "5", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":2.0,"id":5,"method":"now"}"#, "5", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":"2.0","id":5}"#, "5", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":"2.0","id":5,"method":7}"#, "5", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":"2.0","id":{},"method":"now"}"#, "null", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":"2.0","id":true,"method":"now"}"#, "null", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":"2.0","id":5,"method":"now","params":7}"#, "5", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":"2.0","id":5,"result":"now"}"#, "5", -32600, "rpc.invalidRequest"),
    (#"{"jsonrpc":"2.0","id":"x","method":"none"}"#, "\"x\"", -32601, "rpc.methodNotFound"),
    (#"{"jsonrpc":"2.0","id":5,"method":""}"#, "5", -32601, "rpc.methodNotFound"),
    (#"{"jsonrpc":"2.0","id":5,"method":"now","params":[1]}"#, "5", -32602, "rpc.invalidParams"),
    (#"{"jsonrpc":"2.0","id":5,"method":"now","params":{"x":1}}"#, "5", -32602, "rpc.invalidParams"),
    (#"{"jsonrpc":"2.0","id":5,"method":"later"}"#, "5", -32602, "rpc.invalidParams"),
    (#"{"jsonrpc":"2.0","id":5,"method":"later","params":{"word":null}}"#, "5", -32602, "rpc.invalidParams"),
    (#"{"jsonrpc":"2.0","id":5,"method":"later","params":{"word":1}}"#, "5", -32602, "rpc.invalidParams"),
    (#"{"jsonrpc":"2.0","id":5,"method":"all","params":{"i":1.5}}"#, "5", -32602, "rpc.invalidParams"),
    (#"{"jsonrpc":"2.0","id":5,"method":"all","params":["s",1,true,{},[],6]}"#, "5", -32602, "rpc.invalidParams"),
    (#"[1,1,1,1]"#, "null", -32010, "batch.tooLarge"),
    (#"{"jsonrpc":"2.0","id":null,"method":"fails"}"#, "null", -32009, "server.busy"),
  ]

  @Test("an invalid request gets an error with its id, a code and a reason", arguments: refused.indices)
  func refuses(_ index: Int) async throws {
    let (request, id, code, reason) = Self.refused[index]
    let reply = try #require(await reply(request))
    #expect(reply.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{\"code\":\(code),\"message\":\""))
    #expect(reply.contains("\"data\":{\"reason\":\"\(reason)\",\"retryable\":"))
  }

  @Test("an error reply consists of these exact bytes")
  func errorBytes() async {
    #expect(
      await reply(#"{"jsonrpc":"2.0","id":1,"method":"fails"}"#)
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"Too much.","data":{"reason":"server.busy","retryable":true,"retryAfter":3}}}"#
    )
    #expect(
      await reply(#"{"jsonrpc":"2.0","id":1,"method":"later","params":{"other":1}}"#)
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown parameter \"other\"; this method takes \"word\".","data":{"reason":"rpc.invalidParams","retryable":false,"field":"other"}}}"#
    )
  }

  @Test(
    "a reply contains the id exactly as the request spells it",
    arguments: ["0", "-1", "1.50", "1e3", "12345678901234567890", "\"\"", "\"a\\u0041\\n\"", "\"é\"", "null"])
  func ids(_ id: String) async {
    #expect(
      await reply("{\"jsonrpc\":\"2.0\",\"id\": \(id) ,\"method\":\"now\"}")
        == "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":\"done\"}")
  }

  @Test("a method accepts params by name, by position, absent and null")
  func params() async {
    for (params, seen) in [
      ("", "-----"), (",\"params\":null", "-----"), (",\"params\":[]", "-----"), (",\"params\":{}", "-----"),
      (",\"params\":[\"s\",2,null]", "xx---"), (",\"params\":{\"a\":[],\"o\":{\"x\":[1]},\"b\":false}", "--xxx"),
    ] {
      #expect(
        await reply("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"all\"\(params)}")
          == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\(seen)\"}")
    }
  }

  @Test("a notification gets no reply, whatever its result")
  func notifications() async {
    for method in ["now", "later", "none", "fails"] {
      #expect(await reply("{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\"}") == nil)
    }
    #expect(
      await reply(#"[{"jsonrpc":"2.0","method":"now"},{"jsonrpc":"2.0","method":"later","params":["x"]}]"#) == nil)
  }

  @Test("an error message quotes only an excerpt of a caller's long text")
  func excerpts() async throws {
    // in a String these marks are one character, and sorting them takes quadratic time
    let marks = String(repeating: "\u{301}", count: 50_000) + String(repeating: "\u{323}", count: 50_000)
    for text in [
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(marks)\"}",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\",\"params\":{\"\(marks)\":1}}",
    ] {
      let reply = try #require(await reply(text))
      #expect(reply.utf8.count < 1000)
    }
  }

  @Test("a batch is answered in its order, in one array")
  func batch() async {
    let replies = await reply(
      #"[{"jsonrpc":"2.0","id":1,"method":"later","params":["first"]},{"jsonrpc":"2.0","method":"now"},{"jsonrpc":"2.0","id":2,"method":"now"}]"#
    )
    #expect(replies == #"[{"jsonrpc":"2.0","id":1,"result":"first"},{"jsonrpc":"2.0","id":2,"result":"done"}]"#)
    let invalid = await reply(#"[1,{"jsonrpc":"2.0","id":2,"method":"now"}]"#)
    #expect(invalid?.hasPrefix(#"[{"jsonrpc":"2.0","id":null,"error":{"code":-32600"#) == true)
    #expect(invalid?.hasSuffix(#",{"jsonrpc":"2.0","id":2,"result":"done"}]"#) == true)
  }

  @Test("a draining server refuses requests, and still reports invalid JSON as such")
  func draining() async throws {
    let refused = try #require(await reply(#"{"jsonrpc":"2.0","id":1,"method":"now"}"#, isDraining: true))
    #expect(refused.contains("\"code\":-32000"))
    let broken = try #require(await reply("[1,]", isDraining: true))
    #expect(broken.contains("\"code\":-32700"))
  }

  @Test("a method receives its caller")
  func caller() async {
    #expect(await reply(#"{"jsonrpc":"2.0","id":1,"method":"who"}"#) == #"{"jsonrpc":"2.0","id":1,"result":7}"#)
  }
}
