/// How much of the throttle's state is kept, and what a caller may do over all accounts.
package struct SignInLimits: Equatable, Sendable {
  /// Pairs of an account and a place, at least 2; with what goes with them some 330 bytes each, 21 MB when all are there.
  package var standings = 65_536
  /// Origins of callers, at least 2.
  package var origins = 16_384
  /// Wrong passwords of one origin over all accounts, no password counted twice at one account.
  package var failures = SignInRate(atOnce: 100, interval: 1000)
  /// Passwords of one place at one account that are hashed while a wait runs, for they look like the right one, and are
  /// not: one guess in 4096. So many that an attacker cannot use them up to keep the owner out.
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
/// restart all counts begin anew.
///
/// Where several regd share the count for an account (`SharedThrottle`), the caller asks for that count when `mustAsk` and
/// `ended` say so, and tells the answer. Until it does, and without an answer, the counts of this regd decide alone: they
/// are kept all the same.
///
/// A value: its clock is an argument, and it waits for nothing.
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

  /// What the shared throttle is to be told.
  package enum News: Equatable, Sendable {
    /// One more failure; the answer is for `heard`.
    case failed
    /// A password that the shared throttle has counted in advance was not wrong.
    case takenBack
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

  /// - Parameters:
  ///   - time: Since any moment that stays the same; of a clock that is never set.
  ///   - isShared: Whether there is a shared throttle that answers.
  /// - Returns: With `go` the caller looks at `mustAsk` before it hashes.
  package mutating func admit(_ attempt: SignInAttempt, at time: Duration, isShared: Bool = false) -> Verdict {
    let now = moment(time)
    var standing = standings[attempt.key] ?? Standing()
    standing.backOff.fade(at: now)
    let wait = wait(for: attempt, standing, at: now)
    // one question for a password: a repeat that comes meanwhile would get past the answer
    if standing.isAsking(attempt.mark) { return .wait(seconds: 1) }
    if standing.join(attempt.mark) {
      // the same password is being hashed: three sign-ins at once are one guess
    } else if wait > 0 {
      guard mayPass(attempt, standing, at: now) else { return .wait(seconds: Int((wait + 999) / 1000)) }
    } else if traces[attempt.key] != attempt.trace, !standing.failed.contains(attempt.mark) {
      let count = count(inAdvance: attempt, isShared: isShared, at: now)
      standing.reserve(attempt.mark, count)
      countForOrigin(attempt.key.place, at: now)
      if count == .ofCrowd { countForCrowd(attempt.key.account, at: now) }
    }
    standings[attempt.key] = standing
    return .go
  }

  /// Whether the attempt, which was let go, waits for the shared throttle: the caller asks it and tells `answered`, and
  /// does nothing else before.
  package func mustAsk(_ attempt: SignInAttempt) -> Bool { standings[attempt.key]?.isAsking(attempt.mark) ?? false }

  /// - Parameter answer: Nil for none: the counts of this regd decide.
  /// - Returns: The verdict on the attempt, to be taken as that of `admit`; nothing more is to be asked.
  package mutating func answered(_ attempt: SignInAttempt, _ answer: SharedVerdict?, at time: Duration) -> Verdict {
    let now = moment(time)
    var standing = standings[attempt.key] ?? Standing()
    if case .counted(let failures) = answer {
      standing.share(attempt.mark)
      standings[attempt.key] = standing
      countForCrowd(attempt.key.account, at: now)
      crowds[attempt.key.account]?.raise(to: failures, at: now)
      return .go
    }
    if standing.release(attempt.mark, isKnown: true) != .nothing {
      origins[attempt.key.place]?.giveBack(limits.failures)
    }
    standings[attempt.key] = standing
    guard case .wait(let seconds) = answer else { return admit(attempt, at: time) }
    // a wait is begun by more than the free ones: for as long as they are remembered, it is asked before
    crowds[attempt.key.account]?.raise(to: Int(BackOff.freeForCrowd) + 1, at: now)
    crowds[attempt.key.account]?.close(until: now + Moment(seconds) * 1000)
    return .wait(seconds: seconds)
  }

  /// So many failures at the account are known to all regd together.
  package mutating func heard(_ attempt: SignInAttempt, _ failures: Int, at time: Duration) {
    let now = moment(time)
    var crowd = crowds[attempt.key.account] ?? BackOff(free: BackOff.freeForCrowd)
    crowd.raise(to: failures, at: now)
    crowds[attempt.key.account] = crowd
  }

  /// Must be called once for every attempt that was admitted.
  ///
  /// - Returns: What the shared throttle, if there is one, is to be told.
  package mutating func ended(_ attempt: SignInAttempt, _ ending: Ending, at time: Duration) -> News? {
    let now = moment(time)
    var standing = standings[attempt.key] ?? Standing()
    let release = standing.release(attempt.mark, isKnown: ending != .unknown)
    var news: News? = ending == .wrong && release == .whole(.ofCrowd) ? .failed : nil
    switch ending {
    case .right: traces[attempt.key] = attempt.trace
    case .wrong where !standing.failed.contains(attempt.mark):
      standing.failed.insert(attempt.mark)
      standing.backOff.fail(at: now)
      guard release == .nothing else { break }
      // let through by its trace, which was chance or has become old; or its reservation has been pushed out
      standing.mistakes.take(limits.mistakes, at: now)
      countForOrigin(attempt.key.place, at: now)
      guard traces[attempt.key] == nil else { break }
      countForCrowd(attempt.key.account, at: now)
      news = .failed
    case .wrong, .unknown: break
    }
    if ending != .wrong, case .whole(let count) = release {
      origins[attempt.key.place]?.giveBack(limits.failures)
      news = takeBack(count, attempt.key.account)
    }
    standings[attempt.key] = standing
    return news
  }

  private mutating func takeBack(_ count: Standing.Count, _ account: UInt64) -> News? {
    switch count {
    case .ofPlace, .asking: return nil
    case .ofCrowd:
      crowds[account]?.takeBack()
      return nil
    case .shared:
      crowds[account]?.takeBack()
      return .takenBack
    }
  }

  /// Notes that the password is the account's, though it was not compared.
  package mutating func remember(_ attempt: SignInAttempt) { traces[attempt.key] = attempt.trace }

  /// Notes that the place is the owner's, whose password is not known: another one looks right there as rarely as at an unknown account.
  package mutating func rememberPlace(_ attempt: SignInAttempt) {
    traces[attempt.key] = traces[attempt.key] ?? attempt.decoy
  }

  package func looksRight(_ attempt: SignInAttempt) -> Bool { traces[attempt.key] == attempt.trace }

  /// Whether the owner of the account has been at this place.
  package func isKnown(_ place: SignInAttempt.Key) -> Bool { traces[place] != nil }

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

  /// What a password is counted with before it is hashed, or that the shared throttle must count it first.
  private func count(inAdvance attempt: SignInAttempt, isShared: Bool, at now: Moment) -> Standing.Count {
    guard traces[attempt.key] == nil else { return .ofPlace }
    guard isShared, var crowd = crowds[attempt.key.account] else { return .ofCrowd }
    crowd.fade(at: now)
    return crowd.failures < BackOff.uncountedOfCrowd ? .ofCrowd : .asking
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
