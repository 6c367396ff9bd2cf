package import Registration

/// A hasher for tests: a `PlainHasher` that counts its operations, fails on demand, and can hold its verdicts until the
/// test releases them. It cannot read the hash "damaged".
package actor StagedHasher: PasswordHasher {
  package struct Tally: Equatable, Sendable {
    package var verified: Int
    package var hashed: Int

    package init(verified: Int = 0, hashed: Int = 0) {
      self.verified = verified
      self.hashed = hashed
    }
  }

  /// The operations that were begun.
  package private(set) var tally = Tally()
  private var failure: HashingFailure?
  private let plain: PlainHasher
  private var curtain = Curtain<Never>()

  package init(generation: Int = 0, failure: HashingFailure? = nil) {
    plain = PlainHasher(generation: generation)
    self.failure = failure
  }

  /// The operations that were begun since the last call.
  package func taken() -> Tally {
    defer { tally = Tally() }
    return tally
  }

  /// From now on every operation fails with this error. Nil ends this.
  package func fail(_ failure: HashingFailure?) { self.failure = failure }

  /// From now on every comparison waits until `open`.
  package func hold() { curtain.isDown = true }

  /// Returns as soon as `count` comparisons wait.
  package func reached(_ count: Int = 1) async {
    await withCheckedContinuation { curtain.reached(count, $0) }
  }

  package func open() { curtain.open() }

  package func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    if let failure { throw failure }
    tally.hashed += 1
    return try await plain.hash(password, turn)
  }

  package func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    if let failure { throw failure }
    if hash?.phc == "damaged" { throw .unreadableHash(.missing) }
    tally.verified += 1
    if curtain.isDown {
      _ = await withCheckedContinuation { curtain.hold($0) }
      if !turn.isDoneAnyway, Task.isCancelled { throw .cancelled }
    }
    // lets other comparisons run concurrently, as during a slow hash
    for _ in 0..<20 { await Task.yield() }
    return try await plain.verify(password, against: hash, turn)
  }
}
