import TestDoubles
import Testing
import WireProtocols

@testable import JSONRPC

/// Tests that the replies do not depend on how the bytes are split over reads.
@Suite("Splits")
struct SplitTests {
  private static let limits = Limits(messageBytes: 120, depth: 5, batchItems: 3)

  private func replies(_ pieces: [[UInt8]]) -> String {
    let talk = Talk(Dispatcher(table: SampleMethods.table, limits: Self.limits), limits: Self.limits)
    talk.send(pieces)
    talk.finishSending()
    return talk.receive()
  }

  private static let now = #"{"jsonrpc":"2.0","id":7,"method":"now"}"#

  static let talks: [String] = [
    now, now + now + "\n" + now, "{\"jsonrpc\":\"2.0\",\n \"id\":\t7, \"method\"\r\n:\"now\"}\n\n\(now)",
    "[\(now)]\(now)", "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"now\"}\(now)",
    "{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"now\"}\n\(now)", "[1,2,3,4]\(now)", "[[[[[[]]]]]]\(now)",
    "{\"a\":\"\(String(repeating: "x", count: 200))\"}\(now)", "{\"a\":1x}\(now)", "{\"a\"\n\(now)", "nonsense\n\(now)",
    "{\"jsonrpc\":\"2.0\"", "1 2 3\n\"\n\(now)", String(repeating: "x\n", count: 20) + now,
    "Content-Length: \(now.utf8.count)\r\n\r\n\(now)Content-Type: x\r\n\r\n\(now)content-length:1\n\n1",
    "GET / HTTP/1.1\r\n\r\n\(now)", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\u{E9}\u{1F600}\"}\(now)",
  ]

  @Test("known conversations give the same replies however they are split", arguments: talks.indices)
  func known(_ index: Int) {
    let bytes = Array(Self.talks[index].utf8)
    let whole = replies([bytes])
    #expect(!whole.isEmpty)
    for pieces in Cutting.splits(bytes) { #expect(replies(pieces) == whole) }
  }

  @Test("every JSON text of the corpus, valid or invalid, gives the same replies however it is split")
  func corpus() {
    for text in JSONTexts.all where text.bytes.count < 400 {
      let bytes = text.bytes + [0x0A] + Array(Self.now.utf8)
      let whole = replies([bytes])
      #expect(replies(bytes.map { [$0] }) == whole, "\(text.testDescription)")
      let middle = bytes.count / 2
      #expect(replies([Array(bytes[..<middle]), Array(bytes[middle...])]) == whole, "\(text.testDescription)")
    }
  }

  @Test("random mixtures of requests and broken texts give the same replies however they are split")
  func random() {
    var random = SystemRandomNumberGenerator()
    let words = [
      Self.now, "{", "}", "[", "]", "\"", "\\", ",", ":", "\n", " ", "1", "null", "\"a\"", "\u{E9}", "{\"a\":",
      String(repeating: "y", count: 130), "[[[[[[", "\n\n", Self.now,
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined()
      let bytes = Array(text.utf8)
      let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      let pieces = zip([0] + cuts, cuts + [bytes.count]).map { Array(bytes[$0..<$1]) }
      #expect(replies(pieces) == replies([bytes]), "\(text.debugDescription)")
    }
  }
}
