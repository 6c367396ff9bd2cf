import Testing

@testable import Registration

@Suite("SipHash")
struct SipHashTests {
  private let hash = SipHash(key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))

  @Test(
    "the hash matches the paper (appendix A) and its authors' test vectors",
    arguments: [
      (0, 0x726F_DB47_DD0E_0E31), (1, 0x74F8_39C5_93DC_67FD), (8, 0x93F5_F579_9A93_2462),
      (15, 0xA129_CA61_49BE_45E5),
    ] as [(UInt8, UInt64)])
  func published(_ length: UInt8, _ value: UInt64) {
    #expect(Array(0..<length).withUnsafeBytes { hash.hash($0) } == value)
  }

  @Test("a word before the bytes has the same effect as its eight bytes")
  func word() {
    let after = Array(8..<15 as Range<UInt8>).withUnsafeBytes { hash.hash($0, after: 0x0706_0504_0302_0100) }
    #expect(after == 0xA129_CA61_49BE_45E5)
  }
}
