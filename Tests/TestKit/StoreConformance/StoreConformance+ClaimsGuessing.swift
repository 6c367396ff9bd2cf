internal import Registration
import TestDoubles

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// Rules for trying codes.
  static let guessing: [Rule] = [
    Rule("incorrect codes are counted, and the last allowed attempt ends the claim") { store in
      let claim = Stage.claim(request: "one")
      try await store.addAll(claim)
      for left in [2, 1] {
        let answer = try await store.guess(claim.id, Stage.guess(false, attempts: 3), Stage.stamp(1))
        try same(answer, .wrong(attemptsLeft: left), "wrong")
        try same(try await store.find(claim.id, at: Stage.time(1))?.attempts, 3 - left, "counted")
      }
      let last = try await store.guess(claim.id, Stage.guess(false, attempts: 3), Stage.stamp(1))
      try same(last, .wrong(attemptsLeft: 0), "the last")
      try same(try await store.guess(claim.id, Stage.guess(true, attempts: 3), Stage.stamp(1)), .gone, "afterwards")
      try same(try await store.find(claim.id, at: Stage.time(1)), nil, "the claim")
      try await store.addAll(Stage.claim(request: "one"))
    },
    Rule("a correct code changes nothing in any state of the claim, and a repeat gets the same answer") { store in
      for state in AddressClaim.State.allCases {
        let claim = Stage.claim(state: state)
        try await store.addAll(claim)
        for _ in 0..<2 {
          try same(try await store.guess(claim.id, Stage.guess(true), Stage.stamp(1)), .right(claim), "\(state)")
        }
        try same(try await store.find(claim.id, at: Stage.time(1)), claim, "\(state) afterwards")
      }
    },
    Rule("a guess that was not compared with the claim's current code is not counted") { store in
      let claim = Stage.claim()
      try await store.addAll(claim)
      for isRight in [false, true] {
        let answer = try await store.guess(claim.id, Stage.guess(isRight, generation: 2), Stage.stamp(1))
        try same(answer, .outdated, "\(isRight)")
      }
      try same(try await store.find(claim.id, at: Stage.time(1)), claim, "the claim")
    },
    Rule("of fifty simultaneous incorrect codes, only the five allowed attempts are counted") { store in
      let claim = Stage.claim()
      try await store.addAll(claim)
      let answers = try await withThrowingTaskGroup(of: GuessAnswer.self) { group in
        for _ in 0..<50 { group.addTask { try await store.guess(claim.id, Stage.guess(false), Stage.stamp(1)) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for left in 0..<5 { try same(answers.count { $0 == .wrong(attemptsLeft: left) }, 1, "\(left) left") }
      try same(answers.count { $0 == .gone }, 45, "gone")
      let wrong = try await store.wrongCodes(at: claim.email.key, limit: 99, Stage.time(1))
      try same(wrong, WrongCodes(atAddress: 5, overAll: 5), "at the address")
    },
    Rule("of simultaneous incorrect codes of a hidden claim, one ends the claim, and none counts at its address") {
      store in
      let claim = try await hidden(store)
      let answers = try await withThrowingTaskGroup(of: GuessAnswer.self) { group in
        for _ in 0..<20 {
          group.addTask { try await store.guess(claim.id, Stage.guess(false), Stage.stamp(200, uid: 8)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try same(answers.count { $0 == .wrong(attemptsLeft: 0) }, 1, "the last")
      try same(answers.count { $0 == .gone }, 19, "gone")
      let wrong = try await store.wrongCodes(at: claim.email.key, limit: 99, Stage.time(200))
      try same(wrong, WrongCodes(atAddress: 0, overAll: 0), "at the address")
    },
    Rule("incorrect codes count for a day at their address, up to a limit, and for an hour over all addresses") {
      store in
      for number in 0..<3 {
        try await useUp(store, Stage.claim(.recovery, uid: UInt32(10 + number), origin: "o\(number)", at: number))
      }
      try await useUp(store, Stage.claim(.registration, "other@example.com", at: 3))
      let right = Stage.claim(at: 3)
      try await store.addAll(right)
      _ = try await store.guess(right.id, Stage.guess(true), Stage.stamp(3))
      let (key, hour, day) = (EmailKey(Stage.address), CodeBounds.spanOfAll, CodeBounds.span)
      for (limit, time, expected) in [
        (99, Stage.time(4), (6, 8)), (4, Stage.time(4), (4, 8)), (99, Stage.time(0).advanced(by: hour), (6, 6)),
        (99, Stage.time(3).advanced(by: hour), (6, 0)), (99, Stage.time(1).advanced(by: day), (2, 0)),
        (99, Stage.time(2).advanced(by: day), (0, 0)),
      ] {
        let wrong = try await store.wrongCodes(at: key, limit: limit, time)
        try same(wrong, WrongCodes(atAddress: expected.0, overAll: expected.1), "to \(limit) at \(time.rfc3339)")
      }
      let free = try await store.wrongCodes(at: EmailKey("free@example.com"), limit: 9, Stage.time(4))
      try same(free, WrongCodes(atAddress: 0, overAll: 8), "at another address")
    },
    Rule("beyond the bound over all addresses, a short code allows one more incorrect guess and is then invalid") {
      store in
      let (proven, short, long) = (Stage.claim(state: .proven), Stage.claim(), Stage.claim())
      let flood = Stage.claim(.recovery, "flood@example.com")
      try await store.addAll(proven, short, long, flood)
      var renewed = long
      (renewed.generation, renewed.digits) = (2, CodeBounds.longDigits)
      try same(try await store.renew(renewed, seen: long, nil, Stage.stamp(0)), true, "a long code")
      try await try1000(store, flood)
      try same(try await store.guess(short.id, Stage.guess(true), Stage.stamp(1)), .right(short), "a right code")
      for claim in [proven, short] {
        let wrong = try await store.guess(claim.id, Stage.guess(false), Stage.stamp(1))
        try same(wrong, .wrong(attemptsLeft: 4), "one more try")
        // a guess that was compared before is not counted, and its correct code is no longer accepted
        for isRight in [false, true] {
          let late = try await store.guess(claim.id, Stage.guess(isRight), Stage.stamp(1))
          try same(late, .outdated, "a guess compared at the same time")
        }
        let spent = try await store.find(claim.id, at: Stage.time(1))
        try same(spent?.attempts, 1, "attempts")
        try same(spent?.state, claim.state, "state")
        try same(spent?.hasCode, false, "the code")
      }
      for left in [4, 3] {
        let guess = try await store.guess(long.id, Stage.guess(false, generation: 2), Stage.stamp(1))
        try same(guess, .wrong(attemptsLeft: left), "a long code")
      }
      // an hour later
      let later = Int(CodeBounds.spanOfAll.components.seconds)
      let other = Stage.claim(at: later)
      try await store.addAll(other)
      for left in [4, 3] {
        let guess = try await store.guess(other.id, Stage.guess(false), Stage.stamp(later))
        try same(guess, .wrong(attemptsLeft: left), "below the bound")
      }
    },
    Rule("incorrect codes still count after the account is deleted, and are swept after a day") { store in
      let owner = Fixtures.account(Stage.address)
      _ = try await store.insert(owner)
      try await useUp(store, Stage.claim(.recovery))
      _ = try await store.delete(owner.account.id, Stage.stamp(1))
      let (key, day) = (owner.account.email.key, Int(CodeBounds.span.components.seconds))
      for (swept, left) in [(day - 1, 2), (day, 0)] {
        _ = try await store.sweep(at: Stage.time(swept), addressesBefore: Stage.time(0), limit: 9)
        let wrong = try await store.wrongCodes(at: key, limit: 9, Stage.time(1))
        try same(wrong, WrongCodes(atAddress: left, overAll: left), "swept at \(swept)")
      }
    },
  ]

  /// Adds a claim that allows two tries, and uses them up with wrong codes, all at the time when the claim was made.
  private static func useUp(_ store: Accounts, _ claim: AddressClaim) async throws {
    try await store.addAll(claim)
    for left in [1, 0] {
      let stamp = Stamp(claim.createdAt, by: Requester(uid: claim.uid, pid: 8, origin: claim.origin))
      let answer = try await store.guess(claim.id, Stage.guess(false, attempts: 2), stamp)
      try same(answer, .wrong(attemptsLeft: left), "using up")
    }
  }

  /// Tries enough wrong codes at the claim to make all new codes long, all at the time when the claim was made.
  private static func try1000(_ store: Accounts, _ claim: AddressClaim) async throws {
    let stamp = Stamp(claim.createdAt, by: Requester(uid: claim.uid, pid: 8))
    // a long code, so that the tries do not end the claim
    var renewed = claim
    (renewed.generation, renewed.digits) = (2, CodeBounds.longDigits)
    try same(try await store.renew(renewed, seen: claim, nil, stamp), true, "a long code to guess")
    try await withThrowingTaskGroup(of: GuessAnswer.self) { group in
      for _ in 0..<CodeBounds.all {
        group.addTask { try await store.guess(claim.id, Stage.guess(false, generation: 2, attempts: 5000), stamp) }
      }
      for try await _ in group {}
    }
  }
}
