@testable import Registration

/// A second implementation of the throttle's rules in their plainest form: passwords in clear text, unbounded lists,
/// and a clock that ticks second by second. The real throttle calculates what happens here one second at a time.
struct NaiveThrottle {
  struct Try {
    let account: String
    let caller: UInt32
    let password: String
    let attempt: SignInAttempt
    let hasOrigin: Bool
  }

  private struct Ladder {
    var failures = 0
    var quietSeconds = 0
    var wait = 0

    mutating func fail(free: Int) {
      failures = min(failures + 1, free + 10)
      quietSeconds = 0
      wait = max(wait, NaiveThrottle.wait(failures - free))
    }

    mutating func tick() {
      wait = max(0, wait - 1)
      quietSeconds += 1
      if quietSeconds == 900 {
        failures = max(0, failures - 1)
        quietSeconds = 0
      }
    }
  }

  /// How many seconds each bucket needs until it is full.
  private var missing: [String: Int] = [:]
  private var ladders: [String: Ladder] = [:]
  private var failed: [String: [String]] = [:]
  private var flying: [String: [(password: String, attempts: Int, isOfCrowd: Bool)]] = [:]
  private var traces: [String: UInt16] = [:]
  let limits: SignInLimits

  init(_ limits: SignInLimits) { self.limits = limits }

  private static func wait(_ step: Int) -> Int {
    step < 1 ? 0 : [1, 2, 4, 8, 16, 32, 64, 128, 256, 300][min(step, 10) - 1]
  }

  mutating func tick() {
    for index in ladders.values.indices { ladders.values[index].tick() }
    // a client without failures has no wrong passwords to repeat
    for (name, ladder) in ladders where ladder.failures == 0 { failed[name] = nil }
    for index in missing.values.indices { missing.values[index] = max(0, missing.values[index] - 1) }
  }

  private func refill(_ bucket: String, _ rate: SignInRate) -> Int {
    max(0, missing[bucket, default: 0] + rate.interval / 1000 - rate.atOnce * rate.interval / 1000)
  }

  private mutating func take(_ bucket: String, _ rate: SignInRate) {
    missing[bucket] = min(missing[bucket, default: 0] + rate.interval / 1000, rate.atOnce * rate.interval / 1000)
  }

  mutating func admit(_ one: Try) -> SignInThrottle.Verdict {
    let pair = "\(one.account) \(one.caller)"
    if let index = flying[pair]?.firstIndex(where: { $0.password == one.password }) {
      flying[pair]?[index].attempts += 1
      return .go
    }
    let isRepeat = failed[pair, default: []].suffix(8).contains(one.password)
    var waits = [ladders[pair]?.wait ?? 0]
    if !isRepeat {
      let inFlight = flying[pair, default: []].count
      if inFlight > 0 { waits.append(Self.wait((ladders[pair]?.failures ?? 0) + inFlight - 3)) }
      if traces[pair] == nil {
        waits.append(ladders[one.account]?.wait ?? 0)
        let others = strangersInFlight(one.account)
        if others > 0 { waits.append(Self.wait((ladders[one.account]?.failures ?? 0) + others - 100)) }
      }
      if one.hasOrigin { waits.append(refill("failures \(one.caller)", limits.failures)) }
    }
    if let wait = waits.max(), wait > 0 {
      let mayPass =
        one.attempt.trace == traces[pair] ?? one.attempt.decoy && refill("mistakes \(pair)", limits.mistakes) == 0
      return mayPass ? .go : .wait(seconds: wait)
    }
    if isRepeat || traces[pair] == one.attempt.trace { return .go }
    flying[pair, default: []].append((one.password, 1, traces[pair] == nil))
    if one.hasOrigin { take("failures \(one.caller)", limits.failures) }
    return .go
  }

  /// The number of passwords in flight from clients that the account does not know.
  private func strangersInFlight(_ account: String) -> Int {
    flying.filter { $0.key.hasPrefix(account + " ") }.values.joined().count { $0.isOfCrowd }
  }

  mutating func ended(_ one: Try, _ ending: SignInThrottle.Ending) {
    let pair = "\(one.account) \(one.caller)"
    let index = flying[pair]?.firstIndex { $0.password == one.password }
    if let index, ending == .unknown, flying[pair]?[index].attempts ?? 0 > 1 {
      flying[pair]?[index].attempts -= 1
      return
    }
    let reserved = index.flatMap { flying[pair]?.remove(at: $0) }
    if ending == .right { traces[pair] = one.attempt.trace }
    if ending == .wrong, reserved?.isOfCrowd ?? false { ladders[one.account, default: Ladder()].fail(free: 100) }
    if ending == .wrong, !failed[pair, default: []].suffix(8).contains(one.password) {
      failed[pair, default: []].append(one.password)
      ladders[pair, default: Ladder()].fail(free: 3)
      if reserved == nil {
        take("mistakes \(pair)", limits.mistakes)
        if one.hasOrigin { take("failures \(one.caller)", limits.failures) }
        if traces[pair] == nil { ladders[one.account, default: Ladder()].fail(free: 100) }
      }
    }
    if ending != .wrong, reserved != nil, one.hasOrigin {
      missing["failures \(one.caller)", default: 0] -= limits.failures.interval / 1000
    }
  }
}
