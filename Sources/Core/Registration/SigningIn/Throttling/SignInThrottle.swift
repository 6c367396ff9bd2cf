/// Decides whether a password may be hashed, before it is: per account and place, per account, and per origin (OWASP
/// Authentication Cheat Sheet, "Login Throttling"; NIST SP 800-63B §5.2.2). A place is a uid and, if the caller names one, an
/// origin.
///
/// No caller can lock another one out. Guesses of others at an account never block the password that was last right there from
/// the same place: the throttle recognises it by a trace and admits it. Guesses at other accounts make only their origin wait; a
/// uid without origins may be a web front end, whose users cannot be told apart. At a known place a caller can therefore try
/// passwords as quickly as it can ask, up to `KnownPlace.mostWrong` within a day: then the place counts as a stranger's, until
/// the account is forgotten or a day has passed.
///
/// A password in flight is counted separately until it lands: a row of a table stands for a password that was hashed.
///
/// The throttle never learns whether an account exists: it counts whatever was typed as an address, and a decoy stands in for an
/// unknown password, so that unknown and known addresses are refused alike. Nothing is kept on disk: after a restart all counts
/// start again.
///
/// If several regd share the count for an account (`SharedThrottle`), the caller asks for that count when `mustAsk` and `ended`
/// say so, and reports the answer. Until then, and without an answer, the counts of this regd alone decide; it keeps them in any
/// case.
///
/// A value type: the time is an argument, and no method waits.
package struct SignInThrottle: Sendable {
  package enum Verdict: Equatable, Sendable {
    /// The caller hashes the password, and reports the outcome to `ended`.
    case go
    /// Nothing was done or counted. The caller may repeat the attempt after this many seconds, 1 to 86,400.
    case wait(seconds: Int)
  }

  package enum Ending: Equatable, Sendable {
    /// The password was the account's, in any state of the account.
    case right
    /// The password was not the account's, or there is no account.
    case wrong
    /// It is not known whether the password was right, because it was not hashed or the account was not read.
    case unknown
  }

  /// A report for the shared throttle.
  package enum News: Equatable, Sendable {
    /// There is one more failure to count; the caller passes the shared throttle's answer to `heard`.
    case failed
    /// A password that the shared throttle counted in advance was not wrong.
    case takenBack
  }

  package let attempts: SignInAttempts
  let limits: SignInLimits
  var flights: [SignInAttempt.Key: Flights] = [:]
  var standings: FadingTable<SignInAttempt.Key, Standing>
  var places: KnownPlaces
  /// The failures of each account's *crowd*, which is all places together that are not known there. `flightsOfCrowds` has the
  /// numbers of their passwords in flight.
  var crowds: FadingTable<UInt64, BackOff>
  var flightsOfCrowds: [UInt64: Int] = [:]
  /// The guesses of each origin over all accounts.
  var origins: FadingTable<SignInAttempt.Place, Bucket>
  private var latest: Moment = 0

  package init(_ limits: SignInLimits = SignInLimits(), using generator: inout some RandomNumberGenerator) {
    self.limits = limits
    attempts = SignInAttempts(using: &generator)
    standings = FadingTable(capacity: limits.standings)
    places = KnownPlaces(capacity: limits.standings)
    crowds = FadingTable(capacity: limits.standings)
    origins = FadingTable(capacity: limits.origins)
  }

  /// - Parameters:
  ///   - time: The time since a fixed moment, by a clock that is never set.
  ///   - isShared: Whether there is a shared throttle that answers.
  /// - Returns: The verdict. After `go`, the caller must check `mustAsk` before it hashes.
  package mutating func admit(_ attempt: SignInAttempt, at time: Duration, isShared: Bool = false) -> Verdict {
    let now = moment(time)
    var flights = flights[attempt.key] ?? Flights()
    // one question per password: a repeat in the meantime must not get past the answer
    if flights.isAsking(attempt.mark) { return .wait(seconds: 1) }
    if flights.join(attempt.mark) {
      // the same password is already in flight: three simultaneous sign-ins with it are one guess
      self.flights[attempt.key] = flights
      return .go
    }
    let standing = standing(attempt.key, at: now)
    let wait = wait(for: attempt, standing, inFlight: flights.count, at: now)
    if wait > 0 {
      if mayPass(attempt, standing, at: now) { return .go }
      // a password that does not look right here is now certain to be wrong
      places.change(attempt.key) { if $0.trace != attempt.trace { $0.count(attempt.mark, at: now) } }
      return .wait(seconds: Int((wait + 999) / 1000))
    }
    guard trusted(attempt.key, at: now)?.trace != attempt.trace, !standing.failed.contains(attempt.mark)
    else { return .go }
    let count = count(inAdvance: attempt, isShared: isShared, at: now)
    flights.reserve(attempt.mark, count)
    self.flights[attempt.key] = flights
    countForOrigin(attempt.key.place, at: now)
    if count == .ofCrowd { flightsOfCrowds[attempt.key.account, default: 0] += 1 }
    return .go
  }

  /// Whether the admitted attempt waits for the shared throttle. If so, the caller asks that, and passes the answer to
  /// `answered`, before it does anything else.
  package func mustAsk(_ attempt: SignInAttempt) -> Bool { flights[attempt.key]?.isAsking(attempt.mark) ?? false }

  /// - Parameter answer: The shared throttle's answer; nil if there was none, and the counts of this regd decide.
  /// - Returns: The verdict on the attempt, in place of that of `admit`; the caller does not ask again.
  package mutating func answered(_ attempt: SignInAttempt, _ answer: SharedVerdict?, at time: Duration) -> Verdict {
    let now = moment(time)
    let account = attempt.key.account
    if case .counted(let failures) = answer {
      flights[attempt.key]?.share(attempt.mark)
      flightsOfCrowds[account, default: 0] += 1
      // without this password, which is in flight
      raise(account, to: failures - 1, at: now)
      return .go
    }
    if land(attempt, isKnown: true) != .nothing { giveBack(attempt.key.place, at: now) }
    guard case .wait(let seconds) = answer else { return admit(attempt, at: time) }
    // more than the free failures have started this wait; as long as they are remembered, this regd asks first
    raise(account, to: Int(BackOff.freeForCrowd) + 1, until: now + Moment(seconds) * 1000, at: now)
    return .wait(seconds: seconds)
  }

  /// Takes over the number of failures at the account that all regd have counted together.
  package mutating func heard(_ attempt: SignInAttempt, _ failures: Int, at time: Duration) {
    raise(attempt.key.account, to: failures, at: moment(time))
  }

  /// Ends an attempt. Must be called once for every attempt that was admitted.
  ///
  /// - Parameter account: The account that was found at the address; nil if unknown.
  /// - Returns: The report for the shared throttle, if there is one.
  package mutating func ended(
    _ attempt: SignInAttempt, _ ending: Ending, of account: AccountID? = nil, at time: Duration
  ) -> News? {
    let now = moment(time)
    let release = land(attempt, isKnown: ending != .unknown)
    if ending == .wrong { return failed(attempt, release, account, at: now) }
    if ending == .right { places.know(attempt.key, trace: attempt.trace, of: account, at: now) }
    guard case .whole(let count) = release else { return nil }
    giveBack(attempt.key.place, at: now)
    return count == .shared ? .takenBack : nil
  }

  private mutating func failed(
    _ attempt: SignInAttempt, _ release: Flights.Release, _ account: AccountID?, at now: Moment
  ) -> News? {
    // the address belonged to another account when its owner was at this place
    if let account, let known = places[attempt.key]?.account, known != account { places.forget(attempt.key) }
    var standing = standing(attempt.key, at: now)
    let isRepeat = standing.failed.contains(attempt.mark)
    // admitted by its trace, by chance or because the trace is outdated
    let wasUncounted = release == .nothing && !isRepeat
    if !isRepeat {
      standing.failed.insert(attempt.mark)
      standing.backOff.fail(at: now)
      if wasUncounted { standing.mistakes.take(limits.mistakes, at: now) }
      standings.set(attempt.key, standing, at: now)
    }
    if wasUncounted { countForOrigin(attempt.key.place, at: now) }
    let isStranger = trusted(attempt.key, at: now) == nil
    places.change(attempt.key) { $0.count(attempt.mark, at: now) }
    switch release {
    case .whole(.ofPlace) where !isStranger, .whole(.asking), .shared: return nil
    case .nothing where !isStranger || !wasUncounted: return nil
    case .whole(.ofPlace), .whole(.ofCrowd), .whole(.shared), .nothing:
      countForCrowd(attempt.key.account, at: now)
      return release == .whole(.shared) ? nil : .failed
    }
  }

  /// Notes that the password is the account's, although it was not compared.
  package mutating func remember(_ attempt: SignInAttempt, of account: AccountID? = nil, at time: Duration) {
    places.know(attempt.key, trace: attempt.trace, of: account, at: moment(time))
  }

  /// Notes that the owner is at this place, although the password is not known. A new place gets the decoy as its trace, so
  /// that a wrong password looks right there as rarely as at an unknown account.
  package mutating func rememberPlace(_ attempt: SignInAttempt, of account: AccountID? = nil, at time: Duration) {
    let trace = places[attempt.key]?.trace ?? attempt.decoy
    places.know(attempt.key, trace: trace, of: account, at: moment(time))
  }

  package mutating func looksRight(_ attempt: SignInAttempt, at time: Duration) -> Bool {
    trusted(attempt.key, at: moment(time))?.trace == attempt.trace
  }

  /// Whether the account's owner has been at this place, however much was guessed from it since.
  package func isKnown(_ place: SignInAttempt.Key, of account: AccountID) -> Bool {
    places[place].map { $0.account == nil || $0.account == account } ?? false
  }

  /// Whether administrators have to be told now, at most once a day per account, that so many wrong passwords came from a known
  /// place that it counts as a stranger's.
  package mutating func isNews(_ attempt: SignInAttempt, at time: Duration) -> Bool {
    let now = moment(time)
    return places[attempt.key]?.isBarred(at: now) ?? false && places.isNews(attempt.key.account, at: now)
  }

  /// Withdraws `isNews`, because administrators could not be told.
  package mutating func isNewsAgain(_ attempt: SignInAttempt) { places.isNewsAgain(attempt.key.account) }

  /// Forgets everything about an account, because its password was set, its address changed, or it was disabled or deleted.
  /// Takes time in proportion to the size of the tables: some milliseconds at most.
  package mutating func forget(account: String) {
    let account = attempts.number(of: account)
    standings.removeAll { $0.account == account }
    places.forget(account: account)
    crowds.remove(account)
  }

  /// Sizes of the tables: standings, places, crowds, origins.
  var counts: [Int] { [standings.count, places.count, crowds.count, origins.count] }

  /// Converts the time. A moment never precedes an earlier one, even if attempts read the clock in another order.
  private mutating func moment(_ time: Duration) -> Moment {
    let (seconds, attoseconds) = time.components
    latest = max(latest, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    return latest
  }
}
