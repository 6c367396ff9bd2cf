/// How much of the throttle's state is kept, and what a caller may do over all accounts.
package struct SignInLimits: Equatable, Sendable {
  /// Pairs of an account and a place, at least 2; with what goes with them some 330 bytes each, 21 MB when all are there.
  package var standings = 65_536
  /// Origins of callers, at least 2.
  package var origins = 16_384
  /// Wrong passwords of one origin over all accounts, no password counted twice at one account.
  package var failures = SignInRate(atOnce: 100, interval: 1000)
  /// Passwords of one place at one account that are hashed while a wait runs, for they look like the right one, and are
  /// not: one guess in 4096. So many that an attacker cannot use them up to keep the owner
  /// out.
  package var mistakes = SignInRate(atOnce: 100, interval: 1000)

  package init() {}
}

/// Decides which passwords are hashed, before they are: per account and place, per account, and per origin (OWASP
/// Authentication Cheat Sheet, "Login Throttling"; NIST SP 800-63B §5.2.2). A place is a uid and, where the caller tells its
/// users apart, an origin.
///
/// No caller can lock another one out. What others guess at an account never stands in the way of the password that was right
/// there last from the same place: it is known by a trace, and let go. What is guessed at other accounts makes only that
/// origin wait; a uid without origins may be a web front end, and its users cannot be told apart. A caller
/// without origins that has been let in may therefore try passwords there as quickly as it can ask, one a request.
///
/// It never learns whether an account exists: what is typed for an address is counted, and what is not known is stood
/// in for by chance, so that an unknown address and a known one are refused alike. Nothing is kept on disk: after a
/// restart all counts begin anew. A value: its clock is an argument.
package struct SignInThrottle: Sendable {
  package enum Verdict: Equatable, Sendable {
    /// The caller hashes the password, and tells `ended` the outcome.
    case go
    /// Nothing was done or counted. The caller may repeat the attempt in so many seconds, 1 to 86,400.
    case wait(seconds: Int)
  }

  package enum Ending: Equatable, Sendable {
    /// The password was the account's, whatever the account's state.
    case right
    /// It was not, or there is no account.
    case wrong
    /// Not known: the password was not hashed, or the account not read.
    case unknown
  }

  package let attempts: SignInAttempts
  private let limits: SignInLimits
  private var standings: RecentTable<SignInAttempt.Key, Standing>
  /// The trace of the password that was right last. In a table of its own, where only a right password can push
  /// another one out.
  private var traces: RecentTable<SignInAttempt.Key, UInt16>
  /// The failures at an account of all places together that have never signed in or registered there.
  private var crowds: RecentTable<UInt64, BackOff>
  /// The guesses of each origin over all accounts.
  private var origins: RecentTable<SignInAttempt.Place, Bucket>
  private var latest: Moment = 0

  package init(_ limits: SignInLimits = SignInLimits(), using generator: inout some RandomNumberGenerator) {
    self.limits = limits
    attempts = SignInAttempts(using: &generator)
    standings = RecentTable(capacity: limits.standings)
    traces = RecentTable(capacity: limits.standings)
    crowds = RecentTable(capacity: limits.standings)
    origins = RecentTable(capacity: limits.origins)
  }

  /// - Parameter time: Since any moment that stays the same; of a clock that is never set.
  package mutating func admit(_ attempt: SignInAttempt, at time: Duration) -> Verdict {
    let now = moment(time)
    var standing = standings[attempt.key] ?? Standing()
    standing.backOff.fade(at: now)
    let wait = wait(for: attempt, standing, at: now)
    if standing.join(attempt.mark) {
      // the same password is being hashed: three sign-ins at once are one guess
    } else if wait > 0 {
      guard mayPass(attempt, standing, at: now) else { return .wait(seconds: Int((wait + 999) / 1000)) }
    } else if traces[attempt.key] != attempt.trace, !standing.failed.contains(attempt.mark) {
      let isOfCrowd = traces[attempt.key] == nil
      standing.reserve(attempt.mark, isOfCrowd: isOfCrowd)
      countForOrigin(attempt.key.place, at: now)
      if isOfCrowd { countForCrowd(attempt.key.account, at: now) }
    }
    standings[attempt.key] = standing
    return .go
  }

  /// Must be called once for every attempt that was admitted.
  package mutating func ended(_ attempt: SignInAttempt, _ ending: Ending, at time: Duration) {
    let now = moment(time)
    var standing = standings[attempt.key] ?? Standing()
    let release = standing.release(attempt.mark, isKnown: ending != .unknown)
    switch ending {
    case .right: traces[attempt.key] = attempt.trace
    case .wrong where !standing.failed.contains(attempt.mark):
      standing.failed.insert(attempt.mark)
      standing.backOff.fail(at: now)
      guard release == .nothing else { break }
      // let through by its trace, which was chance or has become old; or its reservation has been pushed out
      standing.mistakes.take(limits.mistakes, at: now)
      countForOrigin(attempt.key.place, at: now)
      if traces[attempt.key] == nil { countForCrowd(attempt.key.account, at: now) }
    case .wrong, .unknown: break
    }
    if ending != .wrong, case .whole(let isOfCrowd) = release {
      origins[attempt.key.place]?.giveBack(limits.failures)
      if isOfCrowd { crowds[attempt.key.account]?.takeBack() }
    }
    standings[attempt.key] = standing
  }

  /// Notes that the password is the account's, though it was not compared.
  package mutating func remember(_ attempt: SignInAttempt) { traces[attempt.key] = attempt.trace }

  package func looksRight(_ attempt: SignInAttempt) -> Bool { traces[attempt.key] == attempt.trace }

  /// Forgets all attempts at an account, whose password was set or which was disabled or deleted. Takes time in proportion
  /// to all that is kept: some milliseconds at most.
  package mutating func forget(account: String) {
    let account = attempts.number(of: account)
    standings.removeAll { $0.account == account }
    traces.removeAll { $0.account == account }
    crowds[account] = nil
  }

  /// How long until the password may be hashed; 0 where it may be now.
  private func wait(for attempt: SignInAttempt, _ standing: Standing, at now: Moment) -> Moment {
    // a repeat is no new guess, but while a wait runs it is not worth a hash
    if standing.failed.contains(attempt.mark) { return standing.backOff.remaining(at: now) }
    let ofCrowd = traces[attempt.key] == nil ? crowds[attempt.key.account]?.remaining(at: now) ?? 0 : 0
    let ofOrigin = origins[attempt.key.place]?.wait(limits.failures, at: now) ?? 0
    return max(standing.wait(at: now), ofCrowd, ofOrigin)
  }

  /// Whether an attempt that would have to wait is admitted, because its password looks like the right one.
  ///
  /// A password that does not look so takes nothing from the allowance, so that guessing cannot use it up for the right one.
  /// If the right password is not known, the decoy is compared: an unknown account admits as many by chance as a known one.
  private func mayPass(_ attempt: SignInAttempt, _ standing: Standing, at now: Moment) -> Bool {
    attempt.trace == traces[attempt.key] ?? attempt.decoy && standing.mistakes.wait(limits.mistakes, at: now) == 0
  }

  /// Counts only if the caller names origins: the guesses of some users of a front end must not keep other users of it out.
  private mutating func countForOrigin(_ place: SignInAttempt.Place, at now: Moment) {
    guard place.hasOrigin else { return }
    var bucket = origins[place] ?? Bucket()
    bucket.take(limits.failures, at: now)
    origins[place] = bucket
  }

  /// Counts in advance, when the password is admitted, so that attempts in flight need no count of their own.
  private mutating func countForCrowd(_ account: UInt64, at now: Moment) {
    var crowd = crowds[account] ?? BackOff(free: BackOff.freeForCrowd)
    crowd.fail(at: now)
    crowds[account] = crowd
  }

  /// The time never goes back, whichever attempt has read the clock first.
  private mutating func moment(_ time: Duration) -> Moment {
    let (seconds, attoseconds) = time.components
    latest = max(latest, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    return latest
  }

  /// Sizes of the tables: standings, traces, crowds, origins.
  var counts: [Int] { [standings.count, traces.count, crowds.count, origins.count] }
}
