internal import Registration

extension StoreConformance {
  private typealias Stage = ClaimScene

  /// What holds of codes that are tried.
  static let guessing: [Rule] = [
    Rule("wrong codes are counted, and the last one that a claim has ends it") { store in
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
    Rule("a right code changes nothing, whatever state the claim has, and a repeat is answered the same") { store in
      for state in AddressClaim.State.allCases {
        let claim = Stage.claim(state: state)
        try await store.addAll(claim)
        for _ in 0..<2 {
          try same(try await store.guess(claim.id, Stage.guess(true), Stage.stamp(1)), .right(claim), "\(state)")
        }
        try same(try await store.find(claim.id, at: Stage.time(1)), claim, "\(state) afterwards")
      }
    },
    Rule("a code that was compared with another one than the claim has now is not counted") { store in
      let claim = Stage.claim()
      try await store.addAll(claim)
      for isRight in [false, true] {
        let answer = try await store.guess(claim.id, Stage.guess(isRight, generation: 2), Stage.stamp(1))
        try same(answer, .outdated, "\(isRight)")
      }
      try same(try await store.find(claim.id, at: Stage.time(1)), claim, "the claim")
    },
    Rule("of fifty wrong codes at once a claim answers as many as it has attempts") { store in
      let claim = Stage.claim()
      try await store.addAll(claim)
      let answers = try await withThrowingTaskGroup(of: GuessAnswer.self) { group in
        for _ in 0..<50 { group.addTask { try await store.guess(claim.id, Stage.guess(false), Stage.stamp(1)) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for left in 0..<5 { try same(answers.count { $0 == .wrong(attemptsLeft: left) }, 1, "\(left) left") }
      try same(answers.count { $0 == .gone }, 45, "gone")
    },
    Rule("past ten times the attempts at an address a share that has made as many has to wait, and others have not") {
      store in
      // four users use up two claims each, and a fifth one another
      for uid in UInt32(10)..<14 {
        for second in [0, 100] { try await useUp(store, Stage.claim(uid: uid, at: second), attempts: 2) }
      }
      try await useUp(store, Stage.claim(uid: 20, at: 200), attempts: 2)
      let (all, claim) = (9 * 2, Stage.claim(uid: 20, at: 300))
      try await store.addAll(claim)
      let guess = Stage.guess(false, attempts: 2)
      try same(try await store.guess(claim.id, guess, Stage.stamp(301, uid: 20)), .wrong(attemptsLeft: 1), "\(all + 1)")
      let other = Stage.claim(.recovery, uid: 21, at: 302)
      let third = Stage.claim(uid: 20, origin: "x", at: 303)
      try await store.addAll(other, third)
      let second = try await store.guess(other.id, guess, Stage.stamp(303, uid: 21))
      try same(second, .wrong(attemptsLeft: 1), "\(all + 2), of another who has made none")
      let until = Stage.time(200).advanced(by: CodeGuess.span)
      for isRight in [false, true] {
        let answer = try await store.guess(claim.id, Stage.guess(isRight, attempts: 2), Stage.stamp(304, uid: 20))
        try same(answer, .limited(until: until), "whoever has made as many")
      }
      let renamed = try await store.guess(claim.id, guess, Stage.stamp(304, uid: 20, origin: "another"))
      try same(renamed, .limited(until: until), "by another origin than the claim's")
      try same(try await store.find(claim.id, at: Stage.time(304))?.attempts, 1, "not counted")
      let right = try await store.guess(other.id, Stage.guess(true, attempts: 2), Stage.stamp(305, uid: 21))
      guard case .right = right else { throw Broken(description: "another has to wait: \(right)") }
      let origin = try await store.guess(third.id, guess, Stage.stamp(306, uid: 20, origin: "x"))
      try same(origin, .wrong(attemptsLeft: 1), "another origin of the same user")
      let free = try await store.guess(claim.id, guess, Stamp(until, by: Requester(uid: 20, pid: 8)))
      try same(free, .wrong(attemptsLeft: 0), "an hour later")
    },
    Rule("wrong codes for another address stand in no way") { store in
      for number in 0..<10 { try await useUp(store, Stage.claim(.recovery, at: number), attempts: 2) }
      let claim = Stage.claim(.registration, "other@example.com", at: 20)
      try await store.addAll(claim)
      let answer = try await store.guess(claim.id, Stage.guess(false, attempts: 2), Stage.stamp(21))
      try same(answer, .wrong(attemptsLeft: 1), "elsewhere")
    },
  ]

  /// Adds a claim and tries as many wrong codes as it has attempts, when it was made.
  private static func useUp(_ store: any AccountStore, _ claim: AddressClaim, attempts: Int) async throws {
    try await store.addAll(claim)
    for left in (0..<attempts).reversed() {
      let stamp = Stamp(claim.createdAt, by: Requester(uid: claim.uid, pid: 8, origin: claim.origin))
      let answer = try await store.guess(claim.id, Stage.guess(false, attempts: attempts), stamp)
      try same(answer, .wrong(attemptsLeft: left), "using up")
    }
  }
}
