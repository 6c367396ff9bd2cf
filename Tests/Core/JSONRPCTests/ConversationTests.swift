import TestDoubles
import Testing
import WireProtocols

@testable import JSONRPC

@Suite("Conversation")
struct ConversationTests: Talking {
  // MARK: Framing

  @Test("a request with headers gets a reply with exactly one header and no line feed after the text")
  func headers() async {
    let talk = talk()
    talk.send(framed(request("1", "fails")) + framed("{") + framed(request("\"é\"", "later", "[\"é\"]")))
    await talk.settle()
    let reply =
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"Too much.","data":{"reason":"server.busy","retryable":true,"retryAfter":3}}}"#
    let broken =
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Invalid JSON: expected a member name or a closing brace at byte 1.","data":{"reason":"rpc.parse","retryable":false}}}"#
    #expect(talk.receive() == framed(reply) + framed(broken) + framed(#"{"jsonrpc":"2.0","id":"é","result":"é"}"#))
  }

  @Test(
    "regd names the position of the first wrong byte, and what JSON requires there, however the bytes are split",
    arguments: [
      (#"{"a":1,}"#, "expected a member name at byte 7."),
      (#"[1,]"#, "expected a value at byte 3."),
      (#"{"a" 1}"#, "expected a colon at byte 5."),
      (#"{"a":[1}"#, "expected a comma or a closing bracket at byte 7."),
      (#"{"a":1]"#, "expected a comma or a closing brace at byte 6."),
      (#"{1}"#, "expected a member name or a closing brace at byte 1."),
      (#"[}"#, "expected a value or a closing bracket at byte 1."),
      ("[\"a\tb\"]", "expected an escape sequence instead of a control character at byte 3."),
    ])
  func position(_ text: String, _ words: String) {
    let whole = talk()
    whole.send("\n  \(text)\n")
    let reply = whole.receive()
    #expect(reply.contains("Invalid JSON: \(words)"), "\(reply)")
    let split = talk()
    for character in "\n  \(text)\n" { split.send(String(character)) }
    #expect(split.receive() == reply)
    // the reader reports the same for a text that arrives whole
    let headers = talk()
    headers.send(framed(text))
    #expect(headers.receive().contains("Invalid JSON: \(words)"))
  }

  @Test("the error for an invalid header block explains the problem, and the next request works")
  func brokenHeaders() {
    for (block, words) in [
      ("Content-Type: x\r\n\r\n", "Content-Length is missing"), ("Content-Length: -1\r\n\r\n", "whole number"),
      ("Content-Length: 1\r\nContent-Length: 1\r\n\r\n", "twice"), ("C\r\n\r\n", "Name: value"),
      ("Content-Length: 1\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\n", "at most 8192 bytes"),
    ] {
      let talk = talk()
      talk.send(block)
      let reply = talk.receive()
      #expect(reply.hasPrefix("Content-Length: "))
      #expect(reply.contains("-32700") && reply.contains(words), "\(reply)")
      talk.send(framed(request("1", "now")))
      #expect(talk.receive() == framed(#"{"jsonrpc":"2.0","id":1,"result":"done"}"#))
    }
  }

  @Test("an HTTP client gets an error in HTTP, and regd reads nothing after it")
  func http() {
    let talk = talk()
    talk.send("POST /rpc HTTP/1.1\r\nContent-Length: 40\r\n\r\n" + request("1", "now"))
    let reply = talk.receive()
    #expect(reply.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(reply.contains("JSON-RPC 2.0 socket, not an HTTP server"))
    let parts = reply.split(separator: "\r\n\r\n", maxSplits: 1)
    #expect(parts.count == 2 && parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"))
    #expect(talk.isEnding)
    talk.send(request("2", "now"))
    #expect(talk.receive() == "")
  }

  // MARK: Recovery

  @Test("sixteen invalid texts in a row end the connection with a notice, and a valid text resets the count")
  func patience() {
    let talk = talk()
    talk.send(String(repeating: "nonsense\n", count: 15) + request("1", "now"))
    #expect(talk.receive().split(separator: "\n").count == 16)
    #expect(!talk.isEnding)
    talk.send(String(repeating: "[1,}\n", count: 15))
    #expect(talk.receive().split(separator: "\n").count == 15)
    talk.send("{\"a\":1x}" + request("2", "now"))
    let last = talk.receive()
    #expect(last.split(separator: "\n").count == 1)
    #expect(last.contains("-32700") && last.contains("16 messages in a row") && last.contains("is closing"))
    #expect(talk.isEnding)
  }

  @Test("a text that is too large or too deep, or not a request, does not count as invalid JSON")
  func notParseErrors() {
    let talk = talk(Limits(messageBytes: 100, depth: 4))
    talk.send(String(repeating: "[[[[[]]]]]\n[\"\(String(repeating: "x", count: 200))\"]\n1\n", count: 20))
    #expect(talk.receive().split(separator: "\n").count == 60)
    #expect(!talk.isEnding)
  }

  // MARK: In flight

  @Test("an id in flight is refused in any spelling, and is free again after its reply")
  func duplicates() async {
    let talk = talk()
    for (id, again) in [("1", "1"), ("\"a\"", "\"a\""), ("\"a\"", "\"\\u0061\""), ("null", "null"), ("1.0", "1.0")] {
      talk.send(request(id, "later", "[\"x\"]") + request(again, "now") + request(again, "later", "[\"y\"]"))
      let refused = talk.receive().split(separator: "\n")
      #expect(refused.count == 2)
      for reply in refused {
        #expect(reply.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(again),\"error\":{\"code\":-32600,"))
        #expect(reply.contains("still waiting for its reply"))
      }
      await talk.settle()
      #expect(talk.receive() == "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":\"x\"}\n")
      talk.send(request(again, "now"))
      #expect(talk.receive().contains("\"result\":\"done\""))
    }
    talk.send(request("1", "later", "[\"x\"]") + request("\"1\"", "now") + request("1.0", "now"))
    #expect(talk.receive().split(separator: "\n").count { $0.contains("done") } == 2)
  }

  @Test("an id that occurs twice in a batch is refused the second time")
  func duplicatesInBatch() async {
    let talk = talk()
    talk.send("[\(request("1", "now")),\(request("1", "later", "[\"x\"]")),\(request("2", "later", "[\"y\"]"))]")
    await talk.settle()
    let reply = talk.receive()
    #expect(
      reply.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result":"done"},{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"#))
    #expect(reply.hasSuffix(",{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"y\"}]\n"))
  }

  @Test("a connection at its limit takes no request until a reply is sent, and batch items count one by one")
  func inFlightLimit() async {
    let talk = talk(Limits(inFlightPerConnection: 3))
    let batch = "[\(request("1", "later", "[\"x\"]")),\(request("2", "later", "[\"x\"]")),\(request("3", "now"))]"
    var allowance = Conversation.Allowance(requests: 100, outputBytes: 1000)
    #expect(talk.send(batch, within: &allowance) == batch.utf8.count)
    #expect(talk.inFlight == 2)
    let more = request("4", "later", "[\"x\"]")
    #expect(talk.send(more + more, within: &allowance) == more.utf8.count)
    #expect(talk.inFlight == 3)
    #expect(!talk.mayTakeMore)
    await talk.settleFirst()
    #expect(talk.inFlight == 1)
    #expect(talk.mayTakeMore)
    #expect(allowance.requests == 96)
    #expect(talk.requests == 4)
  }

  @Test("an allowance limits the requests taken at once, and the bytes of their replies")
  func allowance() {
    let talk = talk()
    let one = request("1", "large")
    var few = Conversation.Allowance(requests: 3, outputBytes: .max)
    #expect(talk.send(String(repeating: one, count: 5), within: &few) == one.utf8.count * 3)
    _ = talk.receive()
    var small = Conversation.Allowance(requests: 100, outputBytes: 6000)
    #expect(talk.send(String(repeating: one, count: 5), within: &small) == one.utf8.count * 2)
  }
}
