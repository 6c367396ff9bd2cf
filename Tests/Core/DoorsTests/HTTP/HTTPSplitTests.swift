import Testing

@testable import Doors

struct HTTPSplitTests {
  private func split(_ text: String, seeds: Range<UInt64> = 0..<20) -> (
    output: [UInt8], asked: [String], differing: [[Int]]
  ) {
    inAnySplit(Array(text.utf8), seeds: seeds, of: { HTTPLoginProtocol(isTrusted: true) }, { _ in .wrong })
  }

  @Test("questions and answers do not depend on how the requests are split")
  func conversation() {
    let text =
      asking("X-Real-IP: 192.0.2.1") + "\r\n" + request(body: "")
      + asking("Content-Length: 90", "Expect: 100-continue", start: "PUT /x HTTP/1.1")
      + String(repeating: "\r\n", count: 45)
      + asking("Connection: keep-alive", start: "HEAD / HTTP/1.0")
      + request("Content-Length: 1", body: "x") + asking("Connection: close") + asking()
    let played = split(text)
    #expect(played.differing.isEmpty)
    let yours = DoorQuestion.yours
    #expect(played.asked == [yours + "192.0.2.1", yours, yours, yours])
    let answers = String(decoding: played.output, as: UTF8.self).split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
    #expect(answers == ["401", "401", "100", "401", "401", "401", "401"])
  }

  /// These are not arguments of the test, because they would fill its log.
  private static let refused = [
    asking("Transfer-Encoding: chunked") + "0\r\n\r\n", "GET / HTTP/1.1\nHost: regd\n\n", "\n\n", "\r\n\r\n",
    "\r\n\n\r\n",
    asking() + asking("A : b") + asking(), asking("Content-Length: 70000") + "abc", asking("Expect: tea"),
    String(repeating: "ab: c\r\n", count: 2350), asking() + String(repeating: "x", count: 17_000),
    "bad\n" + String(repeating: "y", count: 17_000),
  ]

  @Test("a refusal does not depend on how the request is split")
  func refusals() {
    for text in Self.refused { #expect(split(text, seeds: 0..<5).differing.isEmpty, "\(text.prefix(100))") }
  }

  /// Lines from which a random choice makes almost valid requests.
  private static let pieces = [
    "GET / HTTP/1.1\r\n", "POST /x HTTP/1.0\r\n", "Host: a\r\n", "Authorization: Basic \(yours)\r\n",
    "Authorization: Basic eTp=\r\n",
    "Content-Length: 7\r\n", "Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n", "Connection: keep-alive\r\n",
    "Connection: close\r\n", "Expect: 100-continue\r\n", "\r\n", "\r\n", "\n", "\r", "1234567", " folded\r\n",
    "X-Real-IP: 1\r\n", "\0",
  ]

  @Test(
    "random bytes never crash the protocol, and no answer follows one that closes", arguments: 0..<300 as Range<UInt64>)
  func noise(_ seed: UInt64) {
    var generator = Seeded(seed)
    var bytes = [UInt8]()
    for _ in 0..<Int.random(in: 1...60, using: &generator) {
      if seed % 3 == 0, Int.random(in: 0...9, using: &generator) == 0 {
        bytes += (0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) }
      } else if Int.random(in: 0...2, using: &generator) == 0 {
        bytes += Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)
      } else {
        bytes += Array((Self.pieces.randomElement(using: &generator) ?? "").utf8)
      }
    }
    let played = inAnySplit(bytes, seeds: 0..<4, of: { HTTPLoginProtocol(isTrusted: false) }, { _ in .wrong })
    #expect(played.differing.isEmpty)
    let answers = String(decoding: played.output, as: UTF8.self).split(separator: "HTTP/1.1 ")
    #expect(answers.allSatisfy { $0.hasSuffix("\r\n\r\n") })
    #expect(answers.dropLast().allSatisfy { !$0.contains("Connection: close") })
  }
}
