import RegdClient
import TestDoubles
import Testing
import WireProtocols

@testable import JSONRPC

@Suite("OpenRPC document")
struct DiscoverTests {
  private func document() throws -> JSONValue {
    try #require(JSONValue(Dispatcher(table: SampleMethods.table, limits: Limits(), version: "1.2.3").document.text))
  }

  @Test("the document describes every method with its parameters, its errors and its access class")
  func methods() throws {
    let document = try document()
    #expect(document["openrpc"]?.string == "1.3.2")
    #expect(document["info"]?["version"]?.string == "1.2.3")
    let methods = try #require(document["methods"]?.array)
    #expect(methods.map { $0["name"]?.string } == SampleMethods.table.methods.map { "\($0.name)" })
    let later = try #require(methods.first { $0["name"]?.string == "later" })
    #expect(
      later["params"]?.text
        == #"[{"name":"word","summary":"What to answer.","required":true,"schema":{"type":"string"}}]"#)
    #expect(later["x-access"]?.string == "open")
    let all = try #require(methods.first { $0["name"]?.string == "all" })
    #expect(all["params"]?.array?.map { $0["schema"]?.text ?? "" }.first == #"{"type":["string","null"]}"#)
    #expect(methods.first { $0["name"]?.string == "secret" }?["x-access"]?.string == "admin")
    #expect(
      methods.first { $0["name"]?.string == "fails" }?["errors"]?.text == #"[{"code":-32009,"message":"server.busy"}]"#)
  }

  @Test("a schema is written as these exact bytes")
  func schemas() {
    func text(_ schema: Schema) -> String {
      var writer = JSONWriter()
      schema.write(to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    #expect(text(.string("")) == #"{"type":"string"}"#)
    #expect(text(.choice(["a", "b"], "A letter.")) == #"{"type":"string","description":"A letter.","enum":["a","b"]}"#)
    #expect(
      text(.nullable(.array(.integer(""), "")))
        == #"{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}"#)
    #expect(
      text(.object([.init("a", .boolean("")), .init("b", .anyObject(""), required: false)], ""))
        == #"{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"object"}},"required":["a"]}"#
    )
  }
}
