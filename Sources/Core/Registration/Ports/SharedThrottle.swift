/// Counts guesses at accounts for all regd that share one database: for each account, all guesses together that come from
/// places (uid and origin) from which nobody has signed in to it. Everything else that a throttle knows stays within its own
/// regd.
///
/// Rules for every implementation:
/// - It counts by `SharedThrottleRule`, by one clock for all regd (the database's). A count that has faded to 0 counts as none
///   and is removed within a day, so that the counts take room for recent guesses only.
/// - Each call is atomic: of simultaneous calls, each sees the count that the previous one left.
/// - A call is one round trip and never fails. It returns within a deadline of the implementation's own, if need be without an
///   answer; each regd then counts the account alone.
/// - A call ignores cancellation: a caller that hangs up after its guess does not escape the count.
/// - A call waits neither for a disk nor for a replica. A crash or a failover may lose counts, but no accounts.
/// - It stores numbers that were counted, and nothing that was typed.
/// - Look-ups of accounts never wait for guesses: if both share connections, guesses use only a few of them.
/// - Calls that wait get their turn fairly, by their share. Once a call has waited in vain for an answer, the calls behind it
///   return without one.
package protocol SharedThrottle: Sendable {
  /// The key by which accounts are numbered: the same for every regd of the database, for as long as the database exists.
  var key: SharedThrottleKey { get }

  /// Counts a wrong password, even during a wait, and starts the wait that belongs to the new count.
  ///
  /// - Parameter share: The share of the caller that tried the password.
  /// - Returns: The number of failures now; nil for no answer.
  func failed(at account: UInt64, for share: Share) async -> Int?

  /// Counts a password that is still to be compared as a wrong one, unless a wait is running. If the password turns out to be
  /// right, the caller takes the count back.
  ///
  /// - Returns: The verdict; nil for no answer, in which case the password may or may not have been counted.
  func admit(at account: UInt64, for share: Share) async -> SharedVerdict?

  /// Takes back a count of `admit`; a no-op if there is no count. The wait may stay, or become that of one failure less.
  func takeBack(at account: UInt64, for share: Share) async

  /// Removes the count of the account. Best effort: a count that is not removed fades.
  func forget(_ account: UInt64) async
}

package enum SharedVerdict: Equatable, Sendable {
  /// The caller may compare the password, which `failures` includes.
  case counted(failures: Int)
  /// Nothing was changed. The wait ends in this many seconds, 1 to 300.
  case wait(seconds: Int)
}

/// The rule by which a `SharedThrottle` counts; each regd's own throttle counts by the same rule.
package enum SharedThrottleRule {
  /// The highest count of failures, which keeps them from taking longer than 28 hours to fade.
  package static let most = Int(BackOff.freeForCrowd + BackOff.steps)

  /// Seconds since the last failure after which one failure is forgotten.
  package static let fading = Int(BackOff.fading / 1000)

  /// Seconds from a failure until the next password is admitted, by the number of failures so far: 0 up to 100, then 1, 2, 4 …
  /// 256, and 300 for `most`.
  package static func wait(after failures: Int) -> Int {
    var backOff = BackOff(free: BackOff.freeForCrowd)
    backOff.raise(to: failures, at: 0)
    return Int(backOff.remaining(at: 0) / 1000)
  }
}

/// A key of 128 bits that numbers the accounts for a `SharedThrottle`. A caller without the key cannot choose two
/// accounts with the same number, and the numbers in the database do not reveal addresses that strangers typed. A thief
/// of both can tell whether a certain address was guessed at.
package struct SharedThrottleKey: Equatable, Sendable {
  private let words: (UInt64, UInt64)

  /// - Parameter bytes: 16 bytes, chosen at random when the database was created; the result is nil for any other number.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    // the byte order of the SipHash paper: the lowest byte first
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    words = (word(bytes[..<8]), word(bytes[8...]))
  }

  package static func == (one: Self, other: Self) -> Bool { one.words == other.words }

  var hash: SipHash { SipHash(key: words) }
}
