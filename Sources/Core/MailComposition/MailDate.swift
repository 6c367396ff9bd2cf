internal import Registration

/// The format of dates in mails (RFC 5322 section 3.3), in UTC.
enum MailDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static let day: Int64 = 86_400_000_000

  /// Formats a time, for example `Sun, 22 Nov 2026 15:33:13 +0000`.
  static func text(_ time: Timestamp) -> String {
    let text = time.rfc3339
    let clock = text.dropFirst(11).prefix(8)
    let fields = text.prefix(10).split(separator: "-")
    // 1970-01-01 was a Thursday. The remainder is made positive for earlier days.
    let day =
      Int((time.microseconds >= 0 ? time.microseconds : time.microseconds - Self.day + 1) / Self.day % 7 + 7) % 7
    let month = months[(Int(fields[1]) ?? 1) - 1]
    return "\(days[day]), \(fields[2]) \(month) \(fields[0]) \(clock) +0000"
  }
}
