/// Decides which passwords are hashed, before they are: per account and place, per account, and per origin (OWASP
/// Authentication Cheat Sheet, "Login Throttling"; NIST SP 800-63B §5.2.2). A place is a uid and, where the caller tells its
/// users apart, an origin.
///
/// No caller can lock another one out. What others guess at an account never stands in the way of the password that was right
/// there last from the same place: it is known by a trace, and let go. What is guessed at other accounts makes only that
/// origin wait; a uid without origins may be a web front end, and its users cannot be told apart. Whoever is at a place that is
/// known can therefore try passwords there as quickly as it can ask, up to `KnownPlace.mostWrong` within a day: then the place
/// counts as a stranger's, until the account is forgotten or a day has passed.
///
/// A password in flight is counted apart, for as long as it is: a row of a table stands for a password that was hashed.
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
  let limits: SignInLimits
  var flights: [SignInAttempt.Key: Flights] = [:]
  var standings: FadingTable<SignInAttempt.Key, Standing>
  var places: KnownPlaces
  /// The failures at an account of all places together that are not known there, and how many of their passwords are in flight.
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
  ///   - time: Since any moment that stays the same; of a clock that is never set.
  ///   - isShared: Whether there is a shared throttle that answers.
  /// - Returns: With `go` the caller looks at `mustAsk` before it hashes.
  package mutating func admit(_ attempt: SignInAttempt, at time: Duration, isShared: Bool = false) -> Verdict {
    let now = moment(time)
    var flights = flights[attempt.key] ?? Flights()
    // one question for a password: a repeat that comes meanwhile would get past the answer
    if flights.isAsking(attempt.mark) { return .wait(seconds: 1) }
    if flights.join(attempt.mark) {
      // the same password is being hashed: three sign-ins at once are one guess
      self.flights[attempt.key] = flights
      return .go
    }
    let standing = standing(attempt.key, at: now)
    let wait = wait(for: attempt, standing, inFlight: flights.count, at: now)
    if wait > 0 {
      if mayPass(attempt, standing, at: now) { return .go }
      // of a password that does not look right here it is certain now that it is wrong
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

  /// Whether the attempt, which was let go, waits for the shared throttle: the caller asks it and tells `answered`, and
  /// does nothing else before.
  package func mustAsk(_ attempt: SignInAttempt) -> Bool { flights[attempt.key]?.isAsking(attempt.mark) ?? false }

  /// - Parameter answer: Nil for none: the counts of this regd decide.
  /// - Returns: The verdict on the attempt, to be taken as that of `admit`; nothing more is to be asked.
  package mutating func answered(_ attempt: SignInAttempt, _ answer: SharedVerdict?, at time: Duration) -> Verdict {
    let now = moment(time)
    let account = attempt.key.account
    if case .counted(let failures) = answer {
      flights[attempt.key]?.share(attempt.mark)
      flightsOfCrowds[account, default: 0] += 1
      // without this one, which is in flight
      raise(account, to: failures - 1, at: now)
      return .go
    }
    if land(attempt, isKnown: true) != .nothing { giveBack(attempt.key.place, at: now) }
    guard case .wait(let seconds) = answer else { return admit(attempt, at: time) }
    // a wait is begun by more than the free ones: for as long as they are remembered, it is asked before
    raise(account, to: Int(BackOff.freeForCrowd) + 1, until: now + Moment(seconds) * 1000, at: now)
    return .wait(seconds: seconds)
  }

  /// So many failures at the account are known to all regd together.
  package mutating func heard(_ attempt: SignInAttempt, _ failures: Int, at time: Duration) {
    raise(attempt.key.account, to: failures, at: moment(time))
  }

  /// Must be called once for every attempt that was admitted.
  ///
  /// - Parameter account: The account that was found at the address; nil where that is not known.
  /// - Returns: What the shared throttle, if there is one, is to be told.
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
    // the address had another account when its owner was there
    if let account, let known = places[attempt.key]?.account, known != account { places.forget(attempt.key) }
    var standing = standing(attempt.key, at: now)
    let isRepeat = standing.failed.contains(attempt.mark)
    // let through by its trace, which was chance or has become old
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

  /// Notes that the password is the account's, though it was not compared.
  package mutating func remember(_ attempt: SignInAttempt, of account: AccountID? = nil, at time: Duration) {
    places.know(attempt.key, trace: attempt.trace, of: account, at: moment(time))
  }

  /// Notes that the place is the owner's, whose password is not known: another one looks right there as rarely as at an unknown account.
  package mutating func rememberPlace(_ attempt: SignInAttempt, of account: AccountID? = nil, at time: Duration) {
    let trace = places[attempt.key]?.trace ?? attempt.decoy
    places.know(attempt.key, trace: trace, of: account, at: moment(time))
  }

  package mutating func looksRight(_ attempt: SignInAttempt, at time: Duration) -> Bool {
    trusted(attempt.key, at: moment(time))?.trace == attempt.trace
  }

  /// Whether the owner of the account has been at this place, however much was guessed from it since.
  package func isKnown(_ place: SignInAttempt.Key, of account: AccountID) -> Bool {
    places[place].map { $0.account == nil || $0.account == account } ?? false
  }

  /// Whether administrators are to be told now that so much was guessed from this place, which is known, that it counts as a
  /// stranger's: once within a day for an account.
  package mutating func isNews(_ attempt: SignInAttempt, at time: Duration) -> Bool {
    let now = moment(time)
    return places[attempt.key]?.isBarred(at: now) ?? false && places.isNews(attempt.key.account, at: now)
  }

  /// They could not be told.
  package mutating func isNewsAgain(_ attempt: SignInAttempt) { places.isNewsAgain(attempt.key.account) }

  /// Forgets all attempts at an account, whose password was set, which has another address, or which was disabled or deleted. Takes
  /// time in proportion to all that is kept: some milliseconds at most.
  package mutating func forget(account: String) {
    let account = attempts.number(of: account)
    standings.removeAll { $0.account == account }
    places.forget(account: account)
    crowds.remove(account)
  }

  /// Sizes of the tables: standings, places, crowds, origins.
  var counts: [Int] { [standings.count, places.count, crowds.count, origins.count] }

  /// The time never goes back, whichever attempt has read the clock first.
  private mutating func moment(_ time: Duration) -> Moment {
    let (seconds, attoseconds) = time.components
    latest = max(latest, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    return latest
  }
}
