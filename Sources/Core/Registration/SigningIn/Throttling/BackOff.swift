/// Milliseconds since the throttle's own beginning; never fewer than before.
typealias Moment = Int64

/// Exponential back-off: no wait for the first failures, then 1 s, 2 s, 4 s … up to 300 s.
///
/// The OWASP Authentication Cheat Sheet calls it exponential lockout. The longest wait is short and ends by itself, so that
/// no owner is shut out for good. It allows 288 guesses a day; NIST SP 800-63B §5.2.2 asks for a limit and names growing
/// waits as one way.
struct BackOff: Fading {
  /// Failures that cost no wait.
  private let free: UInt8
  private(set) var failures: UInt8 = 0
  /// When the last failure was, or the last step down.
  private var since: Moment = 0
  /// When the wait ends.
  private var opens: Moment = 0

  /// Wrong passwords that one place has free at one account: what people mistype before they stop to think.
  static let freeForOne: UInt8 = 3
  /// Wrong passwords that are free at one account for all places together that have never signed in there: 100, the most
  /// that an account may see in a row by NIST SP 800-63B §5.2.2. It takes dozens of users to reach that.
  static let freeForCrowd: UInt8 = 100

  /// Failures of that crowd from which on a regd that shares its count asks before a password is compared, and no longer
  /// after it. So a right password costs a question only where much was guessed, and of passwords that are compared at one
  /// time at most so many of each regd are not in the count yet.
  static let uncountedOfCrowd = 10

  /// Steps above the free ones: 2 to the 8th is 256 s, and the next is the longest wait.
  static let steps: UInt8 = 10
  private static let longest: Moment = 300_000
  /// Milliseconds without a failure after which one failure is forgotten. Three times the longest wait, so that a caller
  /// who tries at the end of every wait gains nothing. The most failures are forgotten in three hours and a quarter.
  static let fading: Moment = 15 * 60 * 1000

  init(free: UInt8) { self.free = free }

  /// How long until the wait ends; 0 where none runs.
  func remaining(at now: Moment) -> Moment { max(0, opens - now) }

  /// When the last failure is forgotten, and no wait runs.
  var ends: Moment { max(opens, since + Moment(failures) * Self.fading) }

  /// How long until one more is let go: passwords in flight count as if they had failed just now.
  func wait(inFlight: Int, at now: Moment) -> Moment {
    max(remaining(at: now), inFlight > 0 ? wait(withFurther: inFlight) : 0)
  }

  /// The wait if `more` attempts failed just now.
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
    // no higher, or many failures would take days to be forgotten
    failures = min(failures + 1, free + Self.steps)
    since = now
    opens = max(opens, now + wait(withFurther: 0))
  }

  /// Other regd have counted more failures: the last of them is taken to have been just now.
  mutating func raise(to count: Int, at now: Moment) {
    fade(at: now)
    guard count > failures else { return }
    failures = UInt8(min(count, Int(free + Self.steps)))
    since = now
    opens = max(opens, now + wait(withFurther: 0))
  }

  /// Another regd has begun a wait.
  mutating func close(until end: Moment) { opens = max(opens, end) }
}
