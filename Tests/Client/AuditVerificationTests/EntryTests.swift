import JSONRPC
import Testing

@testable import AuditVerification

@Suite("Entries of the audit")
struct EntryTests {
  private static let salt = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

  private func read<Value>(_ text: String, _ body: (JSONView) -> Value) throws -> Value {
    var tape = JSONTape()
    return try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(JSONReadError) in
      try JSONDocument.read(UnsafeRawBufferPointer(bytes), tape: &tape, body)
    }
  }

  private func canonical(_ text: String) throws -> String? {
    try read(text) { value in
      var writer = JSONWriter()
      return CanonicalJSON.append(value, to: &writer) ? String(decoding: writer.bytes, as: UTF8.self) : nil
    }
  }

  @Test(
    "numbers other than integers of at most 19 digits have no canonical form here",
    arguments: ["1.0", "1e3", "-0", "12345678901234567890"])
  func numbers(_ text: String) throws { #expect(try canonical("[\(text)]") == nil) }

  @Test("the canonical form has sorted names, no white space, and only the escapes that RFC 8785 requires")
  func forms() throws {
    for (text, form) in [
      (#" { "b" : [ 1 , -2 , 0 ] , "a" : null } "#, #"{"a":null,"b":[1,-2,0]}"#),
      ("[1234567890123456, -9007199254740993, \(Int64.max)]", "[1234567890123456,-9007199254740993,\(Int64.max)]"),
      (#""\u0008\u0009\u000A\u000c\u000D\u001F\u007f\/\"\\""#, "\"\\b\\t\\n\\f\\r\\u001f\u{7F}/\\\"\\\\\""),
      (#"{"\u0062":true,"a":false,"aa":{},"B":[]}"#, #"{"B":[],"a":false,"aa":{},"b":true}"#),
      // U+FB33 is before U+1F600 in UTF-8, and after its surrogates in UTF-16
      ("{\"\u{FB33}\":1,\"\u{1F600}\":2,\"\u{E9}\":3}", "{\"\u{E9}\":3,\"\u{1F600}\":2,\"\u{FB33}\":1}"),
      (#"{"x":"\ud83d\ude00é"}"#, "{\"x\":\"\u{1F600}é\"}"),
    ] { #expect(try canonical(text) == form) }
  }

  private func entry(_ text: String) throws -> HashedEntry? {
    let reader = EntryReader()
    return try read(text) { reader.read($0) }
  }

  @Test("a value without an integer as its number is not an entry")
  func noEntry() throws {
    for text in ["1", "{}", #"{"entry":"1"}"#, #"{"entry":1.5}"#, #"{"entry":1,"uid":1.5}"#] {
      #expect(try entry(text) == nil, "\(text)")
    }
  }

  @Test("the leaf is the canonical form without address, origin and salt")
  func leaf() throws {
    let rest = #"""
      "event":"terms.accepted","time":"2026-11-29T02:33:10.139707Z","entry":12,\#
      "terms":"\u0008\t\n\f\r\"\\\/\u001f\u007f é\#u{2028}😀","added":["b","a"],\#
      "uid":0,"door":null,"x":{"b":[],"a":-7},"\u0061b":true
      """#
    let expected = "cZjONEG/37dh4PjGR8Xeh424Hoq2st64BRVBI/x7Ucw="
    let plain = try #require(try entry("{\(rest)}"))
    #expect(plain.number == 12 && plain.leaf.base64 == expected && plain.fitsCommitment)
    let complete = try #require(try entry(#"{"email":"a@b.cc",\#(rest),"origin":"x","salt":"\#(Self.salt)"}"#))
    #expect(complete.leaf.base64 == expected && !complete.fitsCommitment)
  }

  @Test("address and origin fit only the commitment that was made for both of them with this salt")
  func commitments() throws {
    let both = #""email":"Ann@example.com","origin":"192.0.2.1""#
    let (ofBoth, ofOrigin) = (
      "tAN4dIOhLDdBu7dykBPEsAfH/cNEAE/toEXsiwRhCnE=", "nbGs1n7NdfiENowa0f1h1T9NusK/81D40pkaqM/QNOg="
    )
    let cases: [(members: String, commitment: String, salt: String, fits: Bool)] = [
      (both, ofBoth, Self.salt, true),
      (#""origin":"192.0.2.1","email":"Ann@example.com""#, ofBoth, Self.salt, true),
      (#""origin":"a\"b""#, ofOrigin, Self.salt, true),
      (#""origin":"a\u0022b""#, ofOrigin, Self.salt, true),
      (both, ofOrigin, Self.salt, false),
      (#""email":"ann@example.com","origin":"192.0.2.1""#, ofBoth, Self.salt, false),
      (#""email":"Ann@example.com""#, ofBoth, Self.salt, false),
      (both, ofBoth, "AAAA", false),
      (both, "x", Self.salt, false),
    ]
    for (members, commitment, salt, fits) in cases {
      let found = try entry(#"{"entry":1,\#(members),"commitment":"\#(commitment)","salt":"\#(salt)"}"#)
      #expect(found?.fitsCommitment == fits, "\(members) \(commitment) \(salt)")
    }
    let incomplete: [(members: String, fits: Bool)] = [
      (#"\#(both),"commitment":"\#(ofBoth)""#, false),
      (#"\#(both),"salt":"\#(Self.salt)""#, false),
      (#""commitment":"\#(ofBoth)","salt":"\#(Self.salt)""#, false),
      // the address was erased, or the caller is an observer
      (#""commitment":"\#(ofBoth)""#, true),
    ]
    for (members, fits) in incomplete {
      #expect(try entry(#"{"entry":1,\#(members)}"#)?.fitsCommitment == fits, "\(members)")
    }
  }
}
