/// Time limits in the units of system calls.
extension Duration {
  /// The limit in nanoseconds: 0 if negative, and at most 11 days, because a caller that needs longer waits again.
  var nanoseconds: Int {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    return Int(min(seconds, 1_000_000)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  /// The same limit in milliseconds, rounded up, so that the wait does not end too early.
  var roundedMilliseconds: Int32 { Int32((nanoseconds + 999_999) / 1_000_000) }
}
