internal import Registration

/// A date in HTTP (RFC 9110 §5.6.7): the preferred form, and the two obsolete forms that a recipient must still
/// accept.
///
/// Not parsed with curl_getdate(3), which also accepts fragments such as `Mon` and `12`.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  /// Reads a date. Returns nil if the text is not a date. The day of the week must exist, but need not fit the date.
  static func read(_ text: String, now: Timestamp) -> Timestamp? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT
    case 6 where days.map { $0 + "," }.contains(words[0]) && words[5] == "GMT" && words[1].utf8.count == 2:
      return time(year: words[3], month: words[2], day: words[1], clock: words[4])
    // Sunday, 06-Nov-94 08:49:37 GMT
    case 4 where longDays.map { $0 + "," }.contains(words[0]) && words[3] == "GMT":
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard date.count == 3, date.map(\.utf8.count) == [2, 3, 2], let year = fullYear(date[2], now) else { return nil }
      return time(year: year, month: date[1], day: date[0], clock: words[2])
    // Sun Nov  6 08:49:37 1994
    case 6 where days.contains(words[0]) && words[2].isEmpty && words[3].utf8.count == 1:
      return time(year: words[5], month: words[1], day: "0" + words[3], clock: words[4])
    case 5 where days.contains(words[0]) && words[2].utf8.count == 2:
      return time(year: words[4], month: words[1], day: words[2], clock: words[3])
    default: return nil
    }
  }

  private static func time(year: String, month: String, day: String, clock: String) -> Timestamp? {
    guard let number = months.firstIndex(of: month) else { return nil }
    let digits = number < 9 ? "0\(number + 1)" : "\(number + 1)"
    // Timestamp has no leap seconds: second 60 becomes second 59
    let clock = clock.hasSuffix(":60") ? clock.dropLast(2) + "59" : clock
    return Timestamp(rfc3339: "\(year)-\(digits)-\(day)T\(clock).000000Z")
  }

  /// Expands a two-digit year to the last year with this ending that is at most 50 years ahead (RFC 9110 §5.6.7).
  private static func fullYear(_ digits: String, _ now: Timestamp) -> String? {
    guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let ending = Int(digits),
      let current = Int(now.rfc3339.prefix(4))
    else { return nil }
    let latest = current + 50
    return String(latest - (latest - ending) % 100)
  }
}
