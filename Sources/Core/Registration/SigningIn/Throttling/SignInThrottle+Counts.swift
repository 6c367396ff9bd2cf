// MARK: What is looked up

extension SignInThrottle {
  /// The place, if the owner is known to have been there, and not too much was guessed from it since.
  func trusted(_ key: SignInAttempt.Key, at now: Moment) -> KnownPlace? {
    places[key].flatMap { $0.isBarred(at: now) ? nil : $0 }
  }

  func standing(_ key: SignInAttempt.Key, at now: Moment) -> Standing {
    // a row that is worth nothing any more is let go at the next one that is written
    guard var standing = standings[key], standing.ends > now else { return Standing() }
    standing.backOff.fade(at: now)
    return standing
  }

  func crowd(_ account: UInt64, at now: Moment) -> BackOff {
    var crowd = crowds[account] ?? BackOff(free: BackOff.freeForCrowd)
    crowd.fade(at: now)
    return crowd
  }

  /// How long until the password may be hashed; 0 where it may be now.
  func wait(
    for attempt: SignInAttempt, _ standing: Standing, inFlight: Int, at now: Moment
  ) -> Moment {
    // a repeat is no new guess, but while a wait runs it is not worth a hash
    if standing.failed.contains(attempt.mark) { return standing.backOff.remaining(at: now) }
    var waits = max(
      standing.backOff.wait(inFlight: inFlight, at: now),
      origins[attempt.key.place]?.wait(limits.failures, at: now) ?? 0)
    if trusted(attempt.key, at: now) == nil {
      let account = attempt.key.account
      waits = max(waits, crowd(account, at: now).wait(inFlight: flightsOfCrowds[account] ?? 0, at: now))
    }
    return waits
  }

  /// Whether an attempt that would have to wait is admitted, because its password looks like the right one.
  ///
  /// A password that does not look so takes nothing from the allowance, so that guessing cannot use it up for the right one.
  /// If the right password is not known, the decoy is compared: an unknown account admits as many by chance as a known one.
  func mayPass(_ attempt: SignInAttempt, _ standing: Standing, at now: Moment) -> Bool {
    attempt.trace == trusted(attempt.key, at: now)?.trace ?? attempt.decoy
      && standing.mistakes.wait(limits.mistakes, at: now) == 0
  }

  /// The count that a password joins before it is hashed, or that the shared throttle must count it first.
  func count(inAdvance attempt: SignInAttempt, isShared: Bool, at now: Moment) -> Flights.Count {
    guard trusted(attempt.key, at: now) == nil else { return .ofPlace }
    let account = attempt.key.account
    let counted = Int(crowd(account, at: now).failures) + (flightsOfCrowds[account] ?? 0)
    return isShared && counted >= BackOff.uncountedOfCrowd ? .asking : .ofCrowd
  }
}

// MARK: What is counted

extension SignInThrottle {
  /// The password is in flight no more.
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

  /// Counts only if the caller names origins: the guesses of some users of a front end must not keep other users of it out.
  mutating func countForOrigin(_ place: SignInAttempt.Place, at now: Moment) {
    guard place.hasOrigin else { return }
    var bucket = origins[place] ?? Bucket()
    bucket.take(limits.failures, at: now)
    origins.set(place, bucket, at: now)
  }

  mutating func giveBack(_ place: SignInAttempt.Place, at now: Moment) {
    guard var bucket = origins[place] else { return }
    bucket.giveBack(limits.failures)
    origins.set(place, bucket, at: now)
  }

  mutating func countForCrowd(_ account: UInt64, at now: Moment) {
    var crowd = crowd(account, at: now)
    crowd.fail(at: now)
    crowds.set(account, crowd, at: now)
  }

  mutating func raise(_ account: UInt64, to failures: Int, until end: Moment = 0, at now: Moment) {
    var crowd = crowd(account, at: now)
    crowd.raise(to: failures, at: now)
    crowd.close(until: end)
    crowds.set(account, crowd, at: now)
  }
}
