import Localization
import Testing

@testable import JSONRPC

@Suite("JSON reader")
struct JSONReaderTests {
  private func read<Value>(_ text: [UInt8], depth: Int = 64, _ body: (JSONView) -> Value) throws -> Value {
    var tape = JSONTape()
    return try text.withUnsafeBytes { try JSONDocument.read($0, maximumDepth: depth, tape: &tape, body) }
  }

  private func read<Value>(_ text: String, depth: Int = 64, _ body: (JSONView) -> Value) throws -> Value {
    try read(Array(text.utf8), depth: depth, body)
  }

  @Test("the corpus contains more than 300 valid and 300 invalid texts, without duplicates")
  func corpus() {
    #expect(JSONTexts.all.count { $0.isGood } > 300)
    #expect(JSONTexts.all.count { !$0.isGood } > 300)
    #expect(Set(JSONTexts.all.map(\.bytes)).count == JSONTexts.all.count)
  }

  @Test("the reader refuses texts that RFC 8259 does not allow", arguments: JSONTexts.all.filter { !$0.isGood })
  func refuses(_ text: JSONText) {
    #expect(throws: JSONReadError.self) { try read(text.bytes) { _ in } }
    #expect(throws: JSONReadError.self) { try read(Array("[0, ".utf8) + text.bytes + Array("]".utf8)) { _ in } }
  }

  @Test("the reader accepts texts of RFC 8259 with white space around them", arguments: JSONTexts.all.filter(\.isGood))
  func reads(_ text: JSONText) throws {
    let space = Array(" \t\r\n".utf8)
    let source = try read(space + text.bytes + space) { [UInt8]($0.source) }
    let trimmed = text.bytes.drop(while: JSONBytes.isWhiteSpace)
    #expect(
      source == Array(trimmed.prefix((trimmed.lastIndex { !JSONBytes.isWhiteSpace($0) } ?? 0) - trimmed.startIndex + 1))
    )
    #expect(try read(Array("[0, ".utf8) + text.bytes + Array("]".utf8), depth: 100) { $0.kind } == .array)
  }

  @Test(
    "the reader reads the first of several values and returns its length", arguments: JSONTexts.all.filter(\.isGood))
  func readsFirst(_ text: JSONText) throws {
    guard text.bytes.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) else { return }
    let value = Array("[".utf8) + text.bytes + Array("]".utf8)
    for behind in ["", "{}", "x", "\u{0}"] {
      var tape = JSONTape()
      let length = try (value + Array(behind.utf8)).withUnsafeBytes {
        try JSONReader.readFirst(of: $0, maximumDepth: 64, into: &tape)
      }
      #expect(length == value.count)
    }
  }

  @Test("the reader refuses every prefix of a valid text without a crash")
  func prefixes() {
    let text = Array(#"{"a":[1,-2.5e3,"x\u0041\ud83d\ude00é",true,false,null,{"b":{}}],"c":""}"#.utf8)
    for length in 0..<text.count {
      #expect(throws: JSONReadError.self) { try read(Array(text.prefix(length))) { _ in } }
    }
  }

  @Test("the reader refuses or reads every one-byte change of a text without a crash")
  func changes() {
    let text = Array(#"{"a":[1,-2.5e3,"x\u0041é",true,null],"c":{"d":0}}"#.utf8)
    var readCount = 0
    for place in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[place] = byte
        if (try? read(changed, { $0.kind })) == .object { readCount += 1 }
      }
    }
    #expect(readCount > text.count)
  }

  @Test("the reader decodes strings")
  func strings() throws {
    let text = #""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀""#
    let value = try read(text) { $0.string }
    #expect(value == "a\"\\/\u{8}\u{C}\n\r\t\u{E9}😀é😀")
    #expect(try read(#""\u0000""#) { $0.utf8 } == [0])
  }

  @Test("the whole grammar also accepts lone surrogates and repeated names, but nothing else that is invalid")
  func wholeGrammar() throws {
    func whole<Value>(_ text: [UInt8], _ body: (JSONView) -> Value) throws -> Value {
      var tape = JSONTape()
      return try text.withUnsafeBytes { try JSONDocument.read($0, .whole, tape: &tape, body) }
    }
    let lone: [(text: String, bytes: [UInt8])] = [
      (#""\ud800""#, [0xED, 0xA0, 0x80]), (#""\udfffx""#, [0xED, 0xBF, 0xBF, 0x78]),
      (#""\ud83d\u0041""#, [0xED, 0xA0, 0xBD, 0x41]), (#""\ud83d\ud83d\ude00""#, [0xED, 0xA0, 0xBD] + "😀".utf8),
      (#""\ude00\ud83d""#, [0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD]),
    ]
    for (text, bytes) in lone {
      #expect(throws: JSONReadError.self) { try read(text) { _ in } }
      #expect(try whole(Array(text.utf8)) { $0.utf8 } == bytes, "\(text)")
    }
    let repeated = #"{"a":1,"a":2,"b":{"\u0061":3,"a":4}}"#
    #expect(throws: JSONReadError.self) { try read(repeated) { _ in } }
    #expect(try whole(Array(repeated.utf8)) { $0.member("a")?.integer } == 1)
    for text in JSONTexts.all where text.isGood {
      let value = try whole(text.bytes) { [UInt8]($0.source) }
      #expect(try read(text.bytes) { [UInt8]($0.source) } == value)
    }
    for text in [#""\ud8""#, #""\udzzz""#, "\"\u{1}\"", #"{"a":1,}"#, "[1,]", "01", "\u{FEFF}1", "\"\\", #""\ud800"#] {
      #expect(throws: JSONReadError.self, "\(text)") { try whole(Array(text.utf8)) { _ in } }
    }
    #expect(throws: JSONReadError.self) { try whole([0x22, 0xFF, 0x22]) { _ in } }
  }

  @Test("an integer is exact, and any other value is nil")
  func integers() throws {
    #expect(try read("9223372036854775807") { $0.integer } == .max)
    #expect(try read("-9223372036854775808") { $0.integer } == .min)
    for other in ["9223372036854775808", "\"1\"", "null"] {
      #expect(try read(other) { $0.integer } == nil)
    }
  }

  @Test("a number without a fraction is an integer, however it is written (JSON Schema Core 4.2.3)")
  func integersByValue() throws {
    for (text, number) in [
      ("10.0", 10), ("-10.000", -10), ("1e2", 100), ("1.5E+1", 15), ("100e-2", 1), ("0.0", 0), ("-0", 0), ("0e999", 0),
      ("9223372036854775807.0", Int64.max), ("-9223372036854775808.00", .min), ("0.000000000000000001e18", 1),
      ("0e-99999999999999999999", 0), ("1e0", 1),
    ] as [(String, Int64)] {
      #expect(try read(text) { $0.integer } == number, "\(text)")
    }
    for text in [
      "10.5", "1e-1", "15e-1", "9223372036854775808.0", "1e19", "-1e19", "1e99999999999999999999", "0.1",
      "1e9223372036854775807", "-1e9223372036854775807", "12e9223372036854775806", "1.5e9223372036854775807",
      "1e-9223372036854775808",
      "1e-99999999999999999999",
    ] {
      #expect(try read(text) { $0.integer } == nil, "\(text)")
    }
  }

  @Test("a member is found by its name, however the name is escaped")
  func members() throws {
    let text = #"{"x":{"deep":1},"na\u006de":"found","last":[1,{"name":2}]}"#
    #expect(try read(text) { $0.member("name")?.string } == "found")
    #expect(try read(text) { $0.member("deep") == nil })
    #expect(try read(text) { $0.member("missing") == nil })
  }

  @Test("the reader refuses a repeated name among 500 members")
  func duplicateAmongMany() throws {
    let many = (0..<500).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    #expect(try read("{\(many)}") { $0.kind } == .object)
    for twice in ["m0", "m15", "m16", "m499", "m\\u0030"] {
      #expect(throws: JSONReadError.self) { try read("{\(many),\"\(twice)\":0}") { _ in } }
    }
  }

  @Test("the reader refuses nesting beyond the limit")
  func depth() throws {
    let atLimit = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(try read(atLimit) { $0.kind } == .array)
    #expect(throws: JSONReadError(reason: .tooDeep(limit: 64), offset: 64)) {
      try read(String(repeating: "[", count: 65)) { _ in }
    }
    #expect(throws: JSONReadError(reason: .tooDeep(limit: 64), offset: 64 * 5)) {
      try read(String(repeating: #"{"a":"#, count: 100_000)) { _ in }
    }
  }

  @Test("an error contains its position and the expected token")
  func place() {
    #expect(throws: JSONReadError(reason: .syntax(expected: .value), offset: 5)) { try read(#"{"a":}"#) { _ in } }
    #expect(throws: JSONReadError(reason: .syntax(expected: .endOfText), offset: 3)) {
      try read("[] x") { _ in }
    }
  }
}
