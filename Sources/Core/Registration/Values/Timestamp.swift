/// A point in time: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static func < (one: Timestamp, other: Timestamp) -> Bool { one.microseconds < other.microseconds }

  package func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(microseconds: microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }

  /// As RFC 3339 §5.6 writes it, in UTC with six decimals: `2026-11-21T10:57:00.000000Z`.
  package var rfc3339: String {
    let (days, rest) = microseconds.quotientAndRemainder(flooring: 86_400_000_000)
    let date = CivilDate(daysSince1970: days)
    let seconds = rest / 1_000_000
    return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))"
      + "T\(pad(seconds / 3600, 2)):\(pad(seconds / 60 % 60, 2)):\(pad(seconds % 60, 2))"
      + ".\(pad(rest % 1_000_000, 6))Z"
  }

  /// Reads what `rfc3339` writes, and nothing else.
  package init?(rfc3339 text: String) {
    let fields = text.utf8.split(omittingEmptySubsequences: false) { "-T:.Z".utf8.contains($0) }
    guard fields.map(\.count) == [4, 2, 2, 2, 2, 2, 6, 0] else { return nil }
    let numbers = fields.prefix(7).compactMap { Int64(String($0) ?? "") }
    guard numbers.count == 7 else { return nil }
    let days = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]).daysSince1970
    let seconds = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    self.init(microseconds: days * 86_400_000_000 + seconds * 1_000_000 + numbers[6])
    guard rfc3339 == text else { return nil }
  }

  /// Reads any time of RFC 3339 §5.6: with or without a fraction, in any offset; what is finer than a microsecond is cut.
  package init?(anyRFC3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 64, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    var position = 19
    var fraction = ""
    if bytes[position] == UInt8(ascii: ".") {
      position += 1
      while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
        fraction.append(Character(Unicode.Scalar(bytes[position])))
        position += 1
      }
      guard !fraction.isEmpty else { return nil }
    }
    let zone = String(decoding: bytes[position...], as: UTF8.self)
    guard let offset = Self.offset(zone) else { return nil }
    let digits = String((fraction + "000000").prefix(6))
    let clock = String(decoding: bytes[..<19], as: UTF8.self).uppercased()
    guard let local = Timestamp(rfc3339: "\(clock).\(digits)Z") else { return nil }
    self.init(microseconds: local.microseconds - offset * 1_000_000)
    // the offset may lead out of the years that can be written
    guard Timestamp(rfc3339: rfc3339) != nil else { return nil }
  }

  /// Seconds that a zone is ahead of UTC: `Z`, `+01:00`.
  private static func offset(_ zone: String) -> Int64? {
    if zone == "Z" || zone == "z" { return 0 }
    let bytes = Array(zone.utf8)
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
      let sign = ["+": 1, "-": -1][String(zone.prefix(1))] as Int64?,
      bytes.enumerated().allSatisfy({ $0 == 0 || $0 == 3 || $1 &- UInt8(ascii: "0") < 10 }),
      let hours = Int64(zone.dropFirst().prefix(2)), let minutes = Int64(zone.suffix(2)), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private func pad(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// A day of the proleptic Gregorian calendar. Years begin in March here, so that the leap day is a year's last.
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
  /// From 0000-03-01 to 1970-01-01.
  private static let from0000To1970: Int64 = 719_468
}

extension Int64 {
  func quotientAndRemainder(flooring divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
