import Glibc
import PasswordHashing
import Registration
import TestDoubles
import Testing

@Suite("Sodium hasher", .serialized, .timeLimit(.minutes(10)))
struct SodiumHasherTests {
  private func password(_ text: String) -> Password { Password(utf8: Array(text.utf8)) }

  private func with<Value>(
    _ parameters: SodiumHasher.Parameters = .init(workers: 2),
    memoryIsKept: Duration? = SodiumHasher.memoryIsKept, _ body: (SodiumHasher) async throws -> Value
  ) async throws -> Value {
    let hasher = try SodiumHasher(parameters, memoryIsKept: memoryIsKept)
    defer { hasher.stop() }
    return try await body(hasher)
  }

  @Test("parameters below OWASP's minimum are weak, and parameters at the minimum are not")
  func floor() {
    for (memoryKiB, passes) in [(47_104, 1), (19_456, 2), (12_288, 3), (9_216, 4), (7_168, 5), (7_168, 9)] {
      #expect(SodiumHasher.Parameters(memoryKiB: memoryKiB, passes: passes, workers: 1).weakness == nil)
      #expect(SodiumHasher.Parameters(memoryKiB: memoryKiB - 1, passes: passes, workers: 1).weakness != nil)
    }
  }

  @Test("a wrong password is wrong, and so is every password for an address without an account")
  func wrong() async throws {
    try await with { hasher in
      let hash = try await hasher.hash(password("right"))
      for other in ["", "Right", "right ", "wrong"] {
        #expect(try await hasher.verify(password(other), against: hash) == .wrong)
      }
      #expect(try await hasher.verify(password("right"), against: nil) == .wrong)
      for other in ["", "*"] { #expect(try await hasher.verify(password(other), against: PasswordHash.none) == .wrong) }
    }
  }

  @Test("a hash is a salted PHC string of Argon2id with the parameters")
  func phc() async throws {
    try await with { hasher in
      let one = try await hasher.hash(password("right"))
      let other = try await hasher.hash(password("right"))
      #expect(one != other)
      #expect(one.phc.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
      #expect(try await hasher.verify(password("right"), against: one) == .right(isOutdated: false))
    }
  }

  @Test("a password may be empty, long or contain NUL")
  func unusual() async throws {
    try await with { hasher in
      for text in ["", "\u{0}", "a\u{0}b", String(repeating: "long ", count: 1000)] {
        let hash = try await hasher.hash(password(text))
        #expect(try await hasher.verify(password(text), against: hash) == .right(isOutdated: false))
        #expect(try await hasher.verify(password(text + "x"), against: hash) == .wrong)
      }
    }
  }

  @Test("a hash with other parameters matches and is outdated")
  func outdated() async throws {
    let old = try await with(.init(memoryKiB: 7_168, passes: 5, workers: 1)) { try await $0.hash(password("right")) }
    try await with { (hasher) async throws in
      #expect(try await hasher.verify(password("right"), against: old) == .right(isOutdated: true))
      #expect(try await hasher.verify(password("wrong"), against: old) == .wrong)
    }
  }

  @Test("a full queue refuses further work as busy, and accepted work completes")
  func busy() async throws {
    try await with(.init(workers: 1, queue: 2)) { hasher in
      let results = await withTaskGroup(of: Result<PasswordHash, HashingFailure>.self) { group in
        for _ in 0..<40 {
          group.addTask {
            do throws(HashingFailure) { return .success(try await hasher.hash(password("x"))) } catch {
              return .failure(error)
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let refused = results.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
      #expect(refused.count < 40)
      #expect(!refused.isEmpty)
      #expect(refused.allSatisfy { if case .busy(let seconds) = $0 { seconds >= 1 } else { false } })
      // an empty queue accepts work again
      _ = try await hasher.hash(password("x"))
    }
  }

  @Test("each worker has a hashing thread, with nice 10 so that it yields to other work without starving")
  func niceness() async throws {
    try await with(.init(workers: 3)) { hasher in
      _ = try await hasher.hash(password("x"))
      let nices = threads(named: "regd-hash").map { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t($0)) }
      #expect(nices.count >= 3)
      #expect(nices.allSatisfy { $0 == 10 })
    }
  }

  @Test("a comparison without an account does as much work as one with an account, judging by its memory")
  func sameWork() async throws {
    // without kept memory, each hash maps its own
    try await with(memoryIsKept: nil) { hasher in
      let hash = try await hasher.hash(password("right"))
      func faults(_ body: () async throws -> PasswordVerdict) async throws -> Int {
        let before = threads(named: "regd-hash").map(minorFaults).reduce(0, +)
        _ = try await body()
        return threads(named: "regd-hash").map(minorFaults).reduce(0, +) - before
      }
      let wrong = try await faults { try await hasher.verify(password("wrong"), against: hash) }
      let nobody = try await faults { try await hasher.verify(password("wrong"), against: nil) }
      // 19 MiB are 4864 pages, new for every hash
      #expect(wrong >= 4864)
      #expect(nobody >= 4864)
    }
  }

  @Test("a password that NFC changes costs two comparisons, with an account and without one")
  func sameWorkOfBothForms() async throws {
    try await with(memoryIsKept: nil) { hasher in
      let hash = try await hasher.hash(password("right"))
      let wrong = Password(utf8: Array("\u{FC}ber".utf8), typed: password("u\u{308}ber"))
      for hash in [hash, nil] {
        let before = threads(named: "regd-hash").map(minorFaults).reduce(0, +)
        #expect(try await hasher.verify(wrong, against: hash) == .wrong)
        let faults = threads(named: "regd-hash").map(minorFaults).reduce(0, +) - before
        // 19 MiB are 4864 pages, new for every comparison
        #expect(faults >= 2 * 4864, "with an account: \(hash != nil)")
      }
    }
  }

  @Test("a hasher starts without making a hash, whatever a hash costs")
  func start() throws {
    // 100 passes over 256 MiB would take half a minute
    let hasher = try SodiumHasher(.init(memoryKiB: 1 << 18, passes: 100, workers: 1))
    defer { hasher.stop() }
    // RUSAGE_THREAD, which Swift's Glibc omits: a start runs on the thread of its caller
    let thread = __rusage_who_t(1)
    var usage = rusage()
    getrusage(thread, &usage)
    let before = usage.ru_minflt
    try SodiumHasher(.init(memoryKiB: 65_536, passes: 1, workers: 1)).stop()
    getrusage(thread, &usage)
    // 64 MiB are 16384 pages
    #expect(usage.ru_minflt - before < 1_000)
  }

  @Test("a waiting hash is not made if its caller is cancelled")
  func cancelled() async throws {
    try await with(.init(workers: 1)) { hasher in
      let results = await withTaskGroup(of: Result<PasswordHash, HashingFailure>.self) { group in
        for _ in 0..<20 {
          group.addTask {
            do throws(HashingFailure) { return .success(try await hasher.hash(password("x"))) } catch {
              return .failure(error)
            }
          }
        }
        group.cancelAll()
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.filter { $0 == .failure(.cancelled) }.count >= 18)
    }
  }
}
