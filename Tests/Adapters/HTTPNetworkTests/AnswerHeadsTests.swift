import Testing

@testable import HTTPNetwork

/// Lines that each release of libcurl may pass on, although another release refuses them.
@Suite("Heads of answers")
struct AnswerHeadsTests {
  /// - Returns: The heads after these lines, and whether another line may follow the last one.
  private func taken(_ lines: [String]) -> (heads: AnswerHeads, continues: Bool) {
    var (heads, continues) = (AnswerHeads(), true)
    for line in lines { continues = Array(line.utf8).withUnsafeBytes { heads.take($0) } }
    return (heads, continues)
  }

  @Test(
    "a status line that is not valid in HTTP/1 ends the transfer, and has no status",
    arguments: [
      "", "\r\n", "HTTP/1.1\r\n", "HTTP/1.1 \r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000 X\r\n", "HTTP/1.1 200X\r\n",
      "HTTP/1.1 200\t\r\n", "HTTP/1.1\t200 X\r\n", "HTTP/1.1  200 X\r\n", " HTTP/1.1 200 X\r\n", "HTTP/1.1 099 X\r\n",
      "HTTP/1.1 000 X\r\n", "HTTP/1.1 +20 X\r\n", "HTTP/1.1 -20 X\r\n", "HTTP/1.1 2_0 X\r\n", "HTTP/1.1 2 0 X\r\n",
      "HTTP/1.1 20x X\r\n", "HTTP/1.1 200", "HTTP/1.2 200 X\r\n", "HTTP/1.10 200 X\r\n", "HTTP/1 200 X\r\n",
      "HTTP/0.9 200 X\r\n", "HTTP/2 200 X\r\n", "HTTP/2.0 200 X\r\n", "HTTP/3 200 X\r\n", "HTTP/x 200 X\r\n",
      "HTTP/ 200 X\r\n", "http/1.1 200 X\r\n", "ICY 200 OK\r\n", "RTSP/1.0 200 X\r\n",
    ])
  func invalid(_ line: String) {
    // also after an interim head, whose status does not remain
    for before in [[], ["HTTP/1.1 103 X\r\n", "A: b\r\n", "\r\n"]] {
      let (heads, continues) = taken(before + [line])
      #expect(!continues && heads.isNotHTTP && heads.status == nil && !heads.isTooLong)
    }
  }

  @Test(
    "a status line may lack its reason, the space before it and the carriage return",
    arguments: [
      ("HTTP/1.1 200 OK\r\n", 200), ("HTTP/1.0 409 \r\n", 409), ("HTTP/1.1 100\r\n", 100), ("HTTP/1.1 999\n", 999),
      ("HTTP/1.1 503 200 OK\n", 503),
    ])
  func valid(_ line: String, _ status: Int) {
    let (heads, continues) = taken([line])
    #expect(continues && heads.status == status && !heads.isNotHTTP)
  }

  @Test("the last of several heads counts, and trailers are not a head")
  func several() {
    let interim = ["HTTP/1.1 100 X\r\n", "\r\n", "HTTP/1.1 103 X\r\n", "Link: x\r\n", "\r\n"]
    #expect(taken(interim).heads.status == 103)
    let final = ["HTTP/1.1 200 X\r\n", "Transfer-Encoding: chunked\r\n", "\r\n", "A: b\r\n", "\r\n"]
    let (heads, continues) = taken(interim + final + ["HTTP/1.1 409 X\r\n"])
    #expect(continues && heads.status == 200 && !heads.isNotHTTP)
  }

  @Test("heads of 64 KiB are not too long, and heads of one byte more are", arguments: [0, 1])
  func longest(_ more: Int) {
    let (first, last) = ("HTTP/1.1 200 X\r\n", "\r\n")
    let line = "A: \(String(repeating: "x", count: 65_536 - 16 - 2 - 5 + more))\r\n"
    let (heads, continues) = taken([first, line, last])
    #expect(continues == (more == 0) && heads.isTooLong == (more == 1))
    #expect(heads.status == 200 && !heads.isNotHTTP)
  }
}
