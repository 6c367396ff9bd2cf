import Testing

@testable import JSONRPC

@Suite("Message framing")
struct MessageFramingTests {
  private func cut(_ pieces: [[UInt8]]) -> [String] { Cutting.outputs(of: pieces, maximumBytes: 40, maximumDepth: 4) }

  static let conversations: [(bytes: String, texts: [String])] = [
    ("", []),
    (" \n\r\n\t", []),
    ("{}\n[]\n", ["{}", "[]"]),
    ("{}[]{}", ["{}", "[]", "{}"]),
    (" {\n \"a\" : [ 1 ]\n}\n\n[1,\n2]", ["{\n \"a\" : [ 1 ]\n}", "[1,\n2]"]),
    (#"{"a":"}]\"{"}{"b":"\\"}"#, [#"{"a":"}]\"{"}"#, #"{"b":"\\"}"#]),
    ("{\"a\":1}", ["{\"a\":1}"]),
    // a text that the end cuts short goes to the reader, which reports the missing part
    ("{\"a\":", ["{\"a\":"]),
    ("{\"a", ["{\"a"]),
    // input that is not JSON is taken line by line
    ("garbage\n{}\n", ["garbage", "{}"]),
    ("1 2\n\"x\"\n[]", ["1 2", "\"x\"", "[]"]),
    ("}\n{}", ["}", "{}"]),
    // a broken text ends where its brackets close, or with its line
    ("{\"a\":}{}", ["!json", "{}"]),
    ("[1,}]{}\n[]", ["!json", "{}", "[]"]),
    ("{a}\n{}", ["!json", "{}"]),
    ("{\"a\" [1]}[2]", ["!json", "[2]"]),
    ("{\"a\":1,}\n{}", ["!json", "{}"]),
    ("{\"a\n{}", ["!json", "{}"]),
    ("{\"a\\\n{}", ["!json", "{}"]),
    // a text without its end is detected at the line that begins the next text
    ("{\"a\":1\n{\"b\":2}\n", ["!json", "{\"b\":2}"]),
    ("[1\n[2]\n", ["!json", "[2]"]),
    // the rest of a broken pretty-printed text is skipped with it
    ("{\n  \"a\": x y,\n  \"b\": 2\n}\n{}", ["!json", "{}"]),
    ("{\n\t\"a\" 1,\n\t\"b\": [\n\t]\n}\n{}", ["!json", "{}"]),
    // but not input after its last bracket or after an empty line, indented or not, and not without end
    ("{\n \"a\" x\n}{}", ["!json", "{}"]),
    ("{\"a\" x\n\n {}", ["!json", "{}"]),
    ("[1\nx" + String(repeating: "\n {}", count: 5), ["!json", "{}", "{}", "{}", "{}"]),
    // a bracket that opens right after one that closes begins a new text, so an unclosed text ends there
    ("[}{}{}", ["!json", "{}", "{}"]), ("[}\t{\"a\":1}[2]", ["!json", "{\"a\":1}", "[2]"]),
    ("[[1 2]{}{}", ["!json", "{}", "{}"]), ("[x {} {} {}", ["!json", "{}", "{}"]),
    // the message limit also ends a broken text within a line
    ("[x" + String(repeating: "[1],", count: 15) + "\n{}", ["!json", "[1]", ",[1],[1],[1],[1],", "{}"]),
    // too deep
    ("[[[[[]]]]]{}", ["!deep", "{}"]),
    ("[[[[[[[[\n{}", ["!deep", "{}"]),
    ("[[[[{\"x\":\"]]]]]\"}]]]][1]", ["!deep", "[1]"]),
    ("[[[[]]]]", ["[[[[]]]]"]),
    // too large: the limit is 40 bytes
    ("[\"" + String(repeating: "x", count: 36) + "\"]{}", ["[\"" + String(repeating: "x", count: 36) + "\"]", "{}"]),
    ("[\"" + String(repeating: "x", count: 37) + "\"]{}", ["!large", "{}"]),
    ("[\"" + String(repeating: "[", count: 500) + "\"]{}", ["!large", "{}"]),
    (String(repeating: "y", count: 40) + "\n{}", [String(repeating: "y", count: 40), "{}"]),
    (String(repeating: "y", count: 41) + "\n{}", ["!large", "{}"]),
    (String(repeating: "y", count: 400) + "\n{}", ["!large", "{}"]),
    (String(repeating: "[1,2,3],", count: 6) + "\n{}", ["[1,2,3]", "!large", "{}"]),
    ("[" + String(repeating: "1,", count: 30) + "x}\n{}", ["!large", "{}"]),
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

  @Test("random bytes give the same texts however they are split")
  func random() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("{}[]\",:\\ \n1ax".utf8)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      let pieces = zip([0] + cuts, cuts + [bytes.count]).map { Array(bytes[$0..<$1]) }
      #expect(cut(pieces) == cut([bytes]), "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
  }
}

/// The output of a framing in words: a text as it is, a refusal by its name.
enum Cutting {
  static func outputs(of pieces: [[UInt8]], maximumBytes: Int, maximumDepth: Int) -> [String] {
    var framing = MessageFraming(maximumBytes: maximumBytes, maximumDepth: maximumDepth)
    var outputs: [String] = []
    for piece in pieces {
      piece.withUnsafeBytes { bytes in
        var position = 0
        while let output = framing.next(bytes, &position) { outputs.append(word(for: output)) }
        #expect(position == bytes.count)
      }
    }
    if let last = framing.finish() { outputs.append(word(for: last)) }
    if framing.finish() != nil { outputs.append("(twice)") }
    return outputs
  }

  /// All ways to cut bytes into three pieces, or a sample if there are many, and the cut into single bytes.
  static func splits(_ bytes: [UInt8]) -> [[[UInt8]]] {
    var splits = [bytes.map { [$0] }]
    for first in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 80)) {
      for second in stride(from: first, through: bytes.count, by: max(1, bytes.count / 20)) {
        splits.append([Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])])
      }
    }
    return splits
  }

  private static func word(for output: MessageFraming.Output) -> String {
    switch output {
    case .text(let text): String(decoding: text, as: UTF8.self)
    case .refused(.notJSON): "!json"
    case .refused(.tooLarge): "!large"
    case .refused(.tooDeep): "!deep"
    case .refused(.header(let problem)): "!\(problem)"
    case .http: "!http"
    }
  }
}
