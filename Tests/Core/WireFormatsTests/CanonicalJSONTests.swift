import Testing
import WireFormats

@Suite("Canonical JSON (RFC 8785)")
struct CanonicalJSONTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("strings are escaped as RFC 8785 requires, and members are in the order of their UTF-16 code units")
  func canonical() {
    let sample = "\u{20AC}$\u{F}\u{A}A'\u{42}\u{22}\u{5C}\\\"/"
    #expect(
      text(CanonicalJSON.object([("string", .text(sample))]))
        == "{\"string\":\"\u{20AC}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}")
    #expect(
      text(CanonicalJSON.object([("c", .text("\u{8}\u{9}\u{C}\u{D}\u{0}\u{1F}\u{7F}\u{2028}\u{1F600}"))]))
        == "{\"c\":\"\\b\\t\\f\\r\\u0000\\u001f\u{7F}\u{2028}\u{1F600}\"}")
    let names = ["\u{20AC}", "\r", "\u{FB33}", "1", "\u{1F600}", "\u{80}", "\u{F6}"]
    #expect(
      text(CanonicalJSON.object(names.map { ($0, .number(1)) }))
        == "{\"\\r\":1,\"1\":1,\"\u{80}\":1,\"\u{F6}\":1,\"\u{20AC}\":1,\"\u{1F600}\":1,\"\u{FB33}\":1}")
    #expect(
      text(CanonicalJSON.object([("b", .texts(["x", "\""])), ("a", .texts([])), ("c", .number(4_294_967_295))]))
        == "{\"a\":[],\"b\":[\"x\",\"\\\"\"],\"c\":4294967295}")
    #expect(text(CanonicalJSON.object([])) == "{}")
  }
}
