/// How much of the throttle's state is kept, and what a caller may do over all accounts.
package struct SignInLimits: Equatable, Sendable {
  /// Pairs of an account and a caller, at least 2; with what goes with them some 330 bytes each, 21 MB when all are there.
  package var standings = 65_536
  /// Callers, at least 2.
  package var callers = 4096
  /// Wrong passwords of one caller over all accounts, no password counted twice at one account.
  package var failures = SignInRate(atOnce: 100, interval: 1000)
  /// Passwords of one caller at one account that are compared with the trace of the right one while a wait runs. Their
  /// number is a limit to guesses like any other: 100 at once, as NIST SP 800-63B §5.2.2 has it, and one a minute.
  package var comparisons = SignInRate(atOnce: 100, interval: 60_000)
  /// The same over all accounts.
  package var comparisonsOfCaller = SignInRate(atOnce: 1000, interval: 100)

  package init() {}
}

/// Decides which passwords are hashed, before they are: per account and caller, per account, and per caller (OWASP
/// Authentication Cheat Sheet, "Login Throttling"; NIST SP 800-63B §5.2.2).
///
/// It never learns whether an account exists: what is typed for an address is counted, and what is not known is stood
/// in for by chance, so that an unknown address and a known one are refused alike. Nothing is kept on disk: after a
/// restart everybody begins anew. It does nothing itself and asks for no time.
package struct SignInThrottle: Sendable {
  package enum Verdict: Equatable, Sendable {
    /// The password is to be hashed, and `ended` to be told what came of it.
    case go
    /// Nothing was done and nothing counted; worth a repeat in so many seconds, 1 to 86,400.
    case wait(seconds: Int)
  }

  package enum Ending: Equatable, Sendable {
    /// The password was the account's, whatever the account's state.
    case right
    /// It was not, or there is no account.
    case wrong
    /// Nobody knows: it was not hashed, or the account not read.
    case unknown
  }

  private struct Caller {
    var failures = Bucket()
    var comparisons = Bucket()
  }

  package let attempts: SignInAttempts
  private let limits: SignInLimits
  private var standings: RecentTable<SignInAttempt.Key, Standing>
  /// The trace of the password that was right last. In a table of its own, where only who has the right password can
  /// push others out.
  private var traces: RecentTable<SignInAttempt.Key, UInt8>
  /// Of all callers at an account who have never signed in there.
  private var crowds: RecentTable<UInt64, Ladder>
  private var callers: RecentTable<UInt32, Caller>
  private var latest: Moment = 0

  package init(_ limits: SignInLimits = SignInLimits(), using generator: inout some RandomNumberGenerator) {
    self.limits = limits
    attempts = SignInAttempts(using: &generator)
    standings = RecentTable(capacity: limits.standings)
    traces = RecentTable(capacity: limits.standings)
    crowds = RecentTable(capacity: limits.standings)
    callers = RecentTable(capacity: limits.callers)
  }

  /// - Parameter time: Since any moment that stays the same; of a clock that is never set.
  package mutating func admit(_ attempt: SignInAttempt, at time: Duration) -> Verdict {
    let now = moment(time)
    var standing = standings[attempt.key] ?? Standing()
    standing.ladder.fade(at: now)
    var caller = callers[attempt.key.caller] ?? Caller()
    let wait = wait(for: attempt, standing, caller, at: now)
    if standing.join(attempt.mark) {
      // the same password is being hashed: it is one guess, and who signs in three times at once does so
    } else if wait > 0 {
      guard compare(attempt, &standing, &caller, at: now) else { return .wait(seconds: Int((wait + 999) / 1000)) }
    } else if traces[attempt.key] != attempt.trace, !standing.failed.contains(attempt.mark) {
      let isOfCrowd = traces[attempt.key] == nil
      standing.reserve(attempt.mark, isOfCrowd: isOfCrowd)
      caller.failures.take(limits.failures, at: now)
      if isOfCrowd { countForCrowd(attempt.key.account, at: now) }
    }
    standings[attempt.key] = standing
    callers[attempt.key.caller] = caller
    return .go
  }

  /// To be told once of every attempt that was let go.
  package mutating func ended(_ attempt: SignInAttempt, _ ending: Ending, at time: Duration) {
    let now = moment(time)
    var standing = standings[attempt.key] ?? Standing()
    var caller = callers[attempt.key.caller] ?? Caller()
    let release = standing.release(attempt.mark, isKnown: ending != .unknown)
    switch ending {
    case .right: traces[attempt.key] = attempt.trace
    case .wrong where !standing.failed.contains(attempt.mark):
      standing.failed.insert(attempt.mark)
      standing.ladder.fail(at: now)
      guard release == .nothing else { break }
      // let through by its trace, which was chance or has become old; or its reservation has been pushed out
      caller.failures.take(limits.failures, at: now)
      if traces[attempt.key] == nil { countForCrowd(attempt.key.account, at: now) }
    case .wrong, .unknown: break
    }
    if ending != .wrong, case .whole(let isOfCrowd) = release {
      caller.failures.giveBack(limits.failures)
      if isOfCrowd { crowds[attempt.key.account]?.takeBack() }
    }
    standings[attempt.key] = standing
    callers[attempt.key.caller] = caller
  }

  /// For administrators who have set the account's password, disabled it or deleted it: everybody begins anew there.
  /// Looks at all that is kept, which takes some milliseconds at most.
  package mutating func forget(account: String) {
    let account = attempts.number(of: account)
    standings.removeAll { $0.account == account }
    traces.removeAll { $0.account == account }
    crowds[account] = nil
  }

  /// How long until the password may be hashed; 0 where it may be now.
  private func wait(
    for attempt: SignInAttempt, _ standing: Standing, _ caller: Caller, at now: Moment
  ) -> Moment {
    // a repeat is no new guess, but while a wait runs it is not worth a hash
    if standing.failed.contains(attempt.mark) { return standing.ladder.remaining(at: now) }
    let ofCrowd = traces[attempt.key] == nil ? crowds[attempt.key.account]?.remaining(at: now) ?? 0 : 0
    return max(standing.wait(at: now), ofCrowd, caller.failures.wait(limits.failures, at: now))
  }

  /// Whether somebody who would have to wait may go, because the password looks like the right one.
  ///
  /// Whoever can have any number compared can guess without end, for of all that he tries only the right one is let
  /// go; so that, too, is from a bucket, and who has the right password takes nothing from it. Where the right one is
  /// not known, the decoy is compared, and an account that is not there lets through as many by chance as any other.
  private mutating func compare(
    _ attempt: SignInAttempt, _ standing: inout Standing, _ caller: inout Caller, at now: Moment
  ) -> Bool {
    let isSeen = standing.compared.contains(attempt.mark)
    let mayLook =
      standing.comparisons.wait(limits.comparisons, at: now) == 0
      && caller.comparisons.wait(limits.comparisonsOfCaller, at: now) == 0
    guard isSeen || mayLook else { return false }
    if attempt.trace == traces[attempt.key] ?? attempt.decoy { return true }
    guard !isSeen else { return false }
    standing.comparisons.take(limits.comparisons, at: now)
    standing.compared.insert(attempt.mark)
    standings[attempt.key] = standing
    caller.comparisons.take(limits.comparisonsOfCaller, at: now)
    callers[attempt.key.caller] = caller
    return false
  }

  /// In advance, when the password is let go: what many callers have in flight needs no count of its own then.
  private mutating func countForCrowd(_ account: UInt64, at now: Moment) {
    var crowd = crowds[account] ?? Ladder(free: Ladder.freeForCrowd)
    crowd.fail(at: now)
    crowds[account] = crowd
  }

  /// Nobody waits for longer because somebody else's clock was read later.
  private mutating func moment(_ time: Duration) -> Moment {
    let (seconds, attoseconds) = time.components
    latest = max(latest, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    return latest
  }

  /// What is kept: standings, traces, crowds, callers.
  var counts: [Int] { [standings.count, traces.count, crowds.count, callers.count] }
}
