import Testing

@testable import Doors

/// Tests requests that two programs could read in two ways, so that one program's request is the other's body or field.
/// After each follows a request that must not be answered.
struct HTTPRefusalTests {
  typealias Stage = LoginProtocolStage<HTTPLoginProtocol>

  private func play(_ text: String) -> Played { Stage.played(text + asking(), .right(.you)) }

  @Test(
    "a request with a Transfer-Encoding gets 400, with or without a Content-Length",
    arguments: [
      "Transfer-Encoding: chunked", "transfer-encoding: identity", "Transfer-Encoding:", "Transfer-Encoding: xchunked",
      "Transfer-Encoding: gzip, chunked", "TRANSFER-ENCODING:\tchunked",
    ])
  func transferEncoding(_ line: String) {
    #expect(play(asking(line)) == .refused(400))
    #expect(play(asking("Content-Length: 3", line) + "0\r\n\r\n") == .refused(400))
    #expect(play(asking(line, "Content-Length: 3", start: "POST / HTTP/1.0") + "abc") == .refused(400))
  }

  @Test("a request with two Authorization lines gets 400, even if they are equal")
  func twoAuthorizations() {
    #expect(play(asking("Authorization: Basic \(yours)")) == .refused(400))
    #expect(play(asking("AUTHORIZATION: Bearer x")) == .refused(400))
    #expect(play(request("Authorization:", "authorization: Basic \(yours)")) == .refused(400))
  }

  @Test(
    "white space before a colon or a name, a folded line, and a line that is not a field get 400",
    arguments: [
      "Content-Length : 5", "Content-Length\t: 5", " Content-Length: 5", "\tfolded", " folded: x", "no field", ":",
      ": value",
      "a b: c", "ü: x", "a(b): c", "a\"b: c", "Transfer-Encoding\u{b}: chunked", "\u{b}Transfer-Encoding: chunked",
    ])
  func names(_ line: String) {
    #expect(play(asking(line)) == .refused(400))
    #expect(play(asking("Accept: */*", line, "Accept: */*")) == .refused(400))
  }

  @Test("a control character anywhere in a head gets 400, except a tab in a value")
  func controls() {
    for byte in (UInt8(0)...0x1F).filter({ $0 != 9 && $0 != 10 }) + [0x7F] {
      let character = String(UnicodeScalar(byte))
      #expect(play(asking("X: a\(character)b")) == .refused(400), "value, \(byte)")
      #expect(play(asking("X: \(character)")) == .refused(400), "end, \(byte)")
      #expect(play(asking("X\(character): a")) == .refused(400), "name, \(byte)")
      #expect(play(asking(start: "GET /\(character) HTTP/1.1")) == .refused(400), "target, \(byte)")
      #expect(play(asking(start: "G\(character)T / HTTP/1.1")) == .refused(400), "method, \(byte)")
    }
    #expect(Stage.played(asking("X:\ta\tb\t")) == Played(statuses: [401], asked: 1, ends: false))
  }

  @Test("a line that ends with only a line feed or only a carriage return gets 400")
  func lineEnds() {
    #expect(play(asking().replacing("\r\n", with: "\n")) == .refused(400))
    #expect(play("GET / HTTP/1.1\nHost: regd\r\n\r\n") == .refused(400))
    #expect(play("GET / HTTP/1.1\r\nHost: regd\nX: a\r\n\r\n") == .refused(400))
    #expect(play("GET / HTTP/1.1\r\nHost: regd\r\n\n") == .refused(400))
    #expect(play("GET / HTTP/1.1\r\nHost: regd\rX: a\r\n\r\n") == .refused(400))
    #expect(play("GET / HTTP/1.1\r\nHost: regd\r\r\n\r\n") == .refused(400))
  }

  @Test("an HTTP/1.1 request needs exactly one valid Host, and only HTTP/1.0 may omit it")
  func hosts() {
    #expect(play("GET / HTTP/1.1\r\nAuthorization: Basic \(yours)\r\n\r\n") == .refused(400))
    #expect(play(asking("host: other")) == .refused(400))
    #expect(play(asking("Host: regd", start: "GET / HTTP/1.0")) == .refused(400))
    let old = Played(statuses: [401], asked: 1, ends: true)
    #expect(Stage.played("GET / HTTP/1.0\r\nAuthorization: Basic \(yours)\r\n\r\n") == old)
    for value in ["a b", "a/b", "a@b", "a\\b", "<a>", "ü", "a\tb", "a?b", "a#b"] {
      #expect(play("GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n") == .refused(400), "\(value)")
    }
    for value in ["", "[::1]:80", "a_b.example:0", "%41", "127.0.0.1"] {
      #expect(Stage.played("GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n").statuses == [401], "\(value)")
    }
  }

  @Test(
    "a request line that is not three valid words with single spaces gets 400",
    arguments: [
      "GET /", "GET", "", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET / x HTTP/1.1",
      "GET\t/\tHTTP/1.1",
      "GET / HTTP/1.1 x", "G(T / HTTP/1.1", "GET / http/1.1", "GET / HTTP/1", "GET / HTTP/11", "GET / HTTP/1.10",
      "GET / HTTP/1,1",
      "GET / HTTP/x.1", "GET / HTTP/1.x", "GET / HTTPS/1.1", "GET /\u{a0} HTTP/1.1\u{a0}",
    ])
  func requestLines(_ line: String) {
    #expect(play("\(line)\r\nHost: regd\r\n\r\n") == .refused(400))
  }

  @Test("another major version gets 505, and so does HTTP/2's preface")
  func versions() {
    for version in ["HTTP/2.0", "HTTP/0.9", "HTTP/3.1"] {
      #expect(play(asking(start: "GET / \(version)")) == .refused(505))
    }
    #expect(play("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == .refused(505))
  }

  @Test("the protocol reads a head of 16 KiB, and answers a longer one with 431, whether or not it ends")
  func longHeads() {
    let rest = asking("X: ").utf8.count
    let longest = asking("X: " + String(repeating: "x", count: 16_384 - rest))
    #expect(longest.utf8.count == 16_384)
    #expect(Stage.played(longest) == Played(statuses: [401], asked: 1, ends: false))
    #expect(play(longest.replacing("X: ", with: "X:  ")) == .refused(431))
    #expect(play("\r\n" + longest) == .refused(431))
    #expect(Stage.played(String(repeating: "x", count: 16_383)) == Played(statuses: [], asked: 0, ends: false))
    #expect(Stage.played(String(repeating: "x", count: 16_384)) == .refused(431))
    #expect(Stage.played(String(repeating: "a: b\r\n", count: 4000)) == .refused(431))
  }

  @Test("a refusal has no body, closes the connection and forbids caching")
  func words() {
    var stage = Stage()
    stage.send(asking("Transfer-Encoding: chunked"))
    #expect(
      stage.text
        == "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n")
  }
}
