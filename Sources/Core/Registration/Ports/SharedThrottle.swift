/// Counts wrong passwords for all regd processes that share one database. Each account has one count: the wrong
/// passwords from all clients (a uid and an origin) that have never signed in to the account. Each regd keeps the other
/// counts of its throttle to itself.
///
/// Rules for every implementation:
/// - A wait may end earlier than announced, at a random moment (`SharedThrottleRule.luck`) that no caller learns.
/// - It counts by `SharedThrottleRule`, and by the database's clock for all regd processes. A count that has faded to 0
///   is removed within a day, so that counts take room for recent guesses only.
/// - Each call is atomic: of simultaneous calls, each sees the count that the previous one left.
/// - A call is one round trip and never fails. It returns within the implementation's own deadline, if necessary
///   without an answer. The calling regd then relies on its own count.
/// - A call ignores cancellation: a caller that hangs up after its guess does not escape the count.
/// - A call waits neither for a disk nor for a replica. A crash or a failover may lose counts, but no accounts.
/// - It stores counts under numbers of accounts (`SharedThrottleKey`), and nothing that a person typed.
/// - Look-ups of accounts never wait for guesses: if both share connections, guesses use only a few of them.
/// - Calls queue by share, and shares take turns. Once a call has waited in vain for an answer, the calls queued after
///   it return without one.
package protocol SharedThrottle: Sendable {
  /// The key by which accounts are numbered: the same for every regd of the database, for as long as the database exists.
  var key: SharedThrottleKey { get }

  /// Counts a wrong password, even during a wait, and starts the wait that belongs to the new count. During a wait,
  /// `admit` admits no password.
  ///
  /// - Parameter share: The share of the caller that tried the password.
  /// - Returns: The number of failures now, or nil for no answer.
  func failed(at account: UInt64, for share: Share) async -> Int?

  /// Counts a password as wrong before the caller compares it, unless a wait is running. If the password turns out to
  /// be correct, the caller takes the count back.
  ///
  /// - Returns: The verdict, or nil for no answer, in which case the password may or may not have been counted.
  func admit(at account: UInt64, for share: Share) async -> SharedVerdict?

  /// Takes back a failure that `admit` has counted. Does nothing if no such failure is counted. A running wait may
  /// continue, or be shortened to the wait of the lower count.
  func takeBack(at account: UInt64, for share: Share) async

  /// Removes the count of the account. If the count is not removed, it fades with time.
  func forget(_ account: UInt64) async
}

package enum SharedVerdict: Equatable, Sendable {
  /// The caller may compare the password, which is already counted in `failures`.
  case counted(failures: Int)
  /// Nothing was changed. The wait ends in this many seconds, 1 to 300.
  case wait(seconds: Int)
}

/// The rule by which a `SharedThrottle` counts. Each regd's own throttle counts by the same rule.
package enum SharedThrottleRule {
  /// The highest count of failures. Even this count fades to 0 within 28 hours.
  package static let most = Int(BackOff.freeForCrowd + BackOff.steps)

  /// After this many seconds without a failure, one failure is forgotten.
  package static let fading = Int(BackOff.fading / 1000)

  /// Seconds from a failure until the next password is admitted, by the number of failures so far: 0 up to 100, then 1, 2, 4 …
  /// 256, and 300 for `most`.
  package static func wait(after failures: Int) -> Int {
    var backOff = BackOff(free: BackOff.freeForCrowd)
    backOff.raise(to: failures, at: 0)
    return Int(backOff.remaining(at: 0) / 1000)
  }

  /// The number of milliseconds after which a wait really ends, if the announced wait is longer. The number is random
  /// (`SignInLimits.luck`).
  package static func luck(_ limits: SignInLimits = SignInLimits()) -> Int {
    guard let half = limits.luck else { return Int(BackOff.longest) }
    var random = SystemRandomNumberGenerator()
    return Int(Dice.luck(Moment(half), random.next()))
  }
}

/// A secret of 128 bits. A keyed hash uses it to turn each account into the number that a `SharedThrottle` stores. A
/// caller without the key cannot choose two accounts with the same number, and the numbers in the database do not
/// reveal addresses that strangers typed. An attacker who steals both the key and the database can find out whether
/// passwords were tried for a certain address.
package struct SharedThrottleKey: Equatable, Sendable {
  private let words: (UInt64, UInt64)

  /// - Parameter bytes: 16 bytes, chosen at random when the database was created. The result is nil for any other number.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    // the byte order of the SipHash paper: the lowest byte first
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    words = (word(bytes[..<8]), word(bytes[8...]))
  }

  package static func == (one: Self, other: Self) -> Bool { one.words == other.words }

  var hash: SipHash { SipHash(key: words) }
}
