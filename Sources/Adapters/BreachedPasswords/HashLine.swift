/// A line `HEX` or `HEX:COUNT` of a published list, ended by LF or CRLF.
struct HashLine {
  var hash: EntryHash
  /// How often the password was seen, or nil if the line has no count.
  var count: UInt64?
  /// The byte after the line feed.
  var end: UnsafePointer<UInt8>

  /// Hexadecimal digits of a SHA-1.
  static let digits = 40
  /// The most digits of a count. A count with more digits might not fit a UInt64.
  static let mostCountDigits = 18

  /// Parses the line at `start`. Reads nothing at or after `limit`.
  ///
  /// - Returns: Nil if the line is malformed or does not end before `limit`.
  @inline(__always)
  init?(at start: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    guard limit - start > Self.digits else { return nil }
    let words = UnsafeRawPointer(start)
    let word0 = words.loadUnaligned(as: UInt64.self)
    let word1 = words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let word2 = words.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    let word3 = words.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    let word4 = words.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    let areDigits = Self.digitMarks(word0) & Self.digitMarks(word1) & Self.digitMarks(word2) & Self.digitMarks(word3)
    guard areDigits & Self.digitMarks(word4) == Self.highBits else { return nil }
    hash = EntryHash(
      first: Self.value(word0) &<< 32 | Self.value(word1), second: Self.value(word2) &<< 32 | Self.value(word3))

    var next = start + Self.digits
    if next.pointee == UInt8(ascii: ":") {
      next += 1
      let firstDigit = next
      var count: UInt64 = 0
      while next < limit, next.pointee &- UInt8(ascii: "0") < 10, next - firstDigit <= Self.mostCountDigits {
        count = count &* 10 &+ UInt64(next.pointee &- UInt8(ascii: "0"))
        next += 1
      }
      guard (1...Self.mostCountDigits).contains(next - firstDigit) else { return nil }
      self.count = count
    }
    if next < limit, next.pointee == UInt8(ascii: "\r") { next += 1 }
    guard next < limit, next.pointee == UInt8(ascii: "\n") else { return nil }
    end = next + 1
  }

  // The functions below process eight characters at once, one in each byte of a word.

  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Sets the highest bit of each byte that is a hexadecimal digit.
  @inline(__always)
  private static func digitMarks(_ word: UInt64) -> UInt64 {
    // Seven bits, so that no addition carries into the next byte. Bytes with the eighth bit are excluded at the end.
    let plain = word & ~highBits
    let lower = plain | (0x20 &* ones)
    let isDecimal = (plain &+ (0x80 - 0x30) &* ones) & ~(plain &+ (0x80 - 0x3A) &* ones)  // from 0 to before :
    let isLetter = (lower &+ (0x80 - 0x61) &* ones) & ~(lower &+ (0x80 - 0x67) &* ones)  // from a to before g
    return (isDecimal | isLetter) & ~word & highBits
  }

  /// The value of eight hexadecimal digits, of which the first is the most significant.
  @inline(__always)
  private static func value(_ word: UInt64) -> UInt64 {
    let text = UInt64(bigEndian: word)
    // A digit's value is its low four bits. A letter, which has bit 6 set, adds 9 to them.
    var nibbles = (text & (0x0F &* ones)) &+ ((text &>> 6) & ones) &* 9
    nibbles = (nibbles | nibbles &>> 4) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles &>> 8) & 0x0000_FFFF_0000_FFFF
    return (nibbles | nibbles &>> 16) & 0xFFFF_FFFF
  }
}
