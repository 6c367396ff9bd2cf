package import Registration
import TestDoubles

/// A count of wrong passwords that two regd processes share, and the clock by which its entries age.
package struct SharedThrottleStage: Sendable {
  let one: any SharedThrottle
  let other: any SharedThrottle
  let pass: @Sendable (_ seconds: Int) async throws -> Void

  /// - Parameters:
  ///   - one: The count as one regd sees it, without any guess so far.
  ///   - other: The count as another regd sees it, with the same database.
  ///   - pass: Makes all entries older by this many seconds.
  package init(
    _ one: any SharedThrottle, _ other: any SharedThrottle,
    pass: @escaping @Sendable (_ seconds: Int) async throws -> Void
  ) {
    self.one = one
    self.other = other
    self.pass = pass
  }
}

/// The promises of every `SharedThrottle`. The rules allow half a minute more than `pass` simulates, because a
/// database's own clock continues during the test.
package enum SharedThrottleConformance {
  package typealias Rule = ConformanceRule<SharedThrottleStage>

  /// Includes numbers of 2^63 and more, which are negative in a database that has only signed integers.
  private static let accounts: [UInt64] = [0, 1, .max, .max - 1, 1 << 63, 1 << 63 - 1, 0x0123_4567_89AB_CDEF]

  private static let account: UInt64 = 0xFEDC_BA98_7654_3210

  package static let rules: [Rule] =
    counting + waiting + [
      Rule("one failure is forgotten every quarter of an hour, and even the maximum within 28 hours") { stage in
        for _ in 0..<10 { _ = await stage.one.failed(at: account) }
        try await stage.pass(SharedThrottleRule.fading - 30)
        try same(await stage.one.failed(at: account), 11, "before a quarter of an hour")
        try await stage.pass(SharedThrottleRule.fading)
        try same(await stage.one.failed(at: account), 11, "after one")
        try await stage.pass(3 * SharedThrottleRule.fading)
        try same(await stage.one.failed(at: account), 9, "after three")
        for _ in 0..<200 { _ = await stage.one.failed(at: account) }
        try await stage.pass(28 * 3600)
        try same(await stage.one.admit(at: account), .counted(failures: 1), "after 28 hours")
      },
      Rule("taking back a failure reduces the count by one, but never below zero") { stage in
        await stage.one.takeBack(at: account)
        try same(await stage.one.failed(at: account), 1, "after taking back from an empty count")
        for _ in 0..<4 { _ = await stage.one.admit(at: account) }
        await stage.other.takeBack(at: account)
        await stage.one.takeBack(at: account)
        try same(await stage.one.failed(at: account), 4, "after taking back two of five")
        for _ in 0..<9 { await stage.one.takeBack(at: account) }
        try same(await stage.other.failed(at: account), 1, "after taking back more than all")
      },
      Rule("forgetting an account resets its count and wait for every regd, and no other account's") { stage in
        await stage.one.forget(account)
        for _ in 0..<SharedThrottleRule.most { _ = await stage.one.failed(at: account) }
        for _ in 0..<3 { _ = await stage.one.failed(at: 7) }
        await stage.other.forget(account)
        try same(await stage.one.admit(at: account), .counted(failures: 1), "the forgotten account")
        try same(await stage.one.failed(at: 7), 4, "another account")
      },
      Rule("a cancelled call is still counted") { stage in
        await withTaskGroup(of: Void.self) { group in
          group.cancelAll()
          group.addTask { _ = await stage.one.failed(at: account) }
          group.addTask { _ = await stage.one.admit(at: account) }
        }
        try same(await stage.one.failed(at: account), 3, "after two cancelled calls")
      },
      Rule("every regd numbers accounts with the same key") { stage in
        try same(stage.one.key, stage.other.key, "keys")
      },
    ]

  private static let counting: [Rule] = [
    Rule("failures of all regd processes are counted together") { stage in
      try same(await stage.one.failed(at: account), 1, "the first")
      try same(await stage.other.failed(at: account), 2, "the second, at another regd")
      try same(await stage.other.admit(at: account), .counted(failures: 3), "the third, counted in advance")
      try same(await stage.one.failed(at: account), 4, "the fourth")
    },
    Rule("each account has a separate count") { stage in
      for (index, number) in accounts.enumerated() {
        for _ in 0..<index { _ = await stage.one.failed(at: number) }
      }
      for (index, number) in accounts.enumerated() {
        try same(await stage.other.failed(at: number), index + 1, "account \(number)")
      }
    },
    Rule("fifty simultaneous failures are all counted, and each gets a different number") { stage in
      let counts = await withTaskGroup(of: Int?.self) { group in
        for number in 0..<50 {
          group.addTask { await (number.isMultiple(of: 2) ? stage.one : stage.other).failed(at: account) }
        }
        return await group.reduce(into: []) { $0.append($1 ?? 0) }
      }
      try same(counts.sorted(), Array(1...50), "counts")
    },
    Rule("failures are counted up to the maximum") { stage in
      for number in 1...SharedThrottleRule.most + 20 {
        try same(await stage.one.failed(at: account), min(number, SharedThrottleRule.most), "failure \(number)")
      }
    },
  ]

  private static let waiting: [Rule] = [
    Rule("a hundred and one consecutive guesses are admitted without a wait") { stage in
      for number in 1...101 {
        let throttle = number.isMultiple(of: 2) ? stage.one : stage.other
        try same(await throttle.admit(at: account), .counted(failures: number), "guess \(number)")
      }
    },
    Rule("each further guess starts the wait of its step, and the longest wait repeats") { stage in
      for _ in 0..<106 { _ = await stage.one.failed(at: account) }
      var running = 32
      for (number, wait) in [(107, 64), (108, 128), (109, 256), (110, 300), (110, 300)] {
        try await stage.pass(running)
        try same(await stage.one.admit(at: account), .counted(failures: number), "guess \(number)")
        try await isWaiting(stage.other, wait, "after guess \(number)")
        running = wait
      }
    },
    Rule("a refused guess does not prolong the wait") { stage in
      for _ in 0..<109 { _ = await stage.one.failed(at: account) }
      try await stage.pass(200)
      for _ in 0..<5 { try await isWaiting(stage.other, 56, "after 200 of 256 s") }
      try await stage.pass(56)
      try same(await stage.one.admit(at: account), .counted(failures: 110), "afterwards")
    },
    Rule("a failure during a wait is counted, and starts the wait of its own step") { stage in
      for _ in 0..<108 { _ = await stage.one.failed(at: account) }
      try await stage.pass(100)
      try same(await stage.other.failed(at: account), 109, "during 128 s")
      try await isWaiting(stage.one, 256, "afterwards")
    },
    Rule("of fifty simultaneous guesses after a wait, one is admitted") { stage in
      for _ in 0..<SharedThrottleRule.most { _ = await stage.one.failed(at: account) }
      try await stage.pass(300)
      let verdicts = await withTaskGroup(of: SharedVerdict?.self) { group in
        for number in 0..<50 {
          group.addTask { await (number.isMultiple(of: 2) ? stage.one : stage.other).admit(at: account) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      try same(verdicts.count { $0 == .counted(failures: SharedThrottleRule.most) }, 1, "admitted guesses")
      try same(verdicts.count { $0 == nil }, 0, "guesses without an answer")
    },
  ]

  /// Fails unless a caller must wait for `seconds`, or for up to 30 seconds less.
  private static func isWaiting(_ throttle: any SharedThrottle, _ seconds: Int, _ what: String) async throws {
    let verdict = await throttle.admit(at: account)
    guard case .wait(let left)? = verdict, max(1, seconds - 30)...seconds ~= left else {
      throw Broken(description: "\(what): expected a wait of \(seconds) s, saw \(String(describing: verdict))")
    }
  }
}
