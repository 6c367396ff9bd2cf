import Testing
import WireProtocols

@testable import JSONRPC

@Suite("JSON writer")
struct JSONWriterTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("the writer produces these exact bytes")
  func bytes() {
    let text = text { writer in
      writer.object { writer in
        writer.member("a", "x")
        writer.member("b", -5)
        writer.member("c", true)
        writer.array("d") {
          $0.null()
          $0.value(false)
          $0.array { _ in }
          $0.object { _ in }
        }
        writer.name("e\n")
        writer.raw("123456789012345678901".utf8)
      }
    }
    #expect(text == #"{"a":"x","b":-5,"c":true,"d":[null,false,[],{}],"e\n":123456789012345678901}"#)
  }

  @Test("a string with any character is written on one line and reads back unchanged")
  func strings() throws {
    var all = ""
    for scalar in 0...0x2FF { all.unicodeScalars.append(Unicode.Scalar(scalar) ?? " ") }
    all += "\u{2028}\u{D7FF}\u{FFFF}😀\"\\/"
    let written = text { $0.value(all) }
    #expect(!written.utf8.contains { $0 < 0x20 })
    var tape = JSONTape()
    let back = try Array(written.utf8).withUnsafeBytes { try JSONDocument.read($0, tape: &tape) { $0.utf8 } }
    #expect(back == Array(all.utf8))
  }
}

@Suite("Buffers for secrets")
struct SecureBufferTests {
  @Test("appending and removing keep the other bytes")
  func growing() {
    var held = SecureBuffer()
    var expected: [UInt8] = []
    for length in [0, 1, 6, 100, 255, 4096, 70_000] {
      let piece = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
      piece.withUnsafeBytes { held.append($0) }
      expected += piece
      let bytes = Array(held.bytes)
      #expect(bytes == expected)
    }
    for taken in [0, 1, 4095, 60_000] {
      held.removeFirst(taken)
      expected.removeFirst(taken)
      let bytes = Array(held.bytes)
      #expect(bytes == expected)
    }
    held.removeAll()
    let isEmpty = held.isEmpty
    #expect(isEmpty)
  }

  @Test("removed bytes are overwritten")
  func wiping() throws {
    var held = SecureBuffer()
    Array("a secret".utf8).withUnsafeBytes { held.append($0) }
    let place = try #require(held.bytes.baseAddress)
    held.removeFirst(2)
    // the buffer still owns this memory
    #expect(Array(UnsafeRawBufferPointer(start: place, count: 8)) == Array("secret".utf8) + [0, 0])
    held.removeAll()
    #expect(Array(UnsafeRawBufferPointer(start: place, count: 8)) == Array(repeating: 0, count: 8))
  }
}
