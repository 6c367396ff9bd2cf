/// A point in time: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static func < (one: Timestamp, other: Timestamp) -> Bool { one.microseconds < other.microseconds }

  package func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(microseconds: microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }

  /// The time in RFC 3339 §5.6, in UTC with six decimals: `2026-11-21T10:57:00.000000Z`.
  package var rfc3339: String {
    let (days, rest) = microseconds.quotientAndRemainder(flooring: Self.microsecondsADay)
    let date = CivilDate(daysSince1970: days)
    let seconds = rest / 1_000_000
    var text: [UInt8] = []
    text.reserveCapacity(Self.usualLength)
    text.append(date.year, 4, before: "-")
    text.append(date.month, 2, before: "-")
    text.append(date.day, 2, before: "T")
    text.append(seconds / 3600, 2, before: ":")
    text.append(seconds / 60 % 60, 2, before: ":")
    text.append(seconds % 60, 2, before: ".")
    text.append(rest % 1_000_000, 6, before: "Z")
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads only texts that `rfc3339` returns for the years 0 to 9999. The result is nil for other texts.
  package init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == Self.usualLength, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "."),
      bytes[26] == UInt8(ascii: "Z"), let seconds = Self.seconds(bytes), let fraction = bytes.number(20..<26)
    else { return nil }
    self.init(microseconds: seconds * 1_000_000 + fraction)
  }

  /// Reads any time of RFC 3339 §5.6 except leap seconds, with or without a fraction, in any offset. Drops digits finer
  /// than a microsecond.
  package init?(anyRFC3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 64, bytes[10] | 0x20 == UInt8(ascii: "t"), let local = Self.seconds(bytes)
    else { return nil }
    var position = 19
    var fraction: Int64 = 0
    if bytes[position] == UInt8(ascii: ".") {
      let end = bytes[20...].firstIndex { $0 &- UInt8(ascii: "0") >= 10 } ?? bytes.count
      guard end > 20 else { return nil }
      for digit in 20..<26 { fraction = fraction * 10 + (digit < end ? Int64(bytes[digit] - UInt8(ascii: "0")) : 0) }
      position = end
    }
    guard let offset = Self.offset(bytes[position...]) else { return nil }
    self.init(microseconds: (local - offset) * 1_000_000 + fraction)
    // the offset may move the time out of the years 0 to 9999, the only ones that RFC 3339 can write
    let year = CivilDate(daysSince1970: microseconds.quotientAndRemainder(flooring: Self.microsecondsADay).quotient)
      .year
    guard 0...9999 ~= year else { return nil }
  }

  private static let microsecondsADay: Int64 = 86_400_000_000
  /// The length of `rfc3339` in bytes, for the years 0 to 9999.
  private static let usualLength = 27

  /// Reads the first 19 bytes, such as `2026-11-21T10:57:00`, as seconds since 1970. Any byte may separate day and
  /// hour.
  private static func seconds(_ bytes: [UInt8]) -> Int64? {
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), let year = bytes.number(0..<4), let month = bytes.number(5..<7),
      let day = bytes.number(8..<10), let hour = bytes.number(11..<13), let minute = bytes.number(14..<16),
      let second = bytes.number(17..<19), hour < 24, minute < 60, second < 60, 1...12 ~= month, day > 0
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    let days = date.daysSince1970
    // a day beyond the month's end would count as a day of the next month
    guard CivilDate(daysSince1970: days) == date else { return nil }
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The seconds by which a zone such as `Z` or `+01:00` is ahead of UTC.
  private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
    let zone = Array(zone)
    if zone.count == 1, zone[0] | 0x20 == UInt8(ascii: "z") { return 0 }
    guard zone.count == 6, zone[3] == UInt8(ascii: ":"), let hours = zone.number(1..<3),
      let minutes = zone.number(4..<6),
      hours < 24, minutes < 60
    else { return nil }
    switch zone[0] {
    case UInt8(ascii: "+"): return hours * 3600 + minutes * 60
    case UInt8(ascii: "-"): return -(hours * 3600 + minutes * 60)
    default: return nil
    }
  }
}

extension [UInt8] {
  /// The number that the ASCII digits in the range make, or nil if the range has any other byte.
  fileprivate func number(_ range: Range<Int>) -> Int64? {
    var number: Int64 = 0
    for byte in self[range] {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int64(digit)
    }
    return number
  }

  /// Appends a number with at least `width` digits, then `next`.
  fileprivate mutating func append(_ number: Int64, _ width: Int, before next: Unicode.Scalar) {
    var unit: Int64 = 1
    for _ in 1..<width { unit *= 10 }
    if (0..<unit * 10).contains(number) {
      while unit > 0 {
        append(UInt8(ascii: "0") + UInt8(number / unit % 10))
        unit /= 10
      }
    } else {
      append(contentsOf: String(number).utf8)
    }
    append(UInt8(ascii: next))
  }
}

/// A day of the proleptic Gregorian calendar. The computations let years begin in March, so that the leap day is the last of its
/// year.
struct CivilDate: Equatable {
  var year: Int64
  var month: Int64
  var day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + Self.from0000To1970).quotientAndRemainder(flooring: Self.daysPer400Years)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).quotientAndRemainder(flooring: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPer400Years + dayOfEra - Self.from0000To1970
  }

  private static let daysPer400Years: Int64 = 146_097
  /// The days from 0000-03-01 to 1970-01-01.
  private static let from0000To1970: Int64 = 719_468
}

extension Int64 {
  func quotientAndRemainder(flooring divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
