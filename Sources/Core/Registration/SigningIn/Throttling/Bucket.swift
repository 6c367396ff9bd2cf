/// How much at once, and how much in the long run.
package struct SignInRate: Equatable, Sendable {
  /// 1 to 1,000,000.
  package var atOnce: Int
  /// Milliseconds until there is one more, 1 to 86,400,000.
  package var interval: Int

  package init(atOnce: Int, interval: Int) {
    self.atOnce = atOnce
    self.interval = interval
  }
}

/// A bucket that fills by itself; all that is kept is when it will be full.
struct Bucket: Fading {
  private var full: Moment = 0

  var ends: Moment { full }

  /// How long until there is one to take; 0 where there is.
  func wait(_ rate: SignInRate, at now: Moment) -> Moment {
    max(0, max(full, now) + Moment(rate.interval) - now - capacity(rate))
  }

  /// Takes one; from an empty bucket nothing.
  mutating func take(_ rate: SignInRate, at now: Moment) {
    full = min(max(full, now) + Moment(rate.interval), now + capacity(rate))
  }

  mutating func giveBack(_ rate: SignInRate) { full -= Moment(rate.interval) }

  private func capacity(_ rate: SignInRate) -> Moment { Moment(rate.atOnce) * Moment(rate.interval) }
}
