internal import Registration

/// A Retry-After header (RFC 9110 §10.2.3).
enum RetryAfter {
  /// A day: the longest wait that regd reports to a caller.
  static let maximum = 86_400

  /// - Returns: The seconds from now, not above `maximum`, or 0 for a date in the past. Returns nil without a header,
  ///   and for a value that is neither seconds nor a date.
  static func seconds(_ text: String?, now: Timestamp) -> Int? {
    guard let text, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return min(Int(text) ?? maximum, maximum) }
    guard let date = HTTPDate.read(text, now: now) else { return nil }
    // rounded up, because a caller that returns a moment early is refused again
    let seconds = (date.microseconds - now.microseconds + 999_999) / 1_000_000
    return Int(min(max(seconds, 0), Int64(maximum)))
  }
}
