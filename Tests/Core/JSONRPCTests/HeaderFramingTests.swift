import Testing

@testable import JSONRPC

@Suite("Header framing")
struct HeaderFramingTests {
  private func cut(_ pieces: [[UInt8]]) -> [String] { Cutting.outputs(of: pieces, maximumBytes: 40, maximumDepth: 4) }

  private static let large = "[\"" + String(repeating: "x", count: 60) + "\"]"

  static let conversations: [(bytes: String, texts: [String])] = [
    // invalid lengths: the framing skips the text after them by its structure, and finds the next block
    ("Content-Length: -1\r\n\r\n{}Content-Length: 2\r\n\r\n[]", ["!lengthInvalid", "[]"]),
    ("Content-Length: x\r\n\r\n{\"a\":\"}\"}Content-Length: 2\r\n\r\n[]", ["!lengthInvalid", "[]"]),
    ("Content-Length:\r\n\r\nContent-Length: 2\r\n\r\n[]", ["!lengthInvalid", "[]"]),
    ("Content-Length: 2 2\r\n\r\n[]Content-Length: 2\r\n\r\n{}", ["!lengthInvalid", "{}"]),
    ("Content-Length: 0x2\r\n\r\n[]", ["!lengthInvalid"]),
    ("Content-Length: +2\r\n\r\n[]", ["!lengthInvalid"]),
    ("Content-Length: 2.0\r\n\r\n[]", ["!lengthInvalid"]),
    ("Content-Length: 9223372036854775808\r\n\r\n[]Content-Length: 2\r\n\r\n{}", ["!lengthInvalid", "{}"]),
    ("Content-Length: 99999999999999999999999999\r\n\r\nContent-Length: 2\r\n\r\n{}", ["!lengthInvalid", "{}"]),
    ("Content-Length: 2\r\nContent-Length: 2\r\n\r\n[]Content-Length: 2\r\n\r\n{}", ["!lengthTwice", "{}"]),
    ("Content-Length: 2\r\ncontent-length: 3\r\n\r\n[]", ["!lengthTwice"]),
    ("Content-Type: a\r\n\r\n{}Content-Length: 2\r\n\r\n[]", ["!lengthMissing", "[]"]),
    ("Content-Length: 2\r\n\r\n[]{}Content-Length: 2\r\n\r\n[]", ["[]", "!lengthMissing", "[]"]),
    ("Content-Length 2\r\n\r\n[]", ["!lineInvalid"]),
    ("Content-Length : 2\r\n\r\n[]", ["!lineInvalid"]),
    ("C\r\n: 2\r\n\r\n[]", ["!lineInvalid"]),
    ("c{\r\n\r\n", ["!lineInvalid"]),
    ("Content-Length: 2\r\n", ["!unfinished"]),
    ("Cont", ["!unfinished"]), ("C", ["!unfinished"]), ("CONN", ["!unfinished"]),
    (
      "Content-Length: 1\r\nX: " + String(repeating: "x", count: 9000) + "\r\n\r\n[]Content-Length: 2\r\n\r\n{}",
      ["!tooLarge(limit: 8192)", "{}"]
    ),
    ("Content-Type: x\r\n\r\n{\"a\" b}Content-Length: 2\r\n\r\n{}", ["!lengthMissing", "{}"]),
    ("Content-Type: x\r\n\r\n[[[[[[]]]]]]\n\nContent-Length: 2\r\n\r\n{}", ["!lengthMissing", "{}"]),
    // a block that is too large is refused while it is read, whether it ends or not
    ("C: " + String(repeating: "x", count: 9000), ["!tooLarge(limit: 8192)"]),
    (String(repeating: "C: x\n", count: 2000), ["!tooLarge(limit: 8192)"]),
    (
      "C: " + String(repeating: "x", count: 9000) + "\n{}Content-Length: 2\r\n\r\n[]", ["!tooLarge(limit: 8192)", "[]"]
    ),
    // the content of a text is never a header
    (
      "Content-Type: x\r\n\r\n{\"a\":\"\\r\\nContent-Length: 2\\r\\n\\r\\n[]\"}Content-Length: 2\r\n\r\n{}",
      ["!lengthMissing", "{}"]
    ),
    // a text that is too large is skipped by its length, whatever it contains, unless the length is impossible
    (
      "Content-Length: 90\r\n\r\nContent-Length: 2\r\n\r\n[]" + String(repeating: " ", count: 67)
        + "Content-Length: 2\r\n\r\n{}",
      ["!large", "{}"]
    ),
    // a block that is too large is one error, and its lines cause no further errors
    (
      "C: " + String(repeating: "x", count: 9000)
        + "\r\nA: 1\r\nContent-Length: 2\r\n\r\n[]Content-Length: 2\r\n\r\n{}",
      ["!tooLarge(limit: 8192)", "{}"]
    ),
    ("Content-Length: \(large.utf8.count)\r\n\r\n\(large)Content-Length: 2\r\n\r\n{}", ["!large", "{}"]),
    ("Content-Length: 9223372036854775807\r\n\r\nContent-Length: 2\r\n\r\n{}", ["!large", "{}"]),
    ("Content-Length: 41\r\n\r\n{}", ["!large"]),
    // valid blocks
    ("Content-Length: 2\r\n\r\n{}", ["{}"]),
    ("content-LENGTH:2\n\n{}", ["{}"]),
    ("Content-Length: \t 2 \t\r\n\r\n{}", ["{}"]),
    ("Content-Length: 002\r\n\r\n{}", ["{}"]),
    (
      "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nX-Y!#$%&'*+-.^_`|~0: \r\nContent-Length: 2\r\n\r\n[]",
      ["[]"]
    ),
    ("Content-Length: 2\r\n\r\n{}\r\n\r\n\nAny: x\r\nContent-Length: 2\r\n\r\n[]", ["{}", "[]"]),
    ("\r\n\r\nContent-Length: 5\r\n\r\n[1,2]Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1", ["[1,2]", "", "1"]),
    ("Content-Length: 6\r\n\r\n{}\r\n\r\nContent-Length: 2\r\n\r\n{}", ["{}\r\n\r\n", "{}"]),
    (
      "Content-Length: 40\r\n\r\n" + String(repeating: " ", count: 38) + "{}",
      [String(repeating: " ", count: 38) + "{}"]
    ),
    ("Content-Length: 9\r\n\r\n{}", ["{}"]),
    ("Content-Length: 9\r\n\r\n", [""]),
  ]

  @Test("the framing cuts each conversation into the expected texts", arguments: conversations.indices)
  func cuts(_ index: Int) {
    let (bytes, texts) = Self.conversations[index]
    #expect(cut([Array(bytes.utf8)]) == texts)
  }

  @Test("the texts do not depend on how the bytes are split", arguments: conversations.indices)
  func splits(_ index: Int) {
    let bytes = Array(Self.conversations[index].bytes.utf8)
    let whole = cut([bytes])
    for pieces in Cutting.splits(bytes) { #expect(cut(pieces) == whole) }
  }

  @Test("random blocks give the same texts however they are split")
  func random() {
    var random = SystemRandomNumberGenerator()
    let words = [
      "Content-Length: ", "content-length:", "2", "9", "99", "-1", "\r\n", "\n", "\r\n\r\n", "{}", "[1]", "{\"a\"", "x",
      ":", " ",
      "C", "{", "}",
    ]
    for _ in 0..<3000 {
      let text =
        "C"
        + (0..<Int.random(in: 0...12, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
      let bytes = Array(text.utf8)
      let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      let pieces = zip([0] + cuts, cuts + [bytes.count]).map { Array(bytes[$0..<$1]) }
      #expect(cut(pieces) == cut([bytes]), "\(text.debugDescription)")
    }
  }
}

@Suite("Choice of framing")
struct OpeningTests {
  @Test(
    "regd recognizes HTTP by its verb and the space after it",
    arguments: ["GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ", "PRI "])
  func http(_ verb: String) {
    let bytes = Array("\r\n\(verb)/ HTTP/1.1\r\nHost: x\r\n\r\n{}\n".utf8)
    for pieces in Cutting.splits(bytes) {
      #expect(Cutting.outputs(of: pieces, maximumBytes: 40, maximumDepth: 4) == ["!http"])
    }
  }

  static let others: [(bytes: String, texts: [String])] = [
    ("", []), (" \r\n\t", []),
    ("GETX\n{}", ["GETX", "{}"]), ("GET\n{}", ["GET", "{}"]), ("GE", ["GE"]), ("get / HTTP/1.1\n", ["get / HTTP/1.1"]),
    ("POSTAL\n", ["POSTAL"]), ("true\n[]", ["true", "[]"]), ("1\n", ["1"]), ("\"x\"\n", ["\"x\""]),
    ("\u{FEFF}{}\n{}", ["\u{FEFF}{}", "{}"]),
    ("{}\nGET / HTTP/1.1\n{}", ["{}", "GET / HTTP/1.1", "{}"]),
    ("CONNECTION: close\r\nContent-Length: 2\r\n\r\n{}", ["{}"]),
    ("CONTENT-LENGTH: 2\r\n\r\n{}", ["{}"]),
    ("{}\nContent-Length: 2\r\n\r\n{}", ["{}", "Content-Length: 2\r", "{}"]),
  ]

  @Test("other input selects its framing by its first byte, however it is split", arguments: others.indices)
  func other(_ index: Int) {
    let (text, texts) = Self.others[index]
    for pieces in Cutting.splits(Array(text.utf8)) {
      #expect(Cutting.outputs(of: pieces, maximumBytes: 40, maximumDepth: 4) == texts)
    }
  }
}
