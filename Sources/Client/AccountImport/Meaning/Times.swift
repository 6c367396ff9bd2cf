internal import Registration

/// Reads times in the notations of other systems.
enum Times {
  /// The time of creation, or nil without a text, or for MySQL's zero date.
  static func created(_ text: String?) throws(RecordRefusal) -> Timestamp? {
    guard let text, !isZero(text) else { return nil }
    guard let time = time(text) else { throw .time(shortened(text)) }
    return time
  }

  /// Whether the text is MySQL's zero date, which means an unknown time.
  static func isZero(_ text: String) -> Bool { text.hasPrefix("0000-00-00") }

  /// Reads RFC 3339, and its variants in databases and ISO 8601: a space instead of the T or before the offset, an
  /// offset with hours only, "UTC", or no offset, which means UTC. Also reads a date alone, which means its first
  /// moment in UTC. Nil for any other text.
  static func time(_ text: String) -> Timestamp? {
    if let time = Timestamp(anyRFC3339: text) { return time }
    let bytes = Array(text.utf8)
    if bytes.count == 10 { return Timestamp(anyRFC3339: "\(text)T00:00:00Z") }
    guard bytes.count >= 19, bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T") else { return nil }
    let date = String(decoding: bytes[..<10], as: UTF8.self)
    var rest = String(decoding: bytes[11...], as: UTF8.self)
    if rest.hasSuffix(" UTC") { rest = rest.dropLast(4) + "Z" }
    if let space = rest.firstIndex(of: " "), rest[space...].dropFirst().first.map({ "+-Zz".contains($0) }) == true {
      rest.remove(at: space)
    }
    let zoneStart = rest.firstIndex { "Zz+-".contains($0) } ?? rest.endIndex
    let zone = String(rest[zoneStart...])
    let offset =
      switch (zone.utf8.count, zone) {
      case (0, _): "Z"
      case (3, _): zone + ":00"
      case (5, _) where !zone.contains(":"): String(zone.prefix(3)) + ":" + String(zone.suffix(2))
      default: zone
      }
    return Timestamp(anyRFC3339: "\(date)T\(rest[..<zoneStart])\(offset)")
  }

  /// Reads milliseconds since 1970, up to the year 9999. Returns nil without a text.
  static func milliseconds(_ digits: String?) throws(RecordRefusal) -> Timestamp? {
    guard let digits else { return nil }
    guard let milliseconds = Int64(digits), (0..<253_402_300_800_000).contains(milliseconds) else {
      throw .time(shortened(digits))
    }
    return Timestamp(microseconds: milliseconds * 1000)
  }

  /// Reads Generalized Time (RFC 4517 §3.3.13) as directories write it: `20261122103000Z`. The seconds must be there, and
  /// may have a fraction.
  static func generalized(_ text: String?) throws(RecordRefusal) -> Timestamp? {
    guard let text else { return nil }
    guard let time = generalizedTime(text) else { throw .time(shortened(text)) }
    return time
  }

  /// As `generalized`, but returns nil for any other text.
  static func generalizedTime(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 15, bytes[..<14].allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let fraction = String(decoding: bytes[14...], as: UTF8.self).map { $0 == "," ? "." : String($0) }.joined()
    let clock = "\(part(8..<10)):\(part(10..<12)):\(part(12..<14))\(fraction)"
    return time("\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(clock)")
  }

  private static func shortened(_ text: String) -> String { String(text.prefix(40)) }
}
