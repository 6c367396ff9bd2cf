import TestKit
import Testing

@testable import JSONRPC

@Suite("Conversation")
struct ConversationTests {
  private func talk(_ limits: Limits = Limits(), access: Access = .open) -> Talk {
    Talk(
      Dispatcher(table: SampleMethods.table, limits: limits), limits: limits,
      caller: Caller(uid: 7, gid: 8, pid: 9, access: access))
  }

  private func request(_ id: String, _ method: String, _ params: String = "[]") -> String {
    "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}"
  }

  private func framed(_ text: String) -> String { "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" }

  // MARK: Framing

  @Test("headers are answered with headers: exactly one, and no line feed behind the text")
  func headers() async {
    let talk = talk()
    talk.send(framed(request("1", "fails")) + framed("{") + framed(request("\"é\"", "later", "[\"é\"]")))
    await talk.settle()
    let reply =
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"Too much.","data":{"reason":"server.busy","retryable":true,"retryAfter":3}}}"#
    let broken =
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"This is not JSON: at byte 1, expected a member name or a closing brace.","data":{"reason":"rpc.parse","retryable":false}}}"#
    #expect(talk.receive() == framed(reply) + framed(broken) + framed(#"{"jsonrpc":"2.0","id":"é","result":"é"}"#))
  }

  @Test("a header block that says nothing is told what would be right")
  func brokenHeaders() {
    for (block, words) in [
      ("Content-Type: x\r\n\r\n", "without Content-Length"), ("Content-Length: -1\r\n\r\n", "whole number"),
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

  @Test("an HTTP client is told in HTTP, and nothing else is read")
  func http() {
    let talk = talk()
    talk.send("POST /rpc HTTP/1.1\r\nContent-Length: 40\r\n\r\n" + request("1", "now"))
    let reply = talk.receive()
    #expect(reply.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(reply.contains("JSON-RPC 2.0, not HTTP"))
    let parts = reply.split(separator: "\r\n\r\n", maxSplits: 1)
    #expect(parts.count == 2 && parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"))
    #expect(talk.isEnding)
    talk.send(request("2", "now"))
    #expect(talk.receive() == "")
  }

  // MARK: Recovery

  @Test("after sixteen texts in a row that are no JSON the connection ends, and says so; one good text begins anew")
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
    #expect(last.contains("-32700") && last.contains("16th") && last.contains("closed"))
    #expect(talk.isEnding)
  }

  @Test("a text that is too large or too deep, and a request that is none, do not count as no JSON")
  func notParseErrors() {
    let talk = talk(Limits(messageBytes: 100, depth: 4))
    talk.send(String(repeating: "[[[[[]]]]]\n[\"\(String(repeating: "x", count: 200))\"]\n1\n", count: 20))
    #expect(talk.receive().split(separator: "\n").count == 60)
    #expect(!talk.isEnding)
  }

  // MARK: In flight

  @Test("an id in flight is refused, however it is written, and is free again after its reply")
  func duplicates() async {
    let talk = talk()
    for (id, again) in [("1", "1"), ("\"a\"", "\"a\""), ("\"a\"", "\"\\u0061\""), ("null", "null"), ("1.0", "1.0")] {
      talk.send(request(id, "later", "[\"x\"]") + request(again, "now") + request(again, "later", "[\"y\"]"))
      let refused = talk.receive().split(separator: "\n")
      #expect(refused.count == 2)
      for reply in refused {
        #expect(reply.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(again),\"error\":{\"code\":-32600,"))
        #expect(reply.contains("that has no reply yet"))
      }
      await talk.settle()
      #expect(talk.receive() == "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":\"x\"}\n")
      talk.send(request(again, "now"))
      #expect(talk.receive().contains("\"result\":\"done\""))
    }
    talk.send(request("1", "later", "[\"x\"]") + request("\"1\"", "now") + request("1.0", "now"))
    #expect(talk.receive().split(separator: "\n").count { $0.contains("done") } == 2)
  }

  @Test("an id that stands twice in a batch is refused the second time")
  func duplicatesInBatch() async {
    let talk = talk()
    talk.send("[\(request("1", "now")),\(request("1", "later", "[\"x\"]")),\(request("2", "later", "[\"y\"]"))]")
    await talk.settle()
    let reply = talk.receive()
    #expect(
      reply.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result":"done"},{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"#))
    #expect(reply.hasSuffix(",{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"y\"}]\n"))
  }

  @Test("at the limit nothing more is taken until a reply has gone; a batch's items count singly")
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

  @Test("what may be done at once is bounded by requests and by the bytes of their replies")
  func allowance() {
    let talk = talk()
    let one = request("1", "large")
    var few = Conversation.Allowance(requests: 3, outputBytes: .max)
    #expect(talk.send(String(repeating: one, count: 5), within: &few) == one.utf8.count * 3)
    _ = talk.receive()
    var small = Conversation.Allowance(requests: 100, outputBytes: 6000)
    #expect(talk.send(String(repeating: one, count: 5), within: &small) == one.utf8.count * 2)
  }

  // MARK: Cancelling

  @Test("a cancelled request answers so, and what is not there is cancelled in silence")
  func cancels() async {
    let talk = talk()
    talk.send(request("1", "waits"))
    talk.send(#"{"jsonrpc":"2.0","method":"rpc.cancel","params":{"id":2}}"#)
    talk.send(request("3", "rpc.cancel", "{\"id\":1}"))
    talk.send(request("4", "rpc.cancel", "{\"id\":null}") + request("5", "rpc.cancel", "[\"1\"]"))
    let answers = talk.receive().split(separator: "\n")
    #expect(answers.first == #"{"jsonrpc":"2.0","id":3,"result":{}}"#)
    #expect(answers.count == 3 && answers[1].contains("-32602") && answers[1].contains(#""field":"id""#))
    #expect(answers.last == #"{"jsonrpc":"2.0","id":5,"result":{}}"#)
    await talk.settle()
    #expect(
      talk.receive()
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"The request was cancelled before anything was done.","data":{"reason":"request.cancelled","retryable":true}}}"#
        + "\n")
  }

  @Test("within a batch the items before can be cancelled, and what is cancelled is not begun")
  func cancelsWithinBatch() async {
    let talk = talk()
    talk.send("[\(request("1", "waits")),\(request("2", "rpc.cancel", "[1]"))]")
    await talk.settle()
    #expect(talk.receive().contains(#""id":1,"error":{"code":-32800"#))
    let cancellation = Cancellation()
    cancellation.cancel(.caller)
    let work: Method.Work = { _ in
      Issue.record("it was begun")
      return .result { $0.null() }
    }
    #expect(await cancellation.run(work) == .error(.cancelled))
  }

  @Test("the ids of a batch are in flight until it is answered, those of its answered items too")
  func idsOfBatch() async {
    let talk = talk()
    talk.send("[\(request("1", "now")),\(request("2", "later", "[\"x\"]"))]" + request("1", "now"))
    #expect(talk.receive().contains(#""id":1,"error":{"code":-32600"#))
    await talk.settle()
    #expect(talk.receive().hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result":"done"},"#))
    talk.send(request("1", "now"))
    #expect(talk.receive().contains("done"))
  }

  @Test("an id that a batch is refused for stays that of the request that has it")
  func refusedIDsOfBatch() async {
    let talk = talk()
    talk.send(request("1", "waits") + "[\(request("1", "now")),\(request("2", "later", "[\"x\"]"))]")
    // the batch ends, the first request does not
    await talk.settle(1)
    #expect(talk.receive().hasPrefix(#"[{"jsonrpc":"2.0","id":1,"error":{"code":-32600"#))
    talk.send(request("1", "now"))
    #expect(talk.receive().contains("-32600"))
    talk.send(request("3", "rpc.cancel", "[1]"))
    await talk.settle()
    #expect(talk.receive().contains(#""id":1,"error":{"code":-32800"#))
  }

  @Test("replies that wait for others of their batch count as waiting")
  func waitingBytes() async {
    let talk = talk()
    let batch = "[\(request("1", "large")),\(request("2", "later", "[\"x\"]"))]"
    var allowance = Conversation.Allowance(requests: 100, outputBytes: 5000)
    #expect(talk.send(batch + request("3", "now"), within: &allowance) == batch.utf8.count)
    await talk.settle()
    #expect(talk.receive().utf8.count > 5000)
    #expect(talk.send(request("3", "now"), within: &allowance) > 0)
  }

  @Test("when the time to stop is over, what had not begun is told that the server stops, what commits ends waiting")
  func hurries() async {
    let talk = talk()
    talk.send(request("1", "waits") + "[\(request("2", "waits"))]")
    talk.hurry()
    talk.send(request("3", "now"))
    await talk.settle()
    let replies = talk.receive().split(separator: "\n")
    #expect(replies.count == 3 && replies.allSatisfy { $0.contains("-32000") })
    let cancellation = Cancellation()
    #expect(cancellation.beginCommit())
    cancellation.cancel(.shutdown)
    let waiting: Method.Work = { _ in
      await Gate().wait()
      return .result { $0.value("ended its waiting") }
    }
    #expect(await cancellation.run(waiting) == .result { $0.value("ended its waiting") })
  }

  @Test("one of a batch is cancelled alone")
  func cancelsInBatch() async {
    let talk = talk()
    talk.send("[\(request("1", "waits")),\(request("\"b\"", "later", "[\"x\"]"))]")
    talk.send(#"{"jsonrpc":"2.0","method":"rpc.cancel","params":{"id":1}}"#)
    await talk.settle()
    let reply = talk.receive()
    #expect(reply.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"error":{"code":-32800"#))
    #expect(reply.hasSuffix(",{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"result\":\"x\"}]\n"))
  }

  @Test("what was cancelled before it began to commit commits nothing; afterwards only the deadline is heard")
  func commits() async {
    let early = talk()
    early.send(request("1", "commits") + request("2", "rpc.cancel", "[1]"))
    await early.settle()
    #expect(early.receive().contains(#""id":1,"error":{"code":-32800"#))

    let cancellation = Cancellation()
    #expect(cancellation.beginCommit())
    cancellation.cancel(.caller)
    cancellation.cancel(.disconnection)
    #expect(cancellation.beginCommit())
    let work: Method.Work = { _ in
      // time for whatever would cancel the task
      for _ in 0..<1000 { await Task.yield() }
      return .result { $0.value(Task.isCancelled ? "disturbed" : "committed") }
    }
    #expect(await cancellation.run(work) == .result { $0.value("committed") })

    let late: Method.Work = { cancellation in
      cancellation.cancel(.caller)
      return .result { $0.value(cancellation.beginCommit()) }
    }
    #expect(await Cancellation().run(late) == .error(.cancelled))
    let refused = Cancellation()
    refused.cancel(.caller)
    #expect(!refused.beginCommit())
  }

  @Test("past its deadline a request answers request.timeout, with the limit; one that commits ends as it ends")
  func deadline() async {
    let talk = talk()
    talk.send(request("1", "waits"))
    if let number = talk.pending.first?.number { talk.expire(number, afterSeconds: 30) }
    talk.expire(4711, afterSeconds: 30)
    await talk.settle()
    let reply = talk.receive()
    #expect(reply.contains(#""code":-32002"#))
    #expect(reply.contains(#""data":{"reason":"request.timeout","retryable":true,"limit":30}"#))

    let cancellation = Cancellation()
    #expect(cancellation.beginCommit())
    cancellation.cancel(.deadline(seconds: 30))
    let waiting: Method.Work = { _ in
      await Gate().wait()
      return .result { $0.value("ended its waiting") }
    }
    #expect(await cancellation.run(waiting) == .result { $0.value("ended its waiting") })
  }

  @Test("who goes away cancels what is in flight")
  func abandons() async {
    let talk = talk()
    talk.send(request("1", "waits") + "[\(request("2", "waits"))]")
    talk.abandon()
    await talk.settle()
    #expect(talk.receive().split(separator: "\n").count { $0.contains("-32800") } == 2)
  }

  // MARK: Access and limits

  @Test("a method for administrators is refused to others, and the class is said")
  func access() {
    let open = talk()
    open.send(request("1", "secret", "{\"wrong\":1}"))
    #expect(
      open.receive()
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"secret needs the access class \"admin\", which the caller, uid 7, does not have.","data":{"reason":"access.denied","retryable":false}}}"#
        + "\n")
    let admin = talk(access: .admin)
    admin.send(request("1", "secret"))
    #expect(admin.receive() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":true}\n")
  }

  @Test("a result that is too large is an error, alone and for the rest of a batch")
  func largeResults() async {
    let talk = talk(Limits(responseBytes: 500))
    talk.send(request("1", "large") + request("2", "largeLater"))
    await talk.settle()
    for reply in talk.receive().split(separator: "\n") {
      #expect(reply.contains(#""code":-32008"#) && reply.contains(#""limit":500"#))
    }
    let other = self.talk(Limits(responseBytes: 11_000))
    other.send("[\((0..<4).map { request("\($0)", $0 % 2 == 0 ? "large" : "largeLater") }.joined(separator: ","))]")
    await other.settle()
    let reply = other.receive()
    #expect(reply.split(separator: "xxx\"}").count == 3)
    #expect(reply.split(separator: "\"code\":-32008").count == 3)
    // small ones there is always room for: what was done is not answered as if it were not
    let small = self.talk(Limits(responseBytes: 100))
    small.send("[\((0..<4).map { request("\($0)", $0 % 2 == 0 ? "now" : "later", "[]") }.joined(separator: ","))]")
    await small.settle()
    #expect(small.receive().split(separator: "\"done\"").count == 3)
    // and where the caller has much waiting already, less than the limit
    let full = self.talk()
    var allowance = Conversation.Allowance(requests: 10, outputBytes: 10_000, responseBytes: 300)
    let asked = request("1", "large")
    #expect(full.send(asked, within: &allowance) == asked.utf8.count)
    #expect(full.receive().contains(#""reason":"response.tooLarge","retryable":false,"limit":300"#))
  }

  @Test("an id that is too long is refused, and not echoed")
  func longIDs() async {
    let talk = talk(Limits(idBytes: 64))
    let long = "\"\(String(repeating: "x", count: 63))\""
    talk.send(request(long, "now") + request(long, "nonsense") + "[\(request(long, "later", "[\"x\"]"))]")
    talk.send("{\"jsonrpc\":\"1.0\",\"id\":\(long)}")
    await talk.settle()
    let replies = talk.receive().split(separator: "\n")
    #expect(replies.count == 4)
    for reply in replies {
      #expect(reply.contains("\"id\":null,\"error\":{\"code\":-32600,") && !reply.contains("xxxxx"))
    }
    let fits = "\"\(String(repeating: "x", count: 62))\""
    talk.send(request(fits, "now"))
    #expect(talk.receive() == "{\"jsonrpc\":\"2.0\",\"id\":\(fits),\"result\":\"done\"}\n")
  }

  @Test("texts that are begun and not ended are bounded by user: the long ones are refused, and passed over")
  func heldBytes() {
    let talk = talk(Limits(heldBytesPerUID: 20_000))
    let phrase = String(repeating: "x", count: 15_000)
    talk.send("{\"a\":\"\(phrase)")
    #expect(talk.receive() == "")
    talk.send(phrase)
    let refusal = talk.receive()
    #expect(refusal.contains(#""id":null,"error":{"code":-32009"#) && refusal.contains("\"limit\":20000"))
    talk.send(phrase + "\"}" + request("1", "now"))
    #expect(talk.receive() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"done\"}\n")
    let headers = self.talk(Limits(heldBytesPerUID: 20_000))
    headers.send("Content-Length: 60000\r\n\r\n" + phrase)
    headers.send(phrase)
    #expect(headers.receive().contains("-32009"))
    headers.send(phrase + phrase + framed(request("1", "now")))
    #expect(headers.receive() == framed(#"{"jsonrpc":"2.0","id":1,"result":"done"}"#))
  }

  @Test("a user's requests in flight are bounded, over all connections")
  func inFlightPerUser() async {
    let talk = talk(Limits(inFlightPerUID: 2))
    talk.send((1...3).map { request("\($0)", "later", "[\"x\"]") }.joined() + request("4", "now"))
    let answers = talk.receive().split(separator: "\n")
    #expect(answers.count == 2 && answers[0].contains(#""id":3,"error":{"code":-32009"#) && answers[1].contains("done"))
    await talk.settle()
    talk.send(request("5", "later", "[\"x\"]"))
    await talk.settle()
    #expect(talk.receive().contains(#""id":5,"result":"x""#))
  }

  @Test("past the requests of a second a user is told when to come back; a batch's items count singly")
  func rate() async {
    let talk = talk(Limits(requestsPerSecondPerUID: 2))
    talk.send("[\((0..<4).map { request("\($0)", "now") }.joined(separator: ","))]")
    let reply = talk.receive()
    #expect(reply.split(separator: "\"done\"").count == 3)
    #expect(
      reply.contains(#""code":-32003"#)
        && reply.contains(#""reason":"rate.limited","retryable":true,"retryAfter":1,"limit":2"#))
  }
}

@Suite("Token bucket")
struct TokenBucketTests {
  @Test("so many at once, and as many a second afterwards")
  func flow() {
    let start = ContinuousClock.now
    var bucket = TokenBucket(perSecond: 4, now: start)
    for _ in 0..<4 { #expect(bucket.take(at: start) == nil) }
    #expect(bucket.take(at: start) == .milliseconds(250))
    #expect(bucket.take(at: start + .milliseconds(200)) == .milliseconds(50))
    #expect(bucket.take(at: start + .milliseconds(250)) == nil)
    #expect(bucket.take(at: start + .milliseconds(250)) != nil)
    // what was not used for long is no more than a second's
    for _ in 0..<4 { #expect(bucket.take(at: start + .seconds(100)) == nil) }
    #expect(bucket.take(at: start + .seconds(100)) != nil)
  }
}

@Suite("Access rules")
struct AccessRulesTests {
  @Test("nobody but root, unless named by user, group or supplementary group")
  func rules() {
    let rules = AccessRules(uids: [10], gids: [20])
    #expect(rules.access(uid: 11, gid: 11, groups: [10, 21]) == .open)
    #expect(AccessRules().access(uid: 1, gid: 0, groups: [0]) == .open)
    #expect(AccessRules().access(uid: .max, gid: .max, groups: []) == .open)
    #expect(rules.access(uid: 0, gid: 1, groups: []) == .admin)
    #expect(rules.access(uid: 10, gid: 1, groups: []) == .admin)
    #expect(rules.access(uid: 1, gid: 20, groups: []) == .admin)
    #expect(rules.access(uid: 1, gid: 1, groups: [3, 20]) == .admin)
  }
}
