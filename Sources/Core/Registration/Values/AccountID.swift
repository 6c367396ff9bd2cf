/// The id of an account: a UUID of version 7 (RFC 9562 §5.7), so that ids sort by the time they were made.
package struct AccountID: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// A new id for `time`; its other 74 bits come from the system's random source.
  package init(at time: Timestamp) {
    let milliseconds = UInt64(max(0, time.microseconds) / 1000)
    var random = SystemRandomNumberGenerator()
    high = milliseconds << 16 | 0x7000 | random.next() & 0x0FFF
    low = 0x8000_0000_0000_0000 | random.next() & 0x3FFF_FFFF_FFFF_FFFF
  }

  /// Sorts before every id that was made at `time` or later.
  init(before time: Timestamp) {
    high = UInt64(max(0, time.microseconds) / 1000) << 16
    low = 0
  }

  /// When it was made, to the millisecond; of an id of version 7.
  var time: Timestamp { Timestamp(microseconds: Int64(high >> 16) * 1000) }

  /// Reads the 8-4-4-4-12 form of RFC 9562 §4, in either case; any version.
  package init?(_ text: String) {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.joined()
    guard digits.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
    let hexadecimals = String(decoding: digits, as: UTF8.self)
    guard let high = UInt64(hexadecimals.prefix(16), radix: 16), let low = UInt64(hexadecimals.suffix(16), radix: 16)
    else { return nil }
    self.high = high
    self.low = low
  }

  /// As their texts sort.
  package static func < (one: AccountID, other: AccountID) -> Bool { (one.high, one.low) < (other.high, other.low) }

  package var description: String {
    let digits = hexadecimal(high) + hexadecimal(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  private func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
