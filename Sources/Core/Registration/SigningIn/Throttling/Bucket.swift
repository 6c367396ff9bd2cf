/// The size of a bucket, and the rate at which it refills.
package struct SignInRate: Equatable, Sendable {
  /// The most tokens in the bucket, 1 to 1,000,000.
  package var atOnce: Int
  /// Milliseconds until the bucket has one more token, 1 to 86,400,000.
  package var interval: Int

  package init(atOnce: Int, interval: Int) {
    self.atOnce = atOnce
    self.interval = interval
  }
}

/// A token bucket, which stores only the time at which it will be full.
struct Bucket: Fading {
  private var full: Moment = 0

  var ends: Moment { full }

  /// The time until a token can be taken, or 0 if that is possible now.
  func wait(_ rate: SignInRate, at now: Moment) -> Moment {
    max(0, max(full, now) + Moment(rate.interval) - now - capacity(rate))
  }

  /// Takes a token. Does nothing if the bucket is empty.
  mutating func take(_ rate: SignInRate, at now: Moment) {
    full = min(max(full, now) + Moment(rate.interval), now + capacity(rate))
  }

  mutating func giveBack(_ rate: SignInRate) { full -= Moment(rate.interval) }

  private func capacity(_ rate: SignInRate) -> Moment { Moment(rate.atOnce) * Moment(rate.interval) }
}
