/// Milliseconds since the throttle's own beginning; never fewer than before.
typealias Moment = Int64

/// Waits that grow with each failure: nothing for the first ones, then 1 s, 2 s, 4 s … up to 300 s.
///
/// Doubling is the OWASP Authentication Cheat Sheet's "exponential lockout"; that the longest wait is short, and ends by
/// itself, is so that nobody is shut out for good. At 300 s there are 288 guesses a day; NIST SP 800-63B §5.2.2 asks for
/// a limit and names growing waits as one way.
struct Ladder: Sendable {
  /// Failures that cost no wait.
  private let free: UInt8
  private(set) var failures: UInt8 = 0
  /// When the last failure was, or the last step down.
  private var since: Moment = 0
  /// When the wait ends.
  private var opens: Moment = 0

  /// Wrong passwords that one place has free at one account: what people mistype before they stop to think.
  static let freeForOne: UInt8 = 3
  /// Those that all places have together from which nobody has signed in at the account: 100, which NIST SP 800-63B §5.2.2 has
  /// as the most that an account may see in a row. It takes dozens of users to get there.
  static let freeForCrowd: UInt8 = 100

  /// Steps above the free ones: 2 to the 8th is 256 s, and the next is the longest wait.
  private static let steps: UInt8 = 10
  private static let longest: Moment = 300_000
  /// After so long without a failure one is forgotten, and another after as long again. Three times the longest wait, so
  /// that nobody comes down who tries whenever the ladder lets him. From the top all is forgotten in three hours and a
  /// quarter: the next day everybody has the free ones again.
  static let fading: Moment = 15 * 60 * 1000

  init(free: UInt8) { self.free = free }

  /// How long until the wait ends; 0 where none runs.
  func remaining(at now: Moment) -> Moment { max(0, opens - now) }

  /// How long somebody would wait if `more` failed just now.
  func wait(withFurther more: Int) -> Moment {
    let steps = Int(failures) + more - Int(free)
    return steps <= 0 ? 0 : steps > Int(Self.steps) - 1 ? Self.longest : 1000 << Moment(steps - 1)
  }

  mutating func fade(at now: Moment) {
    let steps = (now - since) / Self.fading
    guard failures > 0, steps > 0 else { return }
    failures -= UInt8(min(Moment(failures), steps))
    since += steps * Self.fading
  }

  mutating func fail(at now: Moment) {
    fade(at: now)
    // no higher, or coming down from many failures would take days
    failures = min(failures + 1, free + Self.steps)
    since = now
    opens = max(opens, now + wait(withFurther: 0))
  }

  /// One that had been counted in advance has not failed. The wait that it began stays: whoever gives up on purpose
  /// gains nothing.
  mutating func takeBack() { failures -= min(1, failures) }
}
