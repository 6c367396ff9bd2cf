import Testing
import WireFormats

@Suite("Base64")
struct Base64Tests {
  @Test(
    "a text that is not base64, or lacks a part of its padding, is not decoded",
    arguments: [
      "=", "==", "====", "A", "AA", "AAA", "A===", "AA=", "AAA==", "AAAA=", "AAAA====", "AA=A", "=AAA", "AA==AAAA",
      "AAA-", "AAA_", "AA A", "AAA\n", "AAA\0", " AAA", "AAA*", "éAA", "AAAA\r\n",
    ])
  func broken(_ text: String) {
    #expect(Base64.decoded(text.utf8) == nil)
    #expect(Base64.decoded(text.utf8, allowsStrayBits: true) == nil)
  }

  @Test(
    "stray bits after the last byte are refused unless they are allowed",
    arguments: [
      ("Zh==", "f"), ("Zm9=", "fo"), ("Z/==", "g"), ("Zm+=", "fo"), ("Zm9vYh==", "foob"), ("Zm9vYmF=", "fooba"),
    ])
  func strayBits(_ text: String, _ plain: String) {
    #expect(Base64.decoded(text.utf8) == nil)
    #expect(Base64.decoded(text.utf8, allowsStrayBits: true).map { String(decoding: $0, as: UTF8.self) } == plain)
  }

  @Test(
    "texts are encoded and decoded as RFC 4648 §10 has them",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(_ plain: String, _ text: String) {
    #expect(Base64.encoded(plain.utf8) == text)
    #expect(Base64.encoded(plain.utf8, isPadded: false) == text.prefix { $0 != "=" })
    #expect(Base64.decoded(text.utf8) == Array(plain.utf8))
  }

  @Test("every byte in every place is encoded and decoded unchanged, with all digits of the alphabet")
  func bytes() {
    let all = (0...255).map { UInt8($0) }
    for dropped in 0..<4 {
      let bytes = Array(all.dropFirst(dropped))
      #expect(Base64.decoded(Base64.encoded(bytes).utf8) == bytes)
    }
    #expect(Base64.encoded([0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF]) == "++++////")
    #expect(Set(Base64.encoded(all)).count == 65)
  }

  @Test("bytes are passed on one by one, and those before a mistake too")
  func passedOn() {
    var bytes: [UInt8] = []
    let isBase64 = Base64.decode("Zm9v*AAA".utf8) { bytes.append($0) }
    #expect(!isBase64 && bytes == Array("foo".utf8))
  }
}
