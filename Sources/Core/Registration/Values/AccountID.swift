/// The id of an account: a UUID of version 7 (RFC 9562 §5.7), so that ids sort by creation time.
package struct AccountID: Hashable, Comparable, Sendable, LosslessStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// A new id for `time`. Its other 74 bits come from the system's random source.
  package init(at time: Timestamp) {
    let milliseconds = UInt64(max(0, time.microseconds) / 1000)
    var random = SystemRandomNumberGenerator()
    high = milliseconds << 16 | 0x7000 | random.next() & 0x0FFF
    low = 0x8000_0000_0000_0000 | random.next() & 0x3FFF_FFFF_FFFF_FFFF
  }

  /// The id as two numbers, the higher one first.
  var words: (UInt64, UInt64) { (high, low) }

  init(words: (UInt64, UInt64)) { (high, low) = words }

  /// An id that sorts before every id made at `time` or later.
  init(before time: Timestamp) {
    high = UInt64(max(0, time.microseconds) / 1000) << 16
    low = 0
  }

  /// The creation time to the millisecond. Meaningful only for version 7.
  var time: Timestamp { Timestamp(microseconds: Int64(high >> 16) * 1000) }

  /// Reads the 8-4-4-4-12 form of RFC 9562 §4 of any UUID, in either case.
  package init?(_ text: String) {
    var text = text
    guard let (high, low) = text.withUTF8({ Self.words($0) }) else { return nil }
    self.high = high
    self.low = low
  }

  private static func words(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard text.count == length else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, byte) in text.enumerated() {
      if hyphens.contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
    }
    return (high, low)
  }

  private static let length = 36
  private static let hyphens = [8, 13, 18, 23]

  /// Sorts ids in the order of their texts.
  package static func < (one: AccountID, other: AccountID) -> Bool { (one.high, one.low) < (other.high, other.low) }

  package var description: String {
    var (high, low) = (high, low)
    return String(unsafeUninitializedCapacity: Self.length) { text in
      for index in 0..<Self.length {
        if Self.hyphens.contains(index) {
          text[index] = UInt8(ascii: "-")
          continue
        }
        let digit = UInt8(high >> 60)
        text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        (high, low) = (high << 4 | low >> 60, low << 4)
      }
      return Self.length
    }
  }
}
