// MARK: Look-ups

extension SignInThrottle {
  /// The entry of a client that the owner is known to have used, or nil if there is no entry, or if the client is
  /// barred.
  func trusted(_ key: SignInAttempt.Key, at now: Moment) -> KnownClient? {
    clients[key].flatMap { $0.isBarred(at: now) ? nil : $0 }
  }

  func standing(_ key: SignInAttempt.Key, at now: Moment) -> Standing {
    // a row that no longer matters remains in the table until the next write, but has no effect
    guard var standing = standings[key], standing.ends > now else { return Standing() }
    standing.backOff.fade(at: now)
    return standing
  }

  func crowd(_ account: UInt64, at now: Moment) -> BackOff {
    var crowd = crowds[account] ?? BackOff(free: BackOff.freeForCrowd)
    crowd.fade(at: now)
    return crowd
  }

  /// The time until the password may be hashed, or 0 if it may be hashed now.
  func wait(
    for attempt: SignInAttempt, _ standing: Standing, inFlight: Int, at now: Moment
  ) -> Moment {
    // a repeated wrong password is not a new guess, so only a running wait delays it
    if standing.failed.contains(attempt.mark) { return standing.backOff.remaining(at: now) }
    var waits = max(
      standing.backOff.wait(inFlight: inFlight, at: now),
      origins[attempt.key.client]?.wait(limits.failures, at: now) ?? 0)
    if trusted(attempt.key, at: now) == nil {
      let account = attempt.key.account
      waits = max(waits, crowd(account, at: now).wait(inFlight: flightsOfCrowds[account] ?? 0, at: now))
    }
    return waits
  }

  /// Whether an attempt is admitted during a wait, because its password looks like the correct one.
  ///
  /// A password that does not look right takes nothing from the allowance (`SignInLimits.mistakes`), so that guessing
  /// cannot exhaust the allowance. If the correct password is not known, the decoy replaces its trace, so that an
  /// unknown account admits as many passwords by chance as a known one.
  ///
  /// After a restart the throttle knows the client, but not the correct password. Then each password may be the correct
  /// one. Wrong passwords are limited as from any known client (`KnownClient.mostWrong`).
  func mayPass(_ attempt: SignInAttempt, _ standing: Standing, at now: Moment) -> Bool {
    guard standing.mistakes.wait(limits.mistakes, at: now) == 0 else { return false }
    guard let client = trusted(attempt.key, at: now) else { return attempt.trace == attempt.decoy }
    return client.trace.map { $0 == attempt.trace } ?? true
  }

  /// The counts that include a password before it is hashed, or `asking` if the shared throttle has to count the
  /// password first.
  func count(inAdvance attempt: SignInAttempt, isShared: Bool, at now: Moment) -> Flights.Count {
    guard trusted(attempt.key, at: now) == nil else { return .ofClient }
    let account = attempt.key.account
    let counted = Int(crowd(account, at: now).failures) + (flightsOfCrowds[account] ?? 0)
    return isShared && counted >= BackOff.uncountedOfCrowd ? .asking : .ofCrowd
  }
}

// MARK: Counting

extension SignInThrottle {
  /// How long the shared throttle is not asked about an account after it has answered that a wait runs, in milliseconds.
  private static let silence: Moment = 5000

  /// Ends a password's flight for this attempt.
  mutating func land(_ attempt: SignInAttempt, isKnown: Bool) -> Flights.Release {
    let release = flights[attempt.key]?.release(attempt.mark, isKnown: isKnown) ?? .nothing
    guard case .whole(let count) = release else { return release }
    if flights[attempt.key]?.count == 0 { flights[attempt.key] = nil }
    if count == .ofCrowd || count == .shared {
      let left = (flightsOfCrowds[attempt.key.account] ?? 0) - 1
      flightsOfCrowds[attempt.key.account] = left > 0 ? left : nil
    }
    return release
  }

  /// Counts a guess for the caller's origin. Without an origin it counts nothing, because guesses of some users of a front end
  /// must not lock out its other users.
  mutating func countForOrigin(_ client: SignInAttempt.ShareHash, at now: Moment) {
    guard client.hasOrigin else { return }
    var bucket = origins[client] ?? Bucket()
    bucket.take(limits.failures, at: now)
    origins.set(client, bucket, at: now)
  }

  mutating func giveBack(_ client: SignInAttempt.ShareHash, at now: Moment) {
    guard var bucket = origins[client] else { return }
    bucket.giveBack(limits.failures)
    origins.set(client, bucket, at: now)
  }

  mutating func countForCrowd(_ account: UInt64, at now: Moment) {
    var crowd = crowd(account, at: now)
    crowd.fail(at: now, luck: dice.luck())
    crowds.set(account, crowd, at: now)
  }

  mutating func raise(_ account: UInt64, to failures: Int, until end: Moment = 0, at now: Moment) {
    var crowd = crowd(account, at: now)
    crowd.raise(to: failures, at: now, luck: dice.luck())
    // the shared throttle's wait ends at its own random moment, so this regd must ask it again and again
    crowd.close(until: end, at: now, luck: dice.isLucky ? Self.silence : BackOff.longest)
    crowds.set(account, crowd, at: now)
  }
}

/// Remembers the wrong passwords that came from one client (uid and origin) for one account.
struct Standing: Fading {
  var backOff = BackOff(free: BackOff.freeForOne)
  /// Counts wrong passwords that were hashed during a wait because they looked like the right one.
  var mistakes = Bucket()
  /// Passwords that were hashed and wrong. A repeat of one does not count again.
  var failed = RecentMarks()

  var ends: Moment { max(backOff.ends, mistakes.ends) }
}

/// The marks (`SignInAttempt.mark`) of the last eight different passwords.
struct RecentMarks: Sendable {
  /// 0 marks a free slot.
  private var marks = InlineArray<8, UInt16>(repeating: 0)
  private var next: UInt8 = 0

  func contains(_ mark: UInt16) -> Bool { marks.indices.contains { marks[$0] == mark } }

  mutating func insert(_ mark: UInt16) {
    guard !contains(mark) else { return }
    marks[Int(next)] = mark
    next = (next + 1) % 8
  }
}

/// A token bucket, which stores only the time at which it will be full.
struct Bucket: Fading {
  private var full: Moment = 0

  var ends: Moment { full }

  /// The time until a token can be taken, or 0 if that is possible now.
  func wait(_ rate: SignInRate, at now: Moment) -> Moment {
    max(0, max(full, now) + Moment(rate.interval) - now - capacity(rate))
  }

  /// Takes a token. Does nothing if the bucket is empty.
  mutating func take(_ rate: SignInRate, at now: Moment) {
    full = min(max(full, now) + Moment(rate.interval), now + capacity(rate))
  }

  mutating func giveBack(_ rate: SignInRate) { full -= Moment(rate.interval) }

  private func capacity(_ rate: SignInRate) -> Moment { Moment(rate.atOnce) * Moment(rate.interval) }
}
