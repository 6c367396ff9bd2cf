/// Counts guesses at accounts for all regd that share one database: for each account those from all places together that
/// have never signed in there. Everything else that a throttle knows stays with the regd that knows it.
///
/// What holds for every implementation:
/// - The rule is `SharedThrottleRule`, by one clock for all regd (the database's). A count that the rule has brought down to
///   0 is none, and is let go within a day, so that the counts take room for what was guessed lately and for nothing else.
/// - Each call is atomic: of calls at one time, each sees the count that the one before it has left.
/// - A call is one round trip and never an error. Within a deadline of the implementation's own it returns, if need be
///   without an answer; an account is then counted by each regd alone.
/// - A call ignores cancellation: a caller that hangs up after its guess does not escape the count.
/// - A call waits neither for a disk nor for a replica. Counts may be lost by a crash or a failover: accounts are not.
/// - It keeps numbers that were counted, and nothing that was typed.
/// - Look-ups of accounts never wait for guesses: where both share connections, guesses take few of them.
/// - Calls that wait for their turn get it fairly, by the share that they are for. A call whose turn comes after another one
///   has waited for an answer in vain returns without one.
package protocol SharedThrottle: Sendable {
  /// By which accounts are numbered. The same for every regd of the database, and for as long as that exists.
  var key: SharedThrottleKey { get }

  /// Counts a password that was wrong, whether a wait runs or not. It begins the wait of its step.
  ///
  /// - Parameter share: The share of the caller that has tried it.
  /// - Returns: How many failures there are now; nil for no answer.
  func failed(at account: UInt64, for share: Share) async -> Int?

  /// Counts a password that is not compared yet as one that is wrong, unless a wait runs. If it turns out otherwise, the
  /// caller takes it back.
  ///
  /// - Returns: Nil for no answer: it may have been counted or not.
  func admit(at account: UInt64, for share: Share) async -> SharedVerdict?

  /// Takes back what `admit` has counted. Does nothing where there is no count. The wait may stay, or be that of one step
  /// less.
  func takeBack(at account: UInt64, for share: Share) async

  /// Forgets what is counted at the account. Best effort: what is not forgotten fades.
  func forget(_ account: UInt64) async
}

package enum SharedVerdict: Equatable, Sendable {
  /// The password may be compared. `failures` has it in it.
  case counted(failures: Int)
  /// Nothing was changed. The wait ends in so many seconds, 1 to 300.
  case wait(seconds: Int)
}

/// The rule that a `SharedThrottle` counts by: the same that each throttle counts by alone.
package enum SharedThrottleRule {
  /// Failures are counted up to here, so that they fade within 28 hours.
  package static let most = Int(BackOff.freeForCrowd + BackOff.steps)

  /// Seconds since the last failure for each failure that is forgotten.
  package static let fading = Int(BackOff.fading / 1000)

  /// Seconds from a failure until the next password is admitted, by how many failures there were with it; 0 up to 100, then
  /// 1, 2, 4 … 256, and 300 for `most`.
  package static func wait(after failures: Int) -> Int {
    var backOff = BackOff(free: BackOff.freeForCrowd)
    backOff.raise(to: failures, at: 0)
    return Int(backOff.remaining(at: 0) / 1000)
  }
}

/// 128 bits that number the accounts for a `SharedThrottle`. A caller that does not know them cannot choose two accounts
/// with one number, and the numbers in the database tell nothing of what strangers have typed for an address. A thief who
/// has both can tell whether a certain address was guessed at.
package struct SharedThrottleKey: Equatable, Sendable {
  private let words: (UInt64, UInt64)

  /// - Parameter bytes: 16, made at random when the database was made; nil for any other number of them.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    // the order of the paper on SipHash: the lowest byte first
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    words = (word(bytes[..<8]), word(bytes[8...]))
  }

  package static func == (one: Self, other: Self) -> Bool { one.words == other.words }

  var hash: SipHash { SipHash(key: words) }
}
