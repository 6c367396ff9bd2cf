/// Decides whether a password may be hashed, from the numbers of wrong passwords per account and client, per account,
/// and per origin (OWASP Authentication Cheat Sheet, "Login Throttling", and NIST SP 800-63B §5.2.2). A client is a uid
/// and, if the caller names one, an origin.
///
/// No caller can lock another caller out. The throttle recognizes the last correct password from a client by a trace and
/// admits it, however many passwords others try for the account. Guesses over many accounts make only their origin
/// wait. They never make a caller without an origin wait, because its uid may be a web front end with many users.
///
/// If all callers come from one client, nothing distinguishes the owner from an attacker. Waits therefore end at random
/// moments. Each try has the same chance, and a slow attacker delays the owner, but does not lock the owner out.
///
/// From a known client a refusal therefore shows that the password is wrong, so a caller there can test passwords as
/// quickly as it can ask, up to `KnownClient.mostWrong` within a day. Then the client counts as a stranger's, until the
/// account is forgotten or a day has passed.
///
/// `flights` and `flightsOfCrowds` count passwords whose verdict is not known yet. `standings` and `crowds` count wrong
/// passwords.
///
/// The throttle never finds out whether an account exists. It counts every string that was typed as an address, and
/// uses a decoy for an unknown password, so that it refuses unknown and known addresses in the same way. Only the known
/// clients are kept over a restart (`KeptClients`). All other counts start again.
///
/// If several regd processes share a count per account (`SharedThrottle`), the caller asks the shared throttle when
/// `mustAsk` or `ended` requires it, and reports the answer. Until then, and without an answer, only the counts of this
/// regd decide.
///
/// A value type: callers pass the time, and no method waits.
package struct SignInThrottle: Sendable {
  package enum Verdict: Equatable, Sendable {
    /// The caller hashes the password, and reports the outcome to `ended`.
    case go
    /// The caller does not hash the password, and no wait grows. The caller may repeat the attempt after this many
    /// seconds, 1 to 86,400.
    case wait(seconds: Int)
  }

  package enum Ending: Equatable, Sendable {
    /// The password was the account's, in any state of the account.
    case right
    /// The password was not the account's, or there is no account.
    case wrong
    /// It is not known whether the password was right, because regd did not hash it or could not read the account.
    case unknown
  }

  /// A report that the caller passes to the shared throttle.
  package enum News: Equatable, Sendable {
    /// There is one more failure to count. The caller passes the shared throttle's answer to `heard`.
    case failed
    /// A password that the shared throttle counted in advance was not found to be wrong.
    case takenBack
  }

  package let attempts: SignInAttempts
  let limits: SignInLimits
  var flights: [SignInAttempt.Key: Flights] = [:]
  var standings: FadingTable<SignInAttempt.Key, Standing>
  var clients: KnownClients
  /// The failures of each account's *crowd*: all clients unknown at the account, counted together. `flightsOfCrowds` has
  /// the numbers of the crowds' passwords in flight.
  var crowds: FadingTable<UInt64, BackOff>
  var flightsOfCrowds: [UInt64: Int] = [:]
  /// The guesses of each origin over all accounts.
  var origins: FadingTable<SignInAttempt.ShareHash, Bucket>
  var dice: Dice
  private var latest: Moment = 0

  /// - Parameter kept: The known clients of an earlier process of this regd, if there are any.
  package init(
    _ limits: SignInLimits = SignInLimits(), keeping kept: KeptClients? = nil,
    using generator: inout some RandomNumberGenerator
  ) {
    self.limits = limits
    attempts = SignInAttempts(kept?.key, using: &generator)
    dice = Dice(limits.luck, using: &generator)
    standings = FadingTable(capacity: limits.standings)
    clients = KnownClients(capacity: limits.standings)
    crowds = FadingTable(capacity: limits.standings)
    origins = FadingTable(capacity: limits.origins)
    clients.restore(kept?.changes ?? [])
  }

  /// The known clients for a later process of this regd. From then on, `takeChangesOfClients` returns later
  /// changes only.
  package mutating func kept(at time: Duration) -> KeptClients {
    let now = moment(time)
    return KeptClients(key: attempts.keyOfClients, changes: clients.kept(at: now), at: now)
  }

  /// The changes of the known clients since the last call of this function or of `kept`, except those beyond a quota of
  /// `ClientChanges`. Nil if there are none.
  package mutating func takeChangesOfClients(at time: Duration) -> KeptClients? {
    let (now, changes) = (moment(time), clients.takeChanges())
    return changes.isEmpty ? nil : KeptClients(key: attempts.keyOfClients, changes: changes, at: now)
  }

  /// Whether there are changes of the known clients that `takeChangesOfClients` has not returned.
  var hasChangesOfClients: Bool { clients.hasChanges }

  /// Grows with each change of the known clients that is worth keeping.
  package var editionOfClients: Int { clients.edition }

  /// - Parameters:
  ///   - time: The time since a fixed moment, by a clock that is never set.
  ///   - isShared: Whether there is a shared throttle that answers.
  /// - Returns: The verdict. After `go`, the caller must check `mustAsk` before it hashes.
  package mutating func admit(_ attempt: SignInAttempt, at time: Duration, isShared: Bool = false) -> Verdict {
    let now = moment(time)
    var flights = flights[attempt.key] ?? Flights()
    // the shared throttle is being asked about this password, so a repeat has to wait for the answer
    if flights.isAsking(attempt.mark) { return .wait(seconds: 1) }
    if flights.join(attempt.mark) {
      // the same password is already in flight: simultaneous sign-ins with one password are one guess
      self.flights[attempt.key] = flights
      return .go
    }
    let standing = standing(attempt.key, at: now)
    let wait = wait(for: attempt, standing, inFlight: flights.count, at: now)
    if wait > 0 {
      if mayPass(attempt, standing, at: now) { return .go }
      // the refusal shows the caller that a password with another trace is wrong
      clients.change(attempt.key) {
        if let trace = $0.trace, trace != attempt.trace { $0.count(attempt.mark, at: now) }
      }
      return .wait(seconds: Int((wait + 999) / 1000))
    }
    guard trusted(attempt.key, at: now)?.trace != attempt.trace, !standing.failed.contains(attempt.mark)
    else { return .go }
    let count = count(inAdvance: attempt, isShared: isShared, at: now)
    flights.reserve(attempt.mark, count)
    self.flights[attempt.key] = flights
    countForOrigin(attempt.key.client, at: now)
    if count == .ofCrowd { flightsOfCrowds[attempt.key.account, default: 0] += 1 }
    return .go
  }

  /// Whether the admitted attempt needs the shared throttle's verdict. If so, the caller asks the shared throttle and
  /// passes its answer to `answered`, before it does anything else.
  package func mustAsk(_ attempt: SignInAttempt) -> Bool { flights[attempt.key]?.isAsking(attempt.mark) ?? false }

  /// - Parameter answer: The shared throttle's answer, or nil if there was no answer, so that the counts of this regd
  ///   decide.
  /// - Returns: The verdict on the attempt, which replaces the verdict of `admit`. The caller does not ask again.
  package mutating func answered(_ attempt: SignInAttempt, _ answer: SharedVerdict?, at time: Duration) -> Verdict {
    let now = moment(time)
    let account = attempt.key.account
    if case .counted(let failures) = answer {
      flights[attempt.key]?.share(attempt.mark)
      flightsOfCrowds[account, default: 0] += 1
      // one less, because `flightsOfCrowds` already counts this password
      raise(account, to: failures - 1, at: now)
      return .go
    }
    if land(attempt, isKnown: true) != .nothing { giveBack(attempt.key.client, at: now) }
    guard case .wait(let seconds) = answer else { return admit(attempt, at: time) }
    // A wait means that the free failures are used up. With this count, this regd asks the shared throttle first next
    // time.
    raise(account, to: Int(BackOff.freeForCrowd) + 1, until: now + Moment(seconds) * 1000, at: now)
    return .wait(seconds: seconds)
  }

  /// Takes over the number of failures at the account that all regd processes have counted together.
  package mutating func heard(_ attempt: SignInAttempt, _ failures: Int, at time: Duration) {
    raise(attempt.key.account, to: failures, at: moment(time))
  }

  /// Ends an attempt. Must be called once for every attempt that was admitted.
  ///
  /// - Parameter account: The account that was found at the address, or nil if unknown.
  /// - Returns: The report for the shared throttle, if there is one.
  package mutating func ended(
    _ attempt: SignInAttempt, _ ending: Ending, of account: AccountID? = nil, at time: Duration
  ) -> News? {
    let now = moment(time)
    let release = land(attempt, isKnown: ending != .unknown)
    if ending == .wrong { return failed(attempt, release, account, at: now) }
    if ending == .right { clients.know(attempt.key, trace: attempt.trace, of: account, at: now) }
    guard case .whole(let count) = release else { return nil }
    giveBack(attempt.key.client, at: now)
    return count == .shared ? .takenBack : nil
  }

  private mutating func failed(
    _ attempt: SignInAttempt, _ release: Flights.Release, _ account: AccountID?, at now: Moment
  ) -> News? {
    // this client is known for an earlier account with the same address
    if let account, let known = clients[attempt.key]?.account, known != account { clients.forget(attempt.key) }
    var standing = standing(attempt.key, at: now)
    let isRepeat = standing.failed.contains(attempt.mark)
    // the attempt was admitted by its trace, which was equal by chance or is outdated
    let wasUncounted = release == .nothing && !isRepeat
    if !isRepeat {
      standing.failed.insert(attempt.mark)
      standing.backOff.fail(at: now, luck: dice.luck())
      if wasUncounted { standing.mistakes.take(limits.mistakes, at: now) }
      standings.set(attempt.key, standing, at: now)
    }
    if wasUncounted { countForOrigin(attempt.key.client, at: now) }
    let isStranger = trusted(attempt.key, at: now) == nil
    clients.change(attempt.key) { $0.count(attempt.mark, at: now) }
    switch release {
    case .whole(.ofClient) where !isStranger, .whole(.asking), .shared: return nil
    case .nothing where !isStranger || !wasUncounted: return nil
    case .whole(.ofClient), .whole(.ofCrowd), .whole(.shared), .nothing:
      countForCrowd(attempt.key.account, at: now)
      return release == .whole(.shared) ? nil : .failed
    }
  }

  /// Notes that the password is the account's, although it was not compared.
  package mutating func remember(_ attempt: SignInAttempt, of account: AccountID? = nil, at time: Duration) {
    clients.know(attempt.key, trace: attempt.trace, of: account, at: moment(time))
  }

  /// Notes that the owner uses this client, although no password was compared. A new client gets the decoy as its trace,
  /// so that wrong passwords look right there as rarely as at an unknown account.
  package mutating func rememberClient(_ attempt: SignInAttempt, of account: AccountID? = nil, at time: Duration) {
    let trace: UInt16? = if let known = clients[attempt.key] { known.trace } else { attempt.decoy }
    clients.know(attempt.key, trace: trace, of: account, at: moment(time))
  }

  package mutating func looksRight(_ attempt: SignInAttempt, at time: Duration) -> Bool {
    trusted(attempt.key, at: moment(time))?.trace == attempt.trace
  }

  /// Whether the account's owner has used this client, even if the client counts as a stranger's by now.
  package func isKnown(_ client: SignInAttempt.Key, of account: AccountID) -> Bool {
    clients[client].map { $0.account == nil || $0.account == account } ?? false
  }

  /// Whether administrators have to be notified now that so many wrong passwords came from a known client that the client
  /// counts as a stranger's. True at most once a day per account.
  package mutating func isNews(_ attempt: SignInAttempt, at time: Duration) -> Bool {
    let now = moment(time)
    return clients[attempt.key]?.isBarred(at: now) ?? false && clients.isNews(attempt.key.account, at: now)
  }

  /// Withdraws `isNews`, because administrators could not be notified.
  package mutating func isNewsAgain(_ attempt: SignInAttempt) { clients.isNewsAgain(attempt.key.account) }

  /// Forgets everything about an account, because its password was set, its address changed, or it was disabled or deleted.
  /// Takes time in proportion to the size of the tables: some milliseconds at most.
  package mutating func forget(account: String) {
    let account = attempts.number(of: account)
    standings.removeAll { $0.account == account }
    clients.forget(account: account)
    crowds.remove(account)
  }

  /// Sizes of the tables: standings, clients, crowds, origins.
  var counts: [Int] { [standings.count, clients.count, crowds.count, origins.count] }

  /// Converts the time. A moment never precedes an earlier one, even if attempts read the clock in another order.
  private mutating func moment(_ time: Duration) -> Moment {
    let (seconds, attoseconds) = time.components
    latest = max(latest, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    return latest
  }
}

/// Limits the state that the throttle keeps, and what callers may do without a wait.
package struct SignInLimits: Equatable, Sendable {
  /// The most rows of each of three tables (wrong passwords by account and client, known clients, accounts with wrong
  /// passwords), at least 1. A row with its index takes about 260, 260 or 130 bytes, so three full tables take 43 MB.
  package var standings = 65_536
  /// The most origins of callers for which wrong passwords are counted, at least 1.
  package var origins = 16_384
  /// The rate at which one origin may try wrong passwords, over all accounts, without a wait. A password counts once
  /// per account.
  package var failures = SignInRate(atOnce: 100, interval: 1000)
  /// During a wait, a password is still hashed if its trace equals that of the correct one. This also holds for one
  /// guess in 4096, by chance. This rate limits such wrong passwords from one client at one account. It is so high that
  /// no attacker can exhaust it to keep the owner out.
  package var mistakes = SignInRate(atOnce: 100, interval: 1000)

  /// Within this many milliseconds, a wait ends with a chance of one half, even if it was announced to be longer. Nil
  /// if each wait ends as announced. With one minute, a wait of 300 s takes 87 s on average, which is 990 guesses a
  /// day.
  package var luck: Int? = 60_000

  package init() {}
}

/// The size of a bucket, and the rate at which it refills.
package struct SignInRate: Equatable, Sendable {
  /// The most tokens in the bucket, 1 to 1,000,000.
  package var atOnce: Int
  /// Milliseconds until the bucket has one more token, 1 to 86,400,000.
  package var interval: Int

  package init(atOnce: Int, interval: Int) {
    self.atOnce = atOnce
    self.interval = interval
  }
}

/// Draws the moments at which waits really end, with a key of this process that is never written down.
struct Dice: Sendable {
  private let key: SipHash
  private let half: Moment?
  private var draws: UInt64 = 0

  /// - Parameter half: `SignInLimits.luck`.
  init(_ half: Int?, using generator: inout some RandomNumberGenerator) {
    key = SipHash(using: &generator)
    self.half = half.map { Moment($0) }
  }

  var isLucky: Bool { half != nil }

  /// A random time in milliseconds. However long a wait has taken, it ends within a further `half` with a chance of one
  /// half. So no moment is better for a try than another.
  mutating func luck() -> Moment {
    guard let half else { return BackOff.longest }
    draws &+= 1
    return Self.luck(half, key.hash(UnsafeRawBufferPointer(start: nil, count: 0), after: draws))
  }

  /// - Parameter bits: Random.
  static func luck(_ half: Moment, _ bits: UInt64) -> Moment {
    // Each zero at the beginning adds one `half`. The bits at the end choose the moment within the next one.
    Moment(bits.leadingZeroBitCount) * half + (Moment(UInt32(truncatingIfNeeded: bits)) * half) >> 32
  }
}
