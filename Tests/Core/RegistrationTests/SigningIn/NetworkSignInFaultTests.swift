import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Sign-in by the upstream: work, throttle, faults")
struct NetworkSignInFaultTests {
  private typealias Tally = StagedHasher.Tally

  /// A registrar with fixed random numbers in its throttle, because chance decides which attempts the throttle accepts.
  private func throttled(_ offline: SignInAuthority.Offline) -> Doorway {
    Doorway(offline, signIns: SignInGuard(ThrottledDoor().throttle) { .zero })
  }

  private func wrong(_ door: Doorway, _ numbers: Range<Int>) async -> [SignInOutcome] {
    var outcomes: [SignInOutcome] = []
    for number in numbers { outcomes.append(await door.signIn("name@example.com", "wrong \(number)")) }
    return outcomes
  }

  @Test("an unknown address, a wrong password and an invalid address take the same work")
  func work() async throws {
    for hash in ["plain:another phrase", "damaged"] {
      let door = Doorway(.cached)
      try await door.has(hash: hash)
      for failure in [nil, NetworkFailure.offline] {
        await door.upstream.conducts(failure.map { .fails($0) } ?? .answers)
        for email in ["name@example.com", "nobody@example.com", "nobody"] {
          // another password each time, because the repeat of a wrong password costs nothing, whatever the address
          let password = "wrong \(failure.map { "\($0)" } ?? "")"
          _ = await door.signIn(email, password)
          #expect(await door.hasher.taken() == Tally(verified: 1), "\(email), \(hash)")
          _ = await door.signIn(email, password)
          #expect(await door.hasher.taken() == Tally(), "\(email), \(hash)")
        }
      }
    }
    let door = Doorway(.refuse)
    try await door.has()
    await door.upstream.conducts(.fails(.offline))
    for email in ["name@example.com", "nobody@example.com"] { _ = await door.signIn(email) }
    #expect(await door.hasher.taken() == Tally())
  }

  @Test("an invalid address never reaches the upstream")
  func noAddress() async {
    let door = Doorway()
    #expect(await door.signIn("nobody") == .refused(.rejected))
    await door.upstream.conducts(.fails(.offline))
    #expect(await door.signIn("nobody") == .refused(.rejected))
    #expect(await door.upstream.addresses.isEmpty)
  }

  @Test("after four wrong passwords the caller has to wait, and the upstream is not asked")
  func guessing() async {
    let door = throttled(.refuse)
    await door.upstream.set("name@example.com", Doorway.password)
    #expect(await wrong(door, 0..<4).allSatisfy { $0 == .refused(.rejected) })
    #expect(await wrong(door, 4..<6).allSatisfy { $0 == .obstructed(.throttled(retryAfterSeconds: 1)) })
    #expect(await door.signIn("NAME@Example.com", "wrong 4") == .obstructed(.throttled(retryAfterSeconds: 1)))
    #expect(await door.upstream.addresses.count == 4)
  }

  @Test("guesses while the upstream is away count the same, whether or not there is an account")
  func guessingOffline() async throws {
    for isThere in [true, false] {
      let door = throttled(.cached)
      if isThere { try await door.has() }
      await door.upstream.conducts(.fails(.offline))
      #expect(await wrong(door, 0..<4).allSatisfy { $0 == .obstructed(.network(.offline)) })
      #expect(await door.hasher.taken() == Tally(verified: 4))
      #expect(await wrong(door, 4..<6).allSatisfy { $0 == .obstructed(.throttled(retryAfterSeconds: 1)) })
      #expect(await door.hasher.taken() == Tally())
    }
  }

  @Test("a password that was not compared does not count as a guess, and neither does a correct password")
  func uncounted() async throws {
    let door = throttled(.refuse)
    await door.upstream.conducts(.fails(.timeout))
    #expect(await wrong(door, 0..<200).allSatisfy { $0 == .obstructed(.network(.timeout)) })
    await door.upstream.conducts(.answers)
    await door.upstream.set("name@example.com", Doorway.password)
    for _ in 0..<20 { #expect(await door.signIn().account != nil) }
    #expect(await wrong(door, 0..<4).allSatisfy { $0 == .refused(.rejected) })
    let cached = throttled(.cached)
    try await cached.has()
    await cached.upstream.conducts(.fails(.timeout))
    await cached.hasher.fail(.busy(retryAfterSeconds: 3))
    #expect(await wrong(cached, 0..<200).allSatisfy { $0 == .obstructed(.hashing(.busy(retryAfterSeconds: 3))) })
    await cached.hasher.fail(nil)
    for _ in 0..<20 { #expect(await cached.signIn().account != nil) }
    #expect(await wrong(cached, 0..<4).allSatisfy { $0 == .obstructed(.network(.timeout)) })
  }

  @Test("a full hashing queue does not keep out a user whom the upstream accepts and the store knows")
  func busy() async throws {
    let door = Doorway()
    let account = try await door.has(hash: "plain:another phrase")
    await door.upstream.set("name@example.com", Doorway.password)
    await door.upstream.set("new@example.com", Doorway.password)
    await door.hasher.fail(.busy(retryAfterSeconds: 3))
    #expect(await door.signIn() == .signedIn(account))
    #expect(await door.signIn("name@example.com", "wrong") == .refused(.rejected))
    #expect(await door.signIn("new@example.com") == .obstructed(.hashing(.busy(retryAfterSeconds: 3))))
    #expect(try await door.store.find(EmailKey("new@example.com")) == nil)
  }

  /// A path that a sign-in can take, and the number of its store calls.
  enum Way: CaseIterable {
    case remembering, forgetting, adopting, adoptingWithOtherID, standingIn

    var calls: Int {
      switch self {
      case .forgetting, .standingIn: 2
      case .remembering, .adopting: 3
      case .adoptingWithOtherID: 4
      }
    }
  }

  @Test(
    "after a failure of any store call, nothing is half done, and a repeat succeeds", arguments: Way.allCases
  )
  func failTheNthCall(_ way: Way) async throws {
    var call = 1
    while true {
      let faulty = Mutex<FaultyStore?>(nil)
      let number = call
      let door = Doorway(.cached) { store in
        let made = FaultyStore(store, failing: number)
        faulty.withLock { $0 = made }
        return made.accounts
      }
      try await prepare(door, way)
      let before = try await door.hash()
      let outcome = await door.signIn()
      let left = try await door.hash()
      let hasFailed = faulty.withLock { $0 }?.hasFailed ?? false
      // A hash that was not replaced does not fail the sign-in. Every other failure is returned. The last call reads the account
      // as it is then.
      switch way {
      case .remembering where call == 2: #expect(outcome.account != nil && left == before)
      case .forgetting where call == 2: #expect(outcome == .refused(.rejected) && left == before)
      default:
        if hasFailed { #expect(outcome == .obstructed(.store(.full)) && (left == before || call == way.calls)) }
      }
      // and a repeat succeeds
      let again = hasFailed ? await door.signIn() : outcome
      #expect(way == .forgetting ? again == .refused(.rejected) : again.account != nil)
      #expect(try await (door.hash() == "plain:a fine phrase") == (way != .forgetting))
      if !hasFailed { break }
      call += 1
    }
    #expect(call == way.calls + 1)
  }

  private func prepare(_ door: Doorway, _ way: Way) async throws {
    await door.upstream.set("name@example.com", Doorway.password)
    switch way {
    case .remembering: try await door.has(hash: "plain:another phrase")
    case .forgetting:
      await door.upstream.set("name@example.com", nil)
      try await door.has()
    case .adopting: break
    case .adoptingWithOtherID:
      let holder = try await door.has("somebody@example.com")
      await door.upstream.set("name@example.com", Doorway.password, id: holder.id.description)
    case .standingIn:
      await door.upstream.conducts(.fails(.offline))
      try await door.has()
    }
  }

  @Test("a cancelled sign-in does not ask the upstream and leaves nothing behind")
  func cancelled() async throws {
    let door = throttled(.refuse)
    await door.upstream.set("name@example.com", Doorway.password)
    for _ in 0..<10 {
      let outcome = await withTaskGroup(of: SignInOutcome.self) { group in
        group.cancelAll()
        group.addTask { await door.signIn() }
        return await group.next()
      }
      #expect(outcome == .obstructed(.cancelled))
    }
    #expect(await door.upstream.addresses.isEmpty)
    #expect(try await door.changes().isEmpty)
    #expect(await wrong(door, 0..<4).allSatisfy { $0 == .refused(.rejected) })
  }

  @Test("an account is not adopted if its caller no longer waits")
  func cancelledMeanwhile() async throws {
    let door = Doorway()
    await door.upstream.set("name@example.com", Doorway.password)
    await door.upstream.conducts { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      return .answers
    }
    #expect(await Task { await door.signIn() }.value == .obstructed(.cancelled))
    #expect(try await door.changes().isEmpty)
  }
}
