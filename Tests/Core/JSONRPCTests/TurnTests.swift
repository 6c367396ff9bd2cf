import TestDoubles
import Testing
import WireProtocols

@testable import JSONRPC

@Suite("A conversation's turns")
struct TurnTests: Talking {
  private let costly = "[\"\(String(repeating: "\u{FDFA}", count: 30))\"]"

  private func batch(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

  @Test("a batch may take several turns, with the same reply as in one turn, and no request overtakes it")
  func divisible() {
    let items = (0..<10).map { request("\($0)", $0 == 3 ? "nonsense" : "now") }
    let text = batch(items)
    let whole = talk()
    whole.send(text)
    let expected = whole.receive()
    let talk = talk()
    var rest = text + request("11", "now")
    for turn in 0..<4 {
      var allowance = Conversation.Allowance(requests: 3, outputBytes: .max)
      let taken = talk.send(rest, within: &allowance)
      // the text is taken with the first turn, and held
      #expect(taken == (turn == 0 ? text.utf8.count : turn == 3 ? rest.utf8.count : 0))
      rest = String(rest.dropFirst(taken))
      #expect(talk.hasUnfinishedBatch == (turn < 3) && talk.mayTakeMore == (turn == 3))
      #expect(talk.heldBytes == (turn < 3 ? text.utf8.count : 0))
      if turn < 3 { #expect(talk.receive() == "" && talk.inFlight == 1 && talk.waitingBytes > 0) }
    }
    #expect(talk.receive() == expected + "{\"jsonrpc\":\"2.0\",\"id\":11,\"result\":\"done\"}\n")
  }

  @Test("a batch over several turns refuses a repeated id, and begins suspended work with its last turn")
  func dividedIDs() async {
    let talk = talk()
    let text = batch([request("1", "later", "[\"x\"]"), request("2", "now"), request("1", "now")])
    for _ in 0..<3 {
      #expect(talk.pending.isEmpty)
      var allowance = Conversation.Allowance(requests: 1, outputBytes: .max)
      _ = talk.send(talk.hasUnfinishedBatch ? "" : text, within: &allowance)
    }
    await talk.settle()
    let reply = talk.receive()
    #expect(reply.contains(#""id":1,"result":"x""#) && reply.contains(#""id":1,"error":{"code":-32600"#))
  }

  @Test("a batch is released if its connection ends between its turns")
  func abandonedBatch() {
    let talk = talk()
    var allowance = Conversation.Allowance(requests: 2, outputBytes: .max)
    _ = talk.send(batch((0..<5).map { request("\($0)", "now") }), within: &allowance)
    #expect(talk.heldBytes > 0)
    talk.abandon()
    #expect(talk.heldBytes == 0 && talk.inFlight == 0)
  }

  @Test("a batch pauses until its caller has taken the notifications of its items")
  func tellingBatch() {
    let talk = talk()
    let text = batch((0..<20).map { request("\($0)", "tells") })
    var told = 0
    for _ in 0..<20 {
      var allowance = Conversation.Allowance(requests: 100, outputBytes: 500)
      _ = talk.send(talk.hasUnfinishedBatch || told > 0 ? "" : text, within: &allowance)
      #expect(talk.session.waitingBytes < 700)
      guard talk.hasUnfinishedBatch else { break }
      told += talk.session.takeTexts().count
    }
    #expect(told >= 12 && !talk.hasUnfinishedBatch)
    #expect(talk.receive().hasPrefix(#"[{"jsonrpc":"2.0","id":0,"result":true}"#))
  }

  @Test("a costly text is read elsewhere, no request overtakes it, and its notifications follow its reply")
  func costlyText() throws {
    let talk = talk()
    talk.answersCostlyTexts = false
    talk.send(request("1", "weighs", "[\"light\"]") + request("2", "weighs", costly) + request("3", "now"))
    #expect(talk.receive().split(separator: "\n").count == 2)
    let text = try #require(talk.takeCostlyText())
    #expect(talk.isAway && talk.inFlight == 1 && !talk.mayTakeMore && talk.heldBytes > 0)
    talk.session.notify("meanwhile") { $0.null() }
    talk.sendNotifications()
    talk.send(request("4", "now"))
    #expect(talk.receive() == "")
    talk.comeBack(text)
    let lines = talk.receive().split(separator: "\n")
    #expect(lines.map { $0.contains("\"id\":2,\"result\":92}") } == [true, false, false])
    #expect(!talk.isAway && talk.inFlight == 0 && talk.heldBytes == 0)
    // a notification has no reply, only the notifications that it causes
    talk.send("{\"jsonrpc\":\"2.0\",\"method\":\"weighs\",\"params\":\(costly)}")
    talk.comeBack(try #require(talk.takeCostlyText()))
    #expect(talk.receive() == "{\"jsonrpc\":\"2.0\",\"method\":\"weighed\",\"params\":92}\n")
  }

  @Test("a costly batch item is also read elsewhere and keeps its position, and its own work begins afterwards")
  func costlyItems() async throws {
    let talk = talk()
    talk.answersCostlyTexts = false
    talk.send(
      batch([request("1", "now"), request("2", "weighs", costly), request("3", "later", costly), request("4", "now")]))
    for _ in 0..<2 {
      let text = try #require(talk.takeCostlyText())
      #expect(talk.pending.isEmpty && talk.receive() == "")
      talk.comeBack(text)
      #expect(talk.hasUnfinishedBatch)
      talk.send("")
    }
    await talk.settle()
    let reply = talk.receive()
    let places = (1...4).compactMap { reply.firstRange(of: "\"id\":\($0),\"result\"")?.lowerBound }
    #expect(places.count == 4 && places == places.sorted())
    #expect(talk.inFlight == 0 && talk.heldBytes == 0)
    talk.send(request("5", "later", costly))
    talk.comeBack(try #require(talk.takeCostlyText()))
    #expect(talk.heldBytes > 0)
    await talk.settle()
    #expect(talk.receive().contains("\"id\":5,\"result\"") && talk.heldBytes == 0)
  }

  @Test("a costly text whose connection has ended begins nothing")
  func abandonedText() throws {
    let talk = talk()
    talk.answersCostlyTexts = false
    talk.send(request("1", "later", costly))
    let text = try #require(talk.takeCostlyText())
    talk.abandon()
    talk.comeBack(text)
    #expect(talk.pending.isEmpty && talk.receive() == "" && talk.inFlight == 0 && talk.heldBytes == 0)
  }

  @Test("params of requests in flight count as held bytes, and requests beyond the limit are refused")
  func heldByRequests() async {
    let talk = talk(Limits(heldBytesPerUID: 100_000))
    func later(_ id: Int, _ count: Int) -> String {
      request("\(id)", "later", "[\"\(String(repeating: "x", count: count))\"]")
    }
    for id in 1...5 { talk.send(later(id, 20_000)) }
    talk.send(batch([later(6, 20_000), later(7, 5000)]))
    let refused = talk.receive().split(separator: "\n")
    #expect(refused.count == 3 && refused.allSatisfy { $0.contains(#""code":-32009"#) && $0.contains("100000") })
    #expect(talk.heldBytes > 80_000 && talk.heldBytes < 100_000 + 16_384)
    await talk.settle()
    #expect(talk.heldBytes == 0)
    _ = talk.receive()
    talk.send(later(8, 20_000))
    await talk.settle()
    #expect(talk.receive().contains(#""id":8,"result""#))
  }

  @Test("the weight of a text is its possible cost, known without decoding the text")
  func weights() throws {
    var tape = JSONTape()
    func weight(_ text: String) throws -> Int {
      var text = text
      return try text.withUTF8 { utf8 in
        try JSONDocument.read(UnsafeRawBufferPointer(utf8), tape: &tape) { $0.weight }
      }
    }
    #expect(try weight("\"plain\"") == 0)
    #expect(try weight("12") == 0)
    #expect(try weight("\"\u{FDFA}\"") == 3)
    #expect(try weight(#""\ufdfa""#) == 3)
    #expect(try weight("\"\(String(repeating: "x", count: 3198))\"") == 100)
    #expect(try weight("[\"\(String(repeating: "x", count: 3196))\"]") == 100)
  }
}
