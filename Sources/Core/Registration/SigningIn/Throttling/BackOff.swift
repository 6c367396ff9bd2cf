/// Milliseconds since the throttle was made. Never decreases.
typealias Moment = Int64

/// Exponential back-off: no wait for the first failures, then 1 s, 2 s, 4 s … up to 300 s.
///
/// The OWASP Authentication Cheat Sheet calls it exponential lockout. The longest wait is short and ends by itself, so
/// that no owner is locked out for good. Such a wait still allows 288 guesses a day. NIST SP 800-63B §5.2.2 requires a
/// limit and names growing waits as one way.
///
/// A wait may end earlier than announced, at a random moment that no caller learns (`Dice`). Each try therefore has the
/// same chance, whether an attacker makes it or the owner. If each wait ended as announced, an attacker who tries all
/// the time would always get the one attempt after it.
struct BackOff: Fading {
  /// Failures that cause no wait.
  private let free: UInt8
  private(set) var failures: UInt8 = 0
  /// The time of the last failure, or of the last forgetting by `fade`, whichever is later.
  private var since: Moment = 0
  /// The end of the wait, as callers learn it.
  private var opens: Moment = 0
  /// When the wait really ends. Never later than `opens`.
  private var admits: Moment = 0

  /// The wrong passwords that may be tried without a wait from one client (uid and origin) for one account: as many as
  /// people mistype before they stop to think.
  static let freeForOne: UInt8 = 3
  /// The wrong passwords that an account's *crowd* may try without a wait. The crowd is all clients that are unknown at
  /// the account, because no sign-in to it has succeeded from there. They are counted together. 100 is the most
  /// failures in a row that NIST SP 800-63B §5.2.2 allows for an account. Only dozens of users together reach it.
  static let freeForCrowd: UInt8 = 100

  /// From this many failures of a crowd on, regd asks the shared throttle, if there is one, before it compares a
  /// password. While there are fewer failures, regd reports them afterwards. A correct password therefore costs a round
  /// trip only if many passwords were tried for the account. Each regd has at most this many passwords in flight that
  /// are missing in the shared count.
  static let uncountedOfCrowd = 10

  /// How many failures beyond the free ones lengthen the wait: the ninth makes it 2 to the 8th = 256 s, the tenth makes
  /// it the longest wait.
  static let steps: UInt8 = 10
  static let longest: Moment = 300_000
  /// Milliseconds without a failure after which one failure is forgotten: three times the longest wait, so that a
  /// caller who tries at the end of every wait keeps the longest wait. Even the most failures of one client are
  /// forgotten after three hours and a quarter.
  static let fading: Moment = 15 * 60 * 1000

  init(free: UInt8) { self.free = free }

  /// The time until the announced end of the wait, or 0 if no wait runs.
  func remaining(at now: Moment) -> Moment { admits <= now ? 0 : max(0, opens - now) }

  /// The time at which the last failure is forgotten and no wait runs.
  var ends: Moment { max(opens, since + Moment(failures) * Self.fading) }

  /// The time until one more password is admitted, if the passwords in flight count as failed just now.
  func wait(inFlight: Int, at now: Moment) -> Moment {
    max(remaining(at: now), inFlight > 0 ? wait(withFurther: inFlight) : 0)
  }

  /// The wait that would begin if `more` attempts failed just now.
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

  /// - Parameter luck: After this time the wait that begins really ends, if it is announced to be longer.
  mutating func fail(at now: Moment, luck: Moment) {
    fade(at: now)
    // capped, because more failures would take days to be forgotten
    failures = min(failures + 1, free + Self.steps)
    since = now
    close(until: now + wait(withFurther: 0), at: now, luck: luck)
  }

  /// Takes over the count that all regd processes share, if it is higher, as if the last failure had happened just now.
  /// For `luck` see `fail`.
  mutating func raise(to count: Int, at now: Moment, luck: Moment = longest) {
    fade(at: now)
    guard count > failures else { return }
    failures = UInt8(min(count, Int(free + Self.steps)))
    since = now
    close(until: now + wait(withFurther: 0), at: now, luck: luck)
  }

  /// Begins a wait, perhaps one that another regd has begun. For `luck` see `fail`.
  mutating func close(until end: Moment, at now: Moment, luck: Moment) {
    guard end > now else { return }
    opens = max(opens, end)
    admits = min(opens, now + luck)
  }
}
